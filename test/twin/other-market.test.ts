import type { Blockhash, Instruction } from "@solana/kit";
import { describe, expect, it } from "vitest";
import type { TransactionOutcome } from "../../src/solana/chain.ts";
import { writable } from "../../src/solana/encoding/instruction.ts";
import { associatedTokenAddress } from "../../src/solana/programs/associated-token.ts";
import { compileTransaction, TRANSACTION_SIZE_LIMIT } from "../../src/solana/transaction.ts";
import { createDriftAllowList } from "../../src/venues/drift/allow-list.ts";
import { referrerRewards } from "../../src/venues/drift/book-transaction.ts";
import { DRIFT_V2_INSTANCE as IDS } from "../../src/venues/drift/instance.ts";
import {
  deposit,
  initializeUser,
  initializeUserStats,
  placeAndTakePerpOrder,
} from "../../src/venues/drift/instructions.ts";
import { perpMarketLayout } from "../../src/venues/drift/layout-perp-market.ts";
import { stateLayout } from "../../src/venues/drift/layout-state.ts";
import { isUsed, userLayout } from "../../src/venues/drift/layout-user.ts";
import { createDriftOrderLimits } from "../../src/venues/drift/order-limits.ts";
import { limitPrice } from "../../src/venues/drift/order-params.ts";
import { derivePerpMarket, deriveState, deriveUserStats } from "../../src/venues/drift/pdas.ts";
import { PlanRefusedError } from "../../src/venues/plan-step.ts";
import { openLiteBench, openPracticeBench } from "../chain-bench.ts";
import {
  DOLLAR,
  type ExchangeBench,
  expectError,
  noMarkets,
  openExchange,
  orderParams,
  readUser,
  SOL_BASE,
  START_PRICE,
  userAddress,
  withAccount,
  withSol,
} from "../drift-cases/case.ts";
import { SOL_PERP } from "../drift-cases/initialised-exchange.ts";
import { openVenue, ownAccount } from "../drift-cases/venue-bench.ts";
import { owner, putDollars, stranger } from "../squads-bench.ts";

/** Markets of the exchange that are not traded here: as many as an account has places for beside its own. */
const OTHERS = [7, 8, 9, 10, 11, 12, 13];
const REWARD = 814n;

/** Adds markets like SOL's, and pays referrers as the exchange does. */
async function openOtherMarkets(bench: ExchangeBench): Promise<void> {
  const sol = await bench.account(SOL_PERP);
  if (sol === null) throw new Error("The exchange has no market");
  for (const marketIndex of OTHERS) {
    const market = { ...perpMarketLayout.decode(sol.data), marketIndex };
    const data = perpMarketLayout.encode(market);
    await bench.put(derivePerpMarket(IDS, marketIndex), { ...sol, data });
  }
  await bench.edit(deriveState(IDS), (account) => {
    const { perpFeeStructure: fees, ...state } = stateLayout.decode(account.data);
    const reward = { referrerRewardNumerator: 15, referrerRewardDenominator: 100 };
    const feeTiers = fees.feeTiers.map((tier) => ({ ...tier, ...reward }));
    return {
      ...account,
      data: stateLayout.encode({ ...state, perpFeeStructure: { ...fees, feeTiers } }),
    };
  });
}

/** A stranger names the agent's account as his referrer and trades: the exchange credits it in those markets. */
async function refer(bench: ExchangeBench): Promise<void> {
  const theirs = { authority: stranger.address, subAccountId: 0 };
  const tokenAccount = associatedTokenAddress(stranger.address, IDS.quote.mint);
  const referrer = [writable(userAddress), writable(deriveUserStats(IDS, owner.address))];
  const naming = (instruction: Instruction): Instruction => ({
    ...instruction,
    accounts: [...(instruction.accounts ?? []), ...referrer],
  });
  await bench.give(stranger.address, 5_000_000_000n);
  await putDollars(bench, stranger.address, 1_000n * DOLLAR);
  const moved = { spotMarketIndex: 0, tokenAccount, amount: 1_000n * DOLLAR, markets: noMarkets };
  const price = limitPrice("long", START_PRICE, 100, 100n);
  const tradeIn = (marketIndex: number) =>
    placeAndTakePerpOrder(
      IDS,
      theirs,
      stranger.address,
      orderParams({ marketIndex, price, baseAssetAmount: SOL_BASE / 10n }),
      { ...withSol, perpMarkets: OTHERS.map((index) => derivePerpMarket(IDS, index)) },
    );
  await expectError(
    bench.send(
      [stranger],
      [
        initializeUserStats(IDS, stranger.address),
        naming(initializeUser(IDS, theirs, "Theirs")),
        deposit(IDS, theirs, moved),
      ],
    ),
    null,
  );
  for (const index of OTHERS) {
    const { error, logs } = await bench.send([stranger], [naming(tradeIn(index))]);
    expect(error).toBeNull();
    const outcome = { error, logs } as unknown as TransactionOutcome;
    // By which the book knows where it came from
    expect(referrerRewards(IDS, ownAccount, outcome)).toMatchObject([
      { market: `PERP-${index}`, amount: REWARD },
    ]);
  }
}

/** What it leaves in the account, where the chain pays no referrers. */
async function writeReward(bench: ExchangeBench): Promise<void> {
  await bench.edit(userAddress, (account) => {
    const user = userLayout.decode(account.data);
    const left = [...OTHERS];
    const perpPositions = user.perpPositions.map((slot) =>
      isUsed(slot) ? slot : { ...slot, marketIndex: left.shift() ?? 0, quoteAssetAmount: REWARD },
    );
    return { ...account, data: userLayout.encode({ ...user, perpPositions }) };
  });
}

