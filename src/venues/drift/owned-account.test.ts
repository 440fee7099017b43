import { describe, expect, it } from "vitest";
import { openPracticeBench } from "../../../test/chain-bench.ts";
import { openExchange, userAddress, withAccount } from "../../../test/drift-cases/case.ts";
import { openVenue } from "../../../test/drift-cases/venue-bench.ts";
import type { AccountState } from "../../practice/runtime/account-state.ts";
import { ChainUnavailableError } from "../../solana/chain.ts";
import { SYSTEM_PROGRAM } from "../../solana/programs/system.ts";
import { TOKEN_PROGRAM } from "../../solana/programs/token.ts";
import { perpMarketLayout } from "./layout-perp-market.ts";
import { userLayout } from "./layout-user.ts";
import { derivePerpMarket } from "./pdas.ts";
import { DRIFT_V2_INSTANCE as IDS } from "./instance.ts";
import { changeExchange } from "../../../test/practice-operator.ts";

async function openLong() {
  const { bench, chain, market } = await openPracticeBench();
  const exchange = await openExchange(bench, (price) => market.setPrice("SOL", price));
  await changeExchange(chain, { minPerpAuctionDuration: 0 });
  await withAccount(exchange);
  const opened = await openVenue(exchange);
  expect((await opened.trade({ side: "long" })).kind).toBe("filled");
  return { ...opened, exchange };
}

const answers: readonly [string, (state: AccountState) => AccountState][] = [
  ["without its content", (state) => ({ ...state, data: new Uint8Array() })],
  ["shortened", (state) => ({ ...state, data: state.data.slice(0, 4_000) })],
  ["as zeros", (state) => ({ ...state, data: new Uint8Array(state.data.length) })],
  ["as another program's", (state) => ({ ...state, owner: TOKEN_PROGRAM })],
  [
    "as another account",
    (state) => ({
      ...state,
      data: userLayout.encode({ ...userLayout.decode(state.data), subAccountId: 3 }),
    }),
  ],
  [
    "as somebody else's",
    (state) => ({
      ...state,
      data: userLayout.encode({ ...userLayout.decode(state.data), authority: SYSTEM_PROGRAM }),
    }),
  ],
];

describe("an account with a position", () => {
  it.each(answers)("answered %s is not read, and not treated as flat", async (_, change) => {
    const { account, venue, exchange, build } = await openLong();
    await exchange.edit(userAddress, change);
    await expect(venue.accountState(account)).rejects.toThrow(ChainUnavailableError);
    await expect(venue.accountStates([account])).rejects.toThrow(ChainUnavailableError);
    await expect(venue.planClose(account)).rejects.toThrow(ChainUnavailableError);
    await expect(build({ side: "long" })).rejects.toThrow(ChainUnavailableError);
  });

  it("that is missing from the answer is absent, not flat", async () => {
    const { account, venue, trade, exchange } = await openLong();
    await trade({ side: "short", reduceOnly: true });
    expect(await venue.accountState(account)).toMatchObject({
      positions: [],
      subAccountExists: true,
    });
    await exchange.edit(userAddress, (state) => ({
      ...state,
      owner: SYSTEM_PROGRAM,
      data: new Uint8Array(),
    }));
    expect(await venue.accountState(account)).toMatchObject({
      positions: [],
      subAccountExists: false,
    });
  });
});

it("does not trade in a market whose content is missing", async () => {
  const { venue, exchange, build } = await openLong();
  const at = derivePerpMarket(IDS, 0);
  await exchange.edit(at, (state) => ({
    ...state,
    data: state.data.slice(0, perpMarketLayout.size - 1),
  }));
  await expect(venue.price("SOL-PERP")).rejects.toThrow(ChainUnavailableError);
  await expect(build({ side: "long" })).rejects.toThrow(ChainUnavailableError);
});
