import type { Instruction } from "@solana/kit";
import { describe, expect, it } from "vitest";
import type { Market, MarketKind } from "../src/domain/market.ts";
import type { Approved, OrderIntent } from "../src/domain/order/order.ts";
import type { Side } from "../src/domain/position.ts";
import {
  type Chain,
  type TransactionOutcome,
  TransactionRefusedError,
  rentOf,
} from "../src/solana/chain.ts";
import type { Keypair } from "../src/solana/encoding/keys.ts";
import { associatedTokenAddress } from "../src/solana/programs/associated-token.ts";
import { setComputeUnitLimit } from "../src/solana/programs/compute-budget.ts";
import { vaultLife } from "../src/solana/programs/squads.ts";
import { tokenAccountCodec } from "../src/solana/programs/token.ts";
import { signTransaction } from "../src/solana/signing.ts";
import { compileTransaction, TRANSACTION_SIZE_LIMIT } from "../src/solana/transaction.ts";
import { OrderRefusedError, type OrderReport } from "../src/venues/placed-order.ts";
import type { PlanStep } from "../src/venues/plan-step.ts";
import type { Venue } from "../src/venues/ports.ts";
import type { VenueAccount } from "../src/venues/venue.ts";
import { multisigCodec } from "../src/solana/programs/squads-accounts.ts";

/**
 * One agent on a fresh chain: its multisig exists, its vault holds the SOL the venue asks for, its owner holds SOL and at
 * least 1,000 quote units, its trading key can pay fees. Nothing has been done on the venue yet.
 */
export interface VenueFixture {
  readonly chain: Chain;
  readonly venue: Venue;
  readonly account: VenueAccount;
  readonly market: Market;
  readonly owner: Keypair;
  readonly tradingKey: Keypair;
  /** Quote units with six decimals per whole asset; the venue's next price is this one. */
  setPrice(price: bigint): Promise<void>;
  setPaused(isPaused: boolean): Promise<void>;
  /** Passes the time of an order's auction; absent where a venue has none. */
  passAuction?(): Promise<void>;
  /** What the owner's wallet holds of assets, in quote base units; absent where a venue hands out none. */
  ownerAssets?(): Promise<bigint>;
}

const DEPOSIT = 500_000_000n;
const PRICE = 150_000_000n;
const ONE_SOL = 1_000_000_000n;

export async function land(
  { chain }: VenueFixture,
  payer: Keypair,
  instructions: readonly Instruction[],
): Promise<TransactionOutcome> {
  const wire = compileTransaction({
    feePayer: payer.address,
    lifetime: await chain.latestBlockhash(),
    instructions,
  });
  expect(wire.length).toBeLessThanOrEqual(TRANSACTION_SIZE_LIMIT);
  const outcome = await chain.transaction(await chain.send(signTransaction(wire, payer)));
  if (outcome === null) throw new Error("The transaction was sent and is unknown");
  return outcome;
}

async function expectEffects(
  { chain }: VenueFixture,
  step: PlanStep,
  outcome: TransactionOutcome,
): Promise<void> {
  expect(outcome.error).toBeNull();
  for (const effect of step.expects) {
    if (effect.kind === "token_delta") {
      const change = outcome.tokenDeltas.find(({ account }) => account === effect.account);
      expect(change).toMatchObject({ mint: effect.mint, delta: effect.delta });
      continue;
    }
    const [account] = (await chain.accounts([effect.address])).accounts;
    if (effect.kind === "account_gone") expect(account ?? null).toBeNull();
    else if (effect.kind === "account_exists") expect(account?.owner).toBe(effect.programId);
    else if (effect.kind === "bytes_at") {
      const { offset, hex } = effect;
      const held = Buffer.from(account?.data ?? []).subarray(offset, offset + hex.length / 2);
      expect(held.toString("hex")).toBe(hex);
    } else expect(account?.lamports).toBeGreaterThanOrEqual(effect.lamports);
  }
}

