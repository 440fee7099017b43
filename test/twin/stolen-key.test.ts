import { describe, expect, it } from "vitest";
import { writable } from "../../src/solana/encoding/instruction.ts";
import { tokenAmount } from "../../src/venues/drift/balance.ts";
import { DRIFT_V2_INSTANCE as IDS } from "../../src/venues/drift/instance.ts";
import { DIRECTION } from "../../src/venues/drift/instruction-arguments.ts";
import {
  ownMarginRatio,
  updateUserCustomMarginRatio,
  placeAndTakePerpOrder,
  placePerpOrder,
} from "../../src/venues/drift/instructions.ts";
import { spotMarketLayout } from "../../src/venues/drift/layout-spot-market.ts";
import { deriveSpotMarket, deriveUser, deriveUserStats } from "../../src/venues/drift/pdas.ts";
import { openLiteBench } from "../chain-bench.ts";
import {
  DOLLAR,
  type ExchangeBench,
  expectError,
  openExchange,
  orderParams,
  readUser,
  SOL_BASE,
  START_PRICE,
  user,
  withAccount,
  withSol,
} from "../drift-cases/case.ts";
import { putTrader } from "./traders.ts";
import { owner, stranger, tradingKey } from "../squads-bench.ts";

/** Smallest step of an order's size in base units. */
const STEP = 10_000_000n;

const file = process.env["DRIFT_SO"];
const thief = { authority: stranger.address, subAccountId: 0 };
const thiefAccounts = [
  writable(deriveUser(IDS, stranger.address, 0)),
  writable(deriveUserStats(IDS, stranger.address)),
];

/**
 * Exchanges base units between the victim's account, by its trading key, and the thief's own, at the thief's price.
 * Returns whether the exchange let the trading key do it.
 */
async function crossAt(
  bench: ExchangeBench,
  side: "long" | "short",
  baseAssetAmount: bigint,
  price: bigint,
): Promise<boolean> {
  const order = { baseAssetAmount, price };
  const other = DIRECTION[side === "long" ? "short" : "long"];
  const resting = orderParams({ ...order, direction: other, bitFlags: 0, postOnly: 1 });
  const offer = placePerpOrder(IDS, thief, stranger.address, resting, withSol);
  await expectError(bench.send([stranger], [offer]), null);
  // The exchange matches no two orders of one slot
  bench.nextSlot();
  await bench.setPrice(START_PRICE);
  const taking = orderParams({ ...order, direction: DIRECTION[side] });
  const take = placeAndTakePerpOrder(IDS, user, tradingKey.address, taking, withSol);
  const withMaker = { ...take, accounts: [...take.accounts, ...thiefAccounts] };
  return (await bench.send([tradingKey], [withMaker])).error === null;
}

/** Returns the worth of an account without an open position, in quote base units. */
async function worthOf(bench: ExchangeBench): Promise<bigint> {
  const market = await bench.account(deriveSpotMarket(IDS, 0));
  const { spotPositions, perpPositions } = await readUser(bench);
  const [deposited] = spotPositions;
  if (market === null || deposited === undefined) throw new Error("The account does not exist");
  const unsettled = perpPositions.reduce((sum, each) => sum + each.quoteAssetAmount, 0n);
  return tokenAmount(deposited, spotMarketLayout.decode(market.data)) + unsettled;
}

/** Percent of the collateral that one order is worth, largest first: what a thief tries until the exchange accepts. */
const SIZES = [490n, 400n, 300n, 250n, 200n, 190n, 150n, 100n, 90n];

/**
 * Returns what is left of 1,000 dollars after the trading key has bought once 19 % above the oracle from the thief and
 * sold to him 19 % below it, and how many slots that took.
 */
async function robOnce(marginRatio: number) {
  const bench = await openExchange(openLiteBench({ [IDS.programId]: file ?? "" }));
  // The value on mainnet: the exchange's own market maker does not fill an order before its tenth slot
  await bench.setExchange({ minPerpAuctionDuration: 10 });
  await withAccount(bench);
  await putTrader(bench, 100_000n, stranger.address);
  await expectError(
    bench.send([owner], [updateUserCustomMarginRatio(IDS, user, marginRatio)]),
    null,
  );
  const { slot: begun } = await bench.time();
  for (const percent of SIZES) {
    const dollars = (1_000n * DOLLAR * percent) / 100n;
    const base = ((dollars * SOL_BASE) / START_PRICE / STEP) * STEP;
    if (!(await crossAt(bench, "long", base, (START_PRICE * 119n) / 100n))) continue;
    expect(await crossAt(bench, "short", base, (START_PRICE * 81n) / 100n)).toBe(true);
    const tries = BigInt(SIZES.indexOf(percent));
    return { left: await worthOf(bench), slots: (await bench.time()).slot - begun - tries };
  }
  throw new Error("The exchange accepted no size");
}

// The practice exchange matches no orders between users, so this is told of the real program alone
describe("a stolen trading key that trades against the thief's own account, on the real program", () => {
  it.skipIf(file === undefined)("takes 95 % of a perpetuals account in two slots", async () => {
    const { left, slots } = await robOnce(0);
    expect([left / DOLLAR, slots]).toEqual([48n, 2n]);
  });

  it.skipIf(file === undefined)("takes 76 % under the margin ratio of the set-up", async () => {
    const { left, slots } = await robOnce(ownMarginRatio(1));
    expect([left / DOLLAR, slots]).toEqual([238n, 2n]);
  });
});
