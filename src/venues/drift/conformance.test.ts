import type { Instruction } from "@solana/kit";
import { expect, it } from "vitest";
import { createTestClock } from "../../../test/clock.ts";
import {
  describeVenueConformance,
  fundVenueAccount,
  type VenueFixture,
} from "../../../test/venue-conformance.ts";
import { findMarket } from "../profiles.ts";
import { createMemoryLedger } from "../../practice/memory-ledger.ts";
import type { LedgerView } from "../../practice/ledger.ts";
import { createPracticeChain } from "../../practice/practice-chain.ts";
import { TransactionRefusedError } from "../../solana/chain.ts";
import { keypairFromSeed } from "../../solana/encoding/keys.ts";
import { associatedTokenAddress } from "../../solana/programs/associated-token.ts";
import { programConfigCodec } from "../../solana/programs/squads-accounts.ts";
import {
  deriveMultisig,
  deriveProgramConfig,
  deriveVault,
} from "../../solana/programs/squads-pdas.ts";
import { rentOf } from "../../solana/rent.ts";
import { multisigCreateV2 } from "../../solana/programs/squads.ts";
import { transferLamports } from "../../solana/programs/system.ts";
import { signTransaction } from "../../solana/signing.ts";
import { compileTransaction } from "../../solana/transaction.ts";
import { createDriftVenue } from "./drift-venue.ts";
import { ORDER_TYPE } from "./instruction-arguments.ts";
import { placePerpOrder, withdraw } from "./instructions.ts";
import { takeOrderParams } from "./order-params.ts";
import { lazerPriceLayout } from "./layout-oracle.ts";
import { perpMarketLayout } from "./layout-perp-market.ts";
import { ORACLE_SOURCE } from "./layout-spot-market.ts";
import { stateLayout } from "./layout-state.ts";
import { derivePerpMarket, deriveSpotMarket, deriveState } from "./pdas.ts";
import { DRIFT_V2_INSTANCE as instance } from "./instance.ts";

const key = (fill: number) => keypairFromSeed(new Uint8Array(32).fill(fill));
const ONE_SOL = 1_000_000_000n;
const START_PRICE = 150_000_000n;

/** Oracle of SOL after the market moved to the exchange's own Pyth Lazer account. */
const lazerOracle = key(40).address;

function lazerPrice(price: bigint, atMs: number) {
  const data = lazerPriceLayout.encode({
    ...lazerPriceLayout.zero(),
    price,
    exponent: -6,
    publishTime: BigInt(atMs) * 1_000n,
  });
  const account = { lamports: ONE_SOL, owner: instance.programId, data, executable: false };
  return {
    value: undefined,
    change: { accounts: new Map([[lazerOracle, account]]), records: [] },
  };
}

/** Moves the market to Pyth Lazer, as the exchange's operators do. */
function toLazer(view: LedgerView) {
  const address = derivePerpMarket(instance, 0);
  const state = view.account(address);
  if (state === undefined) throw new Error("The practice chain has no SOL market");
  const market = perpMarketLayout.decode(state.data);
  const amm = { ...market.amm, oracle: lazerOracle, oracleSource: ORACLE_SOURCE.pythLazer };
  const data = perpMarketLayout.encode({ ...market, amm });
  return {
    value: undefined,
    change: { accounts: new Map([[address, { ...state, data }]]), records: [] },
  };
}

async function makeFixture(oracle: "pull" | "lazer" = "pull"): Promise<VenueFixture> {
  const clock = createTestClock();
  const ledger = createMemoryLedger();
  let price = START_PRICE;
  const chain = await createPracticeChain({
    ledger,
    clock,
    prices: {
      label: "test",
      quote: () => ({ price, confidence: 0n, publishedAtMs: clock.now() }),
    },
  });
  const publish = async (next: bigint) => {
    price = next;
    if (oracle === "lazer") await ledger.transact(() => lazerPrice(next, clock.now()));
  };
  if (oracle === "lazer") await ledger.transact((view) => toLazer(view));
  await publish(START_PRICE);
  const [owner, tradingKey, createKey] = [key(1), key(2), key(3)];
  await chain.fund(owner.address, { lamports: 10n * ONE_SOL, quoteUnits: 1_000_000_000n });
  await chain.fund(tradingKey.address, { lamports: ONE_SOL, quoteUnits: 0n });
  const multisig = deriveMultisig(createKey.address).address;
  const vault = deriveVault(multisig).address;
  const [config] = (await chain.accounts([deriveProgramConfig().address])).accounts;
  if (config == null) throw new Error("The practice chain has no Squads configuration");
  const { treasury } = programConfigCodec.decode(config.data);
  const creation = compileTransaction({
    feePayer: owner.address,
    lifetime: await chain.latestBlockhash(),
    instructions: [
      multisigCreateV2(
        { treasury, createKey: createKey.address, creator: owner.address },
        {
          configAuthority: owner.address,
          threshold: 1,
          members: [{ key: owner.address, permissions: 7 }],
          rentCollector: owner.address,
        },
      ),
      transferLamports(
        { from: owner.address, to: vault },
        await rentOf(chain, [0, ...instance.setUpSizes]),
      ),
    ],
  });
  await chain.send(signTransaction(signTransaction(creation, owner), createKey));
  const market = findMarket("drift", "SOL-PERP");
  if (market === undefined) throw new Error("SOL-PERP is not a market");
  return {
    chain,
    venue: createDriftVenue({ chain, instance, clock }),
    account: {
      owner: owner.address,
      multisig,
      vault,
      tradingKey: tradingKey.address,
      subAccountId: 0,
    },
    market,
    owner,
    tradingKey,
    setPrice: publish,
    async setPaused(isPaused) {
      const address = deriveState(instance);
      await ledger.transact((view) => {
        const state = view.account(address);
        if (state === undefined) throw new Error("The practice chain has no exchange");
        const data = stateLayout.encode({
          ...stateLayout.decode(state.data),
          exchangeStatus: isPaused ? 127 : 0,
        });
        return {
          value: undefined,
          change: { accounts: new Map([[address, { ...state, data }]]), records: [] },
        };
      });
    },
  };
}