/** Signs and lands one step of a plan as the owner would, and checks that it did what it says. */
export async function runStep(fixture: VenueFixture, step: PlanStep): Promise<void> {
  const { chain, account, owner } = fixture;
  const [multisig] = (await chain.accounts([account.multisig])).accounts;
  if (multisig == null) throw new Error("The fixture has no multisig");
  const inVault =
    step.asVault.length === 0
      ? []
      : vaultLife({
          multisig: account.multisig,
          transactionIndex: multisigCodec.decode(multisig.data).transactionIndex + 1n,
          member: owner.address,
          vault: account.vault,
          rentCollector: owner.address,
          instructions: step.asVault,
        });
  const outcome = await land(fixture, owner, [
    setComputeUnitLimit(step.computeUnitLimit),
    ...step.before,
    ...inVault,
    ...step.after,
  ]);
  await expectEffects(fixture, step, outcome);
}

async function setUp(fixture: VenueFixture): Promise<void> {
  for (const step of await fixture.venue.planSetUp(fixture.account, "Agent ** SOL-1h")) {
    await runStep(fixture, step);
  }
}

/** Sets the account up and deposits, 500 quote units unless told. */
export async function fundVenueAccount(fixture: VenueFixture, amount = DEPOSIT): Promise<void> {
  await setUp(fixture);
  await runStep(fixture, await fixture.venue.planDeposit(fixture.account, amount));
}

interface Trade {
  readonly side: Side;
  readonly baseSize?: bigint;
  readonly reduceOnly?: boolean;
  readonly referencePrice?: bigint;
}

function intent({ market }: VenueFixture, trade: Trade): Approved<OrderIntent> {
  const { side, reduceOnly = false } = trade;
  const signal = reduceOnly
    ? side === "short"
      ? "CLOSE_LONG"
      : "CLOSE_SHORT"
    : side === "long"
      ? "OPEN_LONG"
      : "OPEN_SHORT";
  return {
    orderId: "order",
    agentId: "agent",
    signal,
    market,
    side,
    reduceOnly,
    baseSize: trade.baseSize ?? ONE_SOL,
    referencePrice: trade.referencePrice ?? PRICE,
    slippageBps: 100,
    percentage: 100,
  } as unknown as Approved<OrderIntent>;
}

async function trade(fixture: VenueFixture, order: Trade): Promise<OrderReport> {
  const { venue, account, tradingKey } = fixture;
  const { instructions } = await venue.buildOrder(account, intent(fixture, order));
  const report = venue.reportOrder(account, await land(fixture, tradingKey, instructions));
  if (report.kind !== "resting") return report;
  await fixture.passAuction?.();
  const progress = await venue.followOrder?.(account, report.order);
  if (progress?.kind !== "fillable") return report;
  const filling = await land(fixture, tradingKey, progress.transaction.instructions);
  return {
    kind: "filled",
    fills: venue.fillsOfResting?.(account, report.order, filling) ?? [],
  };
}

/** Signs a step as soon as it can have its effect. */
async function runWhenReady(fixture: VenueFixture, step: PlanStep): Promise<void> {
  if (step.waitsFor === undefined) await runStep(fixture, step);
  else await fixture.passAuction?.();
}

async function ownerTokens({ chain, venue, account }: VenueFixture): Promise<bigint> {
  const address = associatedTokenAddress(account.owner, venue.instance.quote.mint);
  const [tokens] = (await chain.accounts([address])).accounts;
  return tokens == null ? 0n : tokenAccountCodec.decode(tokens.data).amount;
}

function filled(report: OrderReport) {
  if (report.kind !== "filled") throw new Error(`Expected a fill: ${JSON.stringify(report)}`);
  const [fill] = report.fills;
  if (fill === undefined) throw new Error("A filled report names no fill");
  return fill;
}

/** A venue may refuse before anything is signed or let the chain refuse; it may not do what it refuses. */
function expectRefusal(refusal: unknown): void {
  const isRefusal =
    refusal instanceof TransactionRefusedError || refusal instanceof OrderRefusedError;
  expect(isRefusal, String(refusal)).toBe(true);
}