const file = process.env["DRIFT_SO"] ?? "";

async function openPractice(): Promise<ExchangeBench> {
  const { bench, market } = await openPracticeBench();
  return openExchange(bench, (price) => market.setPrice("SOL", price));
}

const openReal = () => openExchange(openLiteBench({ [IDS.programId]: file }));

const SIGNATURE_BYTES = 64;

/** Bytes of a transaction that another account pays for, without a lookup table. */
function sizeOf(instructions: readonly Instruction[]): number {
  const lifetime = {
    blockhash: stranger.address as string as Blockhash,
    lastValidBlockHeight: 1n,
    slot: 1n,
  };
  const message = compileTransaction({ feePayer: stranger.address, lifetime, instructions });
  return message.length + 1 + 2 * SIGNATURE_BYTES;
}

const BENCHES = [
  ["practice", openPractice, writeReward, false],
  ["the real program", openReal, refer, file === ""],
] as const;

describe("an account credited in markets that are not traded here", () => {
  it.for(BENCHES)("trades, exits and withdraws on %s", async ([, open, credit, isAbsent], test) => {
    test.skip(isAbsent, "DRIFT_SO names no program file");
    const bench = await open();
    await openOtherMarkets(bench);
    await withAccount(bench);
    const { venue, account, build, land, trade, chain, clock } = await openVenue(bench);
    expect(await trade({ side: "long" })).toMatchObject({ kind: "filled" });
    const before = await venue.accountState(account);
    await credit(bench);
    const [, ...credited] = (await readUser(bench)).perpPositions;
    expect(credited).toMatchObject(
      OTHERS.map((marketIndex) => ({ marketIndex, baseAssetAmount: 0n, quoteAssetAmount: REWARD })),
    );

    const state = await venue.accountState(account);
    expect(state.positions).toEqual(before.positions);
    expect(state.portfolioValue).toBe(before.portfolioValue + BigInt(OTHERS.length) * REWARD);
    const [again] = await venue.accountStates([account]);
    expect(again).toEqual(state);

    const wanted = { side: "short", reduceOnly: true } as const;
    const { instructions } = await build(wanted);
    const [, , closing] = instructions as readonly Required<Instruction>[];
    if (closing === undefined) throw new Error("No order was built");
    expect(createDriftAllowList(IDS, clock)(account, closing)).toBeNull();
    const terms = {
      marketId: "SOL-PERP",
      slippageBps: 100,
      leverage: 1,
      stop: null,
      tradingState: "active",
    } as const;
    const limit = createDriftOrderLimits({ chain, instance: IDS, clock });
    expect(await limit(account, [closing], "order", terms)).toMatchObject({ refusal: null });
    expect(sizeOf(instructions)).toBeLessThanOrEqual(TRANSACTION_SIZE_LIMIT);
    expect(venue.reportOrder(account, await land(instructions))).toMatchObject({ kind: "filled" });

    const withdrawal = await venue.planWithdraw(account, 500n * DOLLAR);
    expect((await land(withdrawal.asVault, owner)).error).toBeNull();

    const [settling] = await venue.planTearDown(account);
    expect(sizeOf(settling?.before ?? [])).toBeLessThanOrEqual(TRANSACTION_SIZE_LIMIT);
    expect((await land(settling?.before ?? [], owner)).error).toBeNull();
    expect((await readUser(bench)).perpPositions.filter(isUsed)).toEqual([]);
    const [last] = await venue.planTearDown(account);
    expect((await land(last?.asVault ?? [], owner)).error).toBeNull();
  });

  it.for(BENCHES)(
    "exits beside the owner's position there on %s",
    async ([, open, , isAbsent], test) => {
      test.skip(isAbsent, "DRIFT_SO names no program file");
      const bench = await open();
      await openOtherMarkets(bench);
      await withAccount(bench);
      const { venue, account, trade } = await openVenue(bench);
      expect(await trade({ side: "long" })).toMatchObject({ kind: "filled" });
      const before = await venue.accountState(account);
      await bench.edit(userAddress, (one) => {
        const user = userLayout.decode(one.data);
        const [own] = user.perpPositions;
        if (own === undefined) throw new Error("The account has no position");
        const perpPositions = user.perpPositions.map((slot, place) =>
          place === 1 ? { ...own, marketIndex: OTHERS[0] ?? 0 } : slot,
        );
        return { ...one, data: userLayout.encode({ ...user, perpPositions }) };
      });
      const state = await venue.accountState(account);
      // It counts, and is not listed among the positions of markets that are traded here
      expect(state.positions).toEqual(before.positions);
      const deposit = 1_000n * DOLLAR;
      expect(state.portfolioValue - deposit).toBe(2n * (before.portfolioValue - deposit));
      expect(state.freeCollateral).toBeLessThan(before.freeCollateral);
      expect(await trade({ side: "short", reduceOnly: true })).toMatchObject({ kind: "filled" });
      expect((await venue.accountState(account)).positions).toEqual([]);
      const refusal = new PlanRefusedError(
        "The account holds PERP-7, which is not traded here. Please close it on the exchange's own page first.",
      );
      await expect(venue.planClose(account)).rejects.toThrow(refusal);
      await expect(venue.planTearDown(account)).rejects.toThrow(refusal);
    },
  );
});