describeVenueConformance("Drift on practice", () => makeFixture());

describeVenueConformance("Drift with Pyth Lazer prices", () => makeFixture("lazer"));

it("does not let the delegate withdraw", async () => {
  const fixture = await makeFixture();
  const { chain, venue, account, tradingKey } = fixture;
  await fundVenueAccount(fixture);
  const held = await venue.withdrawable(account);
  const taking = withdraw(
    instance,
    { authority: account.vault, subAccountId: 0 },
    {
      spotMarketIndex: 0,
      tokenAccount: associatedTokenAddress(tradingKey.address, instance.quote.mint),
      amount: 1n,
      markets: { oracles: [], spotMarkets: [deriveSpotMarket(instance, 0)], perpMarkets: [] },
    },
  );
  const accounts = taking.accounts.map((meta) =>
    meta.address === account.vault ? { ...meta, address: tradingKey.address } : meta,
  );
  const wire = compileTransaction({
    feePayer: tradingKey.address,
    lifetime: await chain.latestBlockhash(),
    instructions: [{ ...taking, accounts }],
  });
  await expect(chain.send(signTransaction(wire, tradingKey))).rejects.toThrow(
    TransactionRefusedError,
  );
  expect(held).toBeGreaterThan(0n);
  expect(await venue.withdrawable(account)).toBe(held);
});

it("cancels whatever rests in the market in the transaction that closes", async () => {
  const fixture = await makeFixture();
  const { chain, venue, account, tradingKey } = fixture;
  await fundVenueAccount(fixture);
  const send = async (instructions: readonly Instruction[]) => {
    const lifetime = await chain.latestBlockhash();
    const wire = compileTransaction({ feePayer: tradingKey.address, lifetime, instructions });
    await chain.send(signTransaction(wire, tradingKey));
  };
  const order = (side: "long" | "short", reduceOnly: boolean) =>
    ({
      agentId: "a",
      market: { marketId: "SOL-PERP" },
      side,
      baseSize: ONE_SOL,
      referencePrice: START_PRICE,
      slippageBps: 100,
      reduceOnly,
    }) as unknown as Parameters<typeof venue.buildOrder>[1];
  await send((await venue.buildOrder(account, order("long", false))).instructions);
  const { market, oracle } = await solMarket(chain);
  const resting = takeOrderParams({
    marketIndex: 0,
    side: "long",
    baseSize: ONE_SOL,
    price: START_PRICE / 2n,
    reduceOnly: false,
  });
  await send([
    placePerpOrder(
      instance,
      { authority: account.vault, subAccountId: 0 },
      tradingKey.address,
      { ...resting, orderType: ORDER_TYPE.limit, bitFlags: 0 },
      { oracles: [oracle], spotMarkets: [deriveSpotMarket(instance, 0)], perpMarkets: [market] },
    ),
  ]);
  expect(await venue.accountState(account)).toMatchObject({ openOrderCount: 1 });
  await send((await venue.buildOrder(account, order("short", true))).instructions);
  expect(await venue.accountState(account)).toMatchObject({ openOrderCount: 0, positions: [] });
});

async function solMarket(chain: VenueFixture["chain"]) {
  const market = derivePerpMarket(instance, 0);
  const [held] = (await chain.accounts([market])).accounts;
  if (held == null) throw new Error("The practice chain has no SOL market");
  return { market, oracle: perpMarketLayout.decode(held.data).amm.oracle };
}