/** What every venue with positions must do, whatever it runs on; spot venues hold no shorts and no margin. */
export function describeVenueConformance(
  name: string,
  makeFixture: () => Promise<VenueFixture>,
  kind: MarketKind = "perpetual",
): void {
  const isSpot = kind === "spot";
  describe(`${name} as a venue`, () => {
    it("is empty, and has nothing to take down, before the set-up", async () => {
      const { venue, account } = await makeFixture();
      expect(await venue.accountState(account)).toMatchObject({
        subAccountExists: false,
        positions: [],
        openOrderCount: 0,
        freeCollateral: 0n,
        portfolioValue: 0n,
        withdrawable: 0n,
        netDeposits: 0n,
      });
      expect((await venue.accountState(account)).withdrawable).toBe(0n);
      expect(await venue.planTearDown(account)).toEqual([]);
      expect((await venue.planClose(account)).asVault).toEqual([]);
    });

    it("sets an account up once, at the cost its instance names", async () => {
      const fixture = await makeFixture();
      const { chain, venue, account } = fixture;
      const lamports = async () =>
        (await chain.accounts([account.vault])).accounts[0]?.lamports ?? 0n;
      const before = await lamports();
      await setUp(fixture);
      expect(before - (await lamports())).toBe(await rentOf(chain, venue.instance.setUpSizes));
      expect((await venue.accountState(account)).subAccountExists).toBe(true);
      expect(await venue.planSetUp(account, "Agent ** SOL-1h")).toEqual([]);
    });

    it("turns a deposit into collateral to the last unit", async () => {
      const fixture = await makeFixture();
      const held = await ownerTokens(fixture);
      await fundVenueAccount(fixture);
      expect(await ownerTokens(fixture)).toBe(held - DEPOSIT);
      expect(await fixture.venue.accountState(fixture.account)).toMatchObject({
        freeCollateral: DEPOSIT,
        portfolioValue: DEPOSIT,
        withdrawable: DEPOSIT,
        netDeposits: DEPOSIT,
        health: 100,
      });
    });

    it("returns a price with its age and confidence", async () => {
      const fixture = await makeFixture();
      await fixture.setPrice(151_250_000n);
      const price = await fixture.venue.price(fixture.market.marketId);
      expect(price.price).toBe(151_250_000n);
      expect(price.publishedAtMs).toBeGreaterThan(0);
      expect(price.confidence).toBeGreaterThanOrEqual(0n);
    });

    it.runIf(isSpot)("buys and sells within slippage", async () => {
      const fixture = await makeFixture();
      const { venue, account, market } = fixture;
      await fixture.setPrice(PRICE);
      await fundVenueAccount(fixture);
      const bought = filled(await trade(fixture, { side: "long" }));
      expect(bought.quoteSize).toBe(PRICE);
      expect(bought.baseSize).toBeGreaterThanOrEqual((ONE_SOL * 99n) / 100n);
      expect(bought.baseSize).toBeLessThanOrEqual((ONE_SOL * 101n) / 100n);
      expect(bought.price).toBeLessThanOrEqual((PRICE * 101n) / 100n);

      const value = (bought.baseSize * PRICE) / ONE_SOL;
      const open = await venue.accountState(account);
      expect(open.positions).toMatchObject([
        {
          marketId: market.marketId,
          side: "long",
          baseSize: bought.baseSize,
          positionValue: value,
        },
      ]);
      expect(open.withdrawable).toBe(DEPOSIT - PRICE);
      expect(open.freeCollateral).toBeLessThanOrEqual(DEPOSIT - PRICE);
      expect(open.portfolioValue).toBe(DEPOSIT - PRICE + value);

      await fixture.setPrice(160_000_000n);
      const moved = await venue.accountState(account);
      expect(moved.portfolioValue).toBe(
        DEPOSIT - PRICE + (bought.baseSize * 160_000_000n) / ONE_SOL,
      );

      await fixture.setPrice(PRICE);
      const sold = filled(
        await trade(fixture, { side: "short", reduceOnly: true, baseSize: bought.baseSize }),
      );
      expect(sold.baseSize).toBe(bought.baseSize);
      const closed = await venue.accountState(account);
      expect(closed.positions).toEqual([]);
      expect(closed.portfolioValue).toBe(DEPOSIT - PRICE + sold.quoteSize);
    });

    it.runIf(isSpot)("refuses to sell what it does not hold", async () => {
      const fixture = await makeFixture();
      await fixture.setPrice(PRICE);
      await fundVenueAccount(fixture);
      await expect(trade(fixture, { side: "short" })).rejects.toThrow(OrderRefusedError);
      await expect(trade(fixture, { side: "short", reduceOnly: true })).rejects.toThrow(
        OrderRefusedError,
      );
    });

    const perpetualSides = isSpot ? [] : (["long", "short"] as const);
    it.each(perpetualSides)("opens and closes a %s within slippage", async (side) => {
      const fixture = await makeFixture();
      const { venue, account, market } = fixture;
      await fixture.setPrice(PRICE);
      await fundVenueAccount(fixture);
      const fill = filled(await trade(fixture, { side }));
      expect(fill.baseSize).toBe(ONE_SOL);
      expect(fill.price).toBeGreaterThanOrEqual((PRICE * 99n) / 100n);
      expect(fill.price).toBeLessThanOrEqual((PRICE * 101n) / 100n);
      expect(fill.quoteSize).toBe(fill.price);

      const open = await venue.accountState(account);
      expect(open.positions).toHaveLength(1);
      expect(open.positions[0]).toMatchObject({
        marketId: market.marketId,
        side,
        baseSize: ONE_SOL,
        entryPrice: fill.price,
        positionValue: PRICE,
      });
      expect(open.openOrderCount).toBe(0);
      expect(open.freeCollateral).toBeLessThan(DEPOSIT);
      const spread = side === "long" ? PRICE - fill.price : fill.price - PRICE;
      expect(open.positions[0]?.unrealizedPnl).toBe(spread - fill.fee);
      expect(open.portfolioValue).toBe(DEPOSIT + spread - fill.fee);

      await fixture.setPrice(side === "long" ? 160_000_000n : 140_000_000n);
      const moved = await venue.accountState(account);
      expect(moved.positions[0]?.unrealizedPnl).toBe(spread - fill.fee + 10_000_000n);

      await fixture.setPrice(PRICE);
      const opposite = side === "long" ? "short" : "long";
      const closing = filled(await trade(fixture, { side: opposite, reduceOnly: true }));
      const closed = await venue.accountState(account);
      expect(closed.positions).toEqual([]);
      const result =
        side === "long" ? closing.quoteSize - fill.quoteSize : fill.quoteSize - closing.quoteSize;
      expect(closed.portfolioValue).toBe(DEPOSIT + result - fill.fee - closing.fee);
    });

    it("does not increase a position with a reduce-only order", async () => {
      const fixture = await makeFixture();
      await fixture.setPrice(PRICE);
      await fundVenueAccount(fixture);
      await trade(fixture, { side: "long", reduceOnly: true }).catch(expectRefusal);
      expect((await fixture.venue.accountState(fixture.account)).positions).toEqual([]);
    });

    it("does not trade at a price worse than the order accepts", async () => {
      const fixture = await makeFixture();
      await fixture.setPrice(PRICE);
      await fundVenueAccount(fixture);
      const stale = { side: "long", referencePrice: 120_000_000n } as const;
      const report = await trade(fixture, stale).catch((refusal: unknown) => {
        expectRefusal(refusal);
        return { kind: "not_filled" } as const;
      });
      expect(report.kind).not.toBe("filled");
      const state = await fixture.venue.accountState(fixture.account);
      expect(state).toMatchObject({
        positions: [],
        portfolioValue: DEPOSIT,
        openOrderCount: report.kind === "resting" ? 1 : 0,
      });
    });

    it("does not open more than the collateral covers", async () => {
      const fixture = await makeFixture();
      await fixture.setPrice(PRICE);
      await fundVenueAccount(fixture);
      await trade(fixture, { side: "long", baseSize: 1_000n * ONE_SOL }).catch(expectRefusal);
      expect((await fixture.venue.accountState(fixture.account)).portfolioValue).toBe(DEPOSIT);
    });

    it("pauses: says so, refuses deposits and orders, and recovers", async () => {
      const fixture = await makeFixture();
      const { venue, account } = fixture;
      await fixture.setPrice(PRICE);
      await fundVenueAccount(fixture);
      expect(await venue.health()).toMatchObject({ status: "available" });
      await fixture.setPaused(true);
      const health = await venue.health();
      expect(health.status).toBe("paused");
      expect(health.reason).toBeTruthy();
      // What stays in the vault's own account no venue can refuse; the server asks for the health first
      const deposit = await venue.planDeposit(account, 1_000_000n);
      if (!isSpot) await expect(runStep(fixture, deposit)).rejects.toThrow();
      await expect(trade(fixture, { side: "long" })).rejects.toThrow();
      await fixture.setPaused(false);
      expect(await venue.health()).toMatchObject({ status: "available" });
      filled(await trade(fixture, { side: "long" }));
    });

    it("pays out exactly the withdrawn amount, and at most the withdrawable one", async () => {
      const fixture = await makeFixture();
      const { venue, account } = fixture;
      await fundVenueAccount(fixture);
      const held = await ownerTokens(fixture);
      await runStep(fixture, await venue.planWithdraw(account, 123_456_789n));
      expect(await ownerTokens(fixture)).toBe(held + 123_456_789n);
      // An exchange's balance that is not emptied rounds against its owner by one unit
      const left = DEPOSIT - 123_456_789n - (isSpot ? 0n : 1n);
      expect((await venue.accountState(account)).withdrawable).toBe(left);
      await expect(
        venue.planWithdraw(account, DEPOSIT).then((step) => runStep(fixture, step)),
      ).rejects.toThrow();
      expect((await venue.accountState(account)).withdrawable).toBe(left);
    });

    it("lets the owner close without the delegate", async () => {
      const fixture = await makeFixture();
      const { venue, account } = fixture;
      await fixture.setPrice(PRICE);
      await fundVenueAccount(fixture);
      filled(await trade(fixture, { side: isSpot ? "long" : "short" }));
      for (let rounds = 0; rounds < 3; rounds += 1) {
        const step = await venue.planClose(account);
        if (step.asVault.length > 0) await runWhenReady(fixture, step);
      }
      expect((await venue.accountState(account)).positions).toEqual([]);
    });

    it("lets the delegate settle, and refuses to settle twice", async () => {
      const fixture = await makeFixture();
      const { venue, account, market, tradingKey } = fixture;
      await fixture.setPrice(PRICE);
      await fundVenueAccount(fixture);
      expect(await venue.buildSettle(account, market.marketId)).toEqual([]);
      filled(await trade(fixture, { side: "long" }));
      filled(await trade(fixture, { side: "short", reduceOnly: true }));
      const worth = (await venue.accountState(account)).portfolioValue;
      const settling = await venue.buildSettle(account, market.marketId);
      if (settling.length > 0) {
        expect((await land(fixture, tradingKey, settling)).error).toBeNull();
      }
      expect((await venue.accountState(account)).withdrawable).toBe(worth);
      expect(await venue.buildSettle(account, market.marketId)).toEqual([]);
    });

    it("is taken down step by step from an open position", async () => {
      const fixture = await makeFixture();
      const { venue, account } = fixture;
      const held = await ownerTokens(fixture);
      await fixture.setPrice(PRICE);
      await fundVenueAccount(fixture);
      filled(await trade(fixture, { side: "long" }));
      for (let round = 0; round < 8; round += 1) {
        const steps = await venue.planTearDown(account);
        if (steps.length === 0) break;
        for (const step of steps) await runWhenReady(fixture, step);
      }
      expect(await venue.planTearDown(account)).toEqual([]);
      expect((await venue.accountState(account)).subAccountExists).toBe(false);
      const assets = (await fixture.ownerAssets?.()) ?? 0n;
      const lost = held - (await ownerTokens(fixture)) - assets;
      expect(lost).toBeGreaterThan(0n);
      expect(lost).toBeLessThan(DEPOSIT / 100n);
    });

    it("reads many accounts like one", async () => {
      const fixture = await makeFixture();
      const { venue, account } = fixture;
      await fundVenueAccount(fixture);
      const elsewhere = { multisig: account.owner, vault: account.owner };
      const stranger = { ...account, ...elsewhere, subAccountId: 7 };
      const [own, other] = await venue.accountStates([account, stranger]);
      expect(own).toEqual(await venue.accountState(account));
      expect(other?.subAccountExists).toBe(false);
    });
  });
}
