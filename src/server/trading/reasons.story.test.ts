import { sql } from "kysely";
import { afterEach, describe, expect, it } from "vitest";
import { putPracticeAccount } from "../../../test/chain-bench.ts";
import { cutLogs } from "../../../test/cut-logs.ts";
import { agentIdOf, orderIdOf } from "../../../test/ids.ts";
import { openLong } from "../../../test/open-long.ts";
import { createTradingWorld, type TradingWorld } from "../../../test/trading-world.ts";
import { openJupiterFixture } from "../../../test/jupiter-fixture.ts";
import { fundVenueAccount } from "../../../test/venue-conformance.ts";
import { isAlertNameUsable } from "../../domain/name-key.ts";
import type { EventId } from "../../domain/ids.ts";
import type { Approved, OrderIntent } from "../../domain/order/order.ts";
import { deriveIntent, type IntentInput } from "../../domain/order/order-intent.ts";
import { findMarket } from "../../venues/profiles.ts";
import { EMPTY_OWNER_HISTORY } from "../../domain/owner-history.ts";
import type { AccountState, Position } from "../../domain/position.ts";
import type { Signal } from "../../domain/signal.ts";
import { type ReasonCode, reasonWords } from "../../domain/reasons.ts";
import { approve, MAX_FEES_PER_DAY_OF_OWNER, type RiskContext } from "../../domain/order/risk.ts";
import { EMPTY_RISK_LEDGER, utcDay } from "../../domain/risk-ledger.ts";
import { buildOrderFrom } from "../../venues/drift/build-order.ts";
import { OrderRefusedError } from "../../venues/placed-order.ts";
import { readFiredAt } from "../alert-sources/tradingview.ts";
import { eventIdOf } from "./intake/delivery.ts";
import { judgeDelivery } from "./intake/evaluate-batch.ts";
import { decideOrder } from "./orders/decide-order.ts";
import { startTrace } from "./orders/decision-trace.ts";
import { outcomeOf } from "./orders/outcome.ts";
import { insertCustodyFlag } from "../store/custody/custody-notices.ts";
import { holdRestoredLanes } from "../store/lanes/restored-lanes.ts";
import { POWERS } from "../store/reconcile/foreign-powers.ts";
import { toJson } from "../store/postgres/on.ts";
import { endExitsForOwner } from "./intake.ts";
import { runLane } from "./lanes/lane.ts";
import { BLOCKHASH_LIFETIME_SLOTS, FINALITY_SLOTS, SLOT_MS } from "../../practice/slots.ts";
import { NO_OWNER_LIMITS } from "../../../test/owner-limits.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
const marketOf = (...market: Parameters<typeof findMarket>) => {
  const found = findMarket(...market);
  if (found === undefined) throw new Error(`${market.join(" ")} is no market`);
  return found;
};
const SOL = marketOf("drift", "SOL-PERP");
const SPOT_SOL = marketOf("jupiter", "SOL");

const ACCOUNT: AccountState = {
  slot: 1n,
  subAccountExists: true,
  positions: [],
  openOrderCount: 0,
  freeCollateral: 500_000_000n,
  portfolioValue: 500_000_000n,
  withdrawable: 500_000_000n,
  netDeposits: 500_000_000n,
  health: 100,
};

const held = (side: Position["side"]): AccountState => ({
  ...ACCOUNT,
  positions: [
    {
      marketId: SOL.marketId,
      side,
      baseSize: 2_000_000_000n,
      entryPrice: 150_000_000n,
      unrealizedPnl: 0n,
      positionValue: 300_000_000n,
    },
  ],
});

/** Returns the order intent of a signal in an account, or the reason there is none. */
function derived(signal: IntentInput["signal"], parts: Partial<IntentInput> = {}): string {
  const intent = deriveIntent({
    orderId: orderIdOf("0"),
    agentId: agentIdOf("a"),
    signal,
    leg: 0,
    market: SOL,
    account: ACCOUNT,
    price: 150_000_000n,
    quoteDecimals: 6,
    slippageBps: 50,
    positionSizePercent: 100,
    leverage: 1,
    ...parts,
  });
  return intent.kind === "denied" ? intent.reason : "derived";
}

const entry = (parts: Partial<OrderIntent> = {}): OrderIntent => ({
  orderId: orderIdOf("0"),
  agentId: agentIdOf("a"),
  signal: "OPEN_LONG",
  market: SOL,
  side: "long",
  reduceOnly: false,
  baseSize: 1_000_000_000n,
  referencePrice: 150_000_000n,
  slippageBps: 50,
  percentage: 100,
  ...parts,
});

/** Returns the risk checks' result for an entry of one SOL. */
function checked(parts: Partial<RiskContext>): string {
  const approval = approve(entry(), {
    nowMs: NOW,
    price: { price: 150_000_000n, confidence: 0n, publishedAtMs: NOW },
    account: ACCOUNT,
    quoteDecimals: 6,
    isVenueAvailable: true,
    leverage: 1,
    tradingState: "active",
    ledger: { ...EMPTY_RISK_LEDGER, day: "2026-11-21", portfolioAtDayStart: 500_000_000n },
    ordersLastMinute: 0,
    ordersLastHour: 0,
    entriesLastMinuteOfOwner: 0,
    feesTodayOfOwner: 0n,
    feesTodayOfAll: 0n,
    ownersToday: 0,
    limits: NO_OWNER_LIMITS,
    walletMoney: null,
    ...parts,
  });
  return approval.kind === "denied" ? approval.reason : "approved";
}

type DecideInput = Parameters<typeof decideOrder>;

/** Returns the decision about an entry before its venue is asked. */
async function decided(agent: {
  readonly autoTrade?: "on" | "off";
  readonly ageSeconds?: number;
  readonly runtime?: object | null;
  readonly account?: object | null;
  readonly marketId?: string;
  readonly custody?: string | null;
}): Promise<string> {
  const { autoTrade = "on", ageSeconds = 0, marketId = "SOL-PERP", custody = null } = agent;
  const { runtime = { venue: { id: "drift" } }, account = {} } = agent;
  const deps = {
    clock: { now: () => NOW },
    tradingState: () => "active",
    custodyCheck: async () => custody,
  };
  const order = { signal: "OPEN_LONG", leg: 0, marketId, plannedAtMs: NOW - ageSeconds * 1_000 };
  const record = { autoTrade, marketId, maxSignalAgeSeconds: 300 };
  const trading = { record, runtime, account };
  const context = { deps, order, agent: trading, ledger: EMPTY_RISK_LEDGER, exit: null };
  const decision = await decideOrder(context as unknown as DecideInput[0], startTrace());
  return decision.kind === "denied" ? decision.reason : "decided";
}

/** Returns the swap venue's answer to an order after this preparation. */
async function builtOnJupiter(
  changes: Partial<OrderIntent>,
  options: NonNullable<Parameters<typeof openJupiterFixture>[0]> = {},
): Promise<string> {
  const fixture = await openJupiterFixture(options);
  await fundVenueAccount(fixture);
  const order = entry({ market: SPOT_SOL, ...changes }) as Approved<OrderIntent>;
  return refusalOf(fixture.venue.buildOrder(fixture.account, order));
}

async function refusalOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof OrderRefusedError) return error.reason;
    throw error;
  }
  return "built";
}

/** Returns the outcome of a condition that was evaluated too late. */
function judgedLate(isUnlisted = false): string | null {
  const agent = { maxSignalAgeSeconds: 300, autoTrade: "on", changedAtMs: 0 } as never;
  const content = {
    kind: "condition",
    alertId: "1",
    firedAtMs: NOW - 301_000,
    dedupKey: "d",
    agentChangedAtMs: 0,
    fired: { price: 150, compared: [] },
    ...(isUnlisted && { isUnlisted }),
  } as const;
  const { event } = judgeDelivery(
    { agentId: agentIdOf("a"), tokenVersion: null, alertName: "long", receivedAtMs: NOW, content },
    { agent, alertIds: new Map([["long", "1"]]), events: new Map(), rules: [] },
    () => "e".repeat(32),
  );
  return event?.reason ?? null;
}

/** Returns the outcome of an alert on arrival. */
function judged(alert: {
  readonly name?: string;
  readonly ageSeconds?: number;
  readonly autoTrade?: "on" | "off";
  readonly differsFromEarlier?: boolean;
  /** The rule that names it. */
  readonly action?: Signal;
}): string | null {
  const { name = "long", ageSeconds = 0, autoTrade = "on", differsFromEarlier = false } = alert;
  const { action = "OPEN_LONG" } = alert;
  const conditions = [{ alertKey: "1", requiredCount: 1, count: 0 }];
  const agent = { id: "a", tokenVersion: 1, maxSignalAgeSeconds: 300, autoTrade };
  const earlier = {
    id: eventIdOf(agentIdOf("a"), "d"),
    agentId: agentIdOf("a"),
    bodyHash: "other",
  };
  const { event } = judgeDelivery(
    {
      agentId: agentIdOf("a"),
      tokenVersion: 1,
      alertName: name,
      receivedAtMs: NOW,
      content: {
        kind: "alert",
        alertNameKey: name,
        firedAtMs: NOW - ageSeconds * 1_000,
        dedupKey: "d",
        bodyHash: "h",
      },
    },
    {
      agent: agent as unknown as NonNullable<Parameters<typeof judgeDelivery>[1]>["agent"],
      alertIds: new Map([["long", "1"]]),
      events: new Map(differsFromEarlier ? [[earlier.id, earlier]] : []),
      rules: [{ ruleId: "r", action, conditions }],
    },
    () => "e".repeat(32),
  );
  return event?.reason ?? null;
}

let world: TradingWorld | null = null;

/** The last order's reason after a story on a fresh practice chain. */
async function told(
  tell: (world: TradingWorld) => Promise<unknown>,
  venue: "drift" | "jupiter" = "drift",
  auctions: Parameters<typeof createTradingWorld>[1] = {},
): Promise<string | null> {
  world = await createTradingWorld(venue, auctions);
  await tell(world);
  return (await world.orders()).at(-1)?.reason ?? null;
}

async function fireAndRun(story: TradingWorld, ...alerts: Parameters<TradingWorld["fire"]>[0][]) {
  for (const alert of alerts) await story.fire(alert);
  await story.run();
}

const emptyFeePayer = async ({ ledger, keys }: TradingWorld) => {
  const { address } = keys.feePayer;
  const account = (await ledger.view()).account(address);
  if (account === undefined) throw new Error("The fee payer has no account");
  await putPracticeAccount(ledger, address, { ...account, lamports: 0n });
};

/** Orders rest, and the situation itself passes the time of their auctions. */
const RESTING = { auctionSlots: 10, passesAuctions: false } as const;

const day = (ledger: Partial<RiskContext["ledger"]>) => ({
  ledger: { ...EMPTY_RISK_LEDGER, day: "2026-11-21", portfolioAtDayStart: 500_000_000n, ...ledger },
});

const past = (own: Partial<RiskContext["ledger"]["own"]>) =>
  day({ own: { ...EMPTY_OWNER_HISTORY, ...own } });

const owner = (limits: Partial<RiskContext["limits"]>) => ({ ...NO_OWNER_LIMITS, ...limits });

/** The story's networks with an exchange that fills half of every order. */
function halvingFills({ deps }: TradingWorld): TradingWorld["deps"]["networks"] {
  const runtime = deps.networks.get("practice");
  const venue = runtime?.venues.get("drift");
  if (runtime === undefined || venue === undefined) throw new Error("No exchange");
  const halving: typeof venue = {
    ...venue,
    reportOrder(account, outcome) {
      const report = venue.reportOrder(account, outcome);
      if (report.kind !== "filled") return report;
      const fills = report.fills.map((fill) => ({ ...fill, baseSize: fill.baseSize / 2n }));
      return { kind: "filled", fills };
    },
  };
  return new Map([["practice", { ...runtime, venues: new Map([[venue.id, halving]]) }]]);
}

interface Situation {
  /** Brings the situation about and returns the reason recorded for it. */
  readonly produce: () => Promise<string | null> | string | null;
  /** Words that must explain it. */
  readonly says: RegExp;
}

const SITUATIONS: Readonly<Record<ReasonCode, Situation>> = {
  already_long: {
    produce: () => derived("OPEN_LONG", { account: held("long") }),
    says: /long position is already open/,
  },
  already_short: {
    produce: () => derived("OPEN_SHORT", { account: held("short") }),
    says: /short position is already open/,
  },
  position_full: {
    produce: () => derived("OPEN_LONG", { account: held("long"), add: 0n }),
    says: /as large as the agent's plan allows.*raise the largest position/,
  },
  adds_done: {
    produce: () => derived("OPEN_LONG", { account: held("long"), add: "done" }),
    says: /added as often as its plan allows.*more often in the plan/,
  },
  nothing_to_close: { produce: () => derived("CLOSE_LONG"), says: /no such position/ },
  both_sides: {
    produce: () => told((story) => fireAndRun(story, "both")),
    says: /opened the other side.*rules/,
  },
  size_too_small: {
    produce: () => derived("OPEN_LONG", { account: { ...ACCOUNT, freeCollateral: 0n } }),
    says: /no free money.*Deposit/,
  },
  below_minimum: {
    produce: () =>
      told(async (story) => {
        await story.turn("off");
        await story.approve(await story.prepare("withdraw", "499"));
        await story.turn("on");
        await fireAndRun(story, "long");
      }),
    says: /smaller than the smallest.*raise the position size/,
  },
  limit_missing: {
    produce: () =>
      derived("OPEN_LONG", {
        account: {
          ...ACCOUNT,
          freeCollateral: 0n,
          bound: { by: "limit_missing", funds: 500_000_000n, isDrawn: false },
        },
      }),
    says: /no daily limit for this asset.*Update the limits under Manage Funds/,
  },
  leverage_missing: {
    produce: () => derived("OPEN_LONG", { leverage: 3, account: { ...ACCOUNT, leverage: 2 } }),
    says: /not set to take orders of the agent's leverage.*Allow the leverage under Manage Funds/,
  },
  limit_used: {
    produce: () =>
      derived("OPEN_LONG", {
        account: {
          ...ACCOUNT,
          freeCollateral: 0n,
          bound: { by: "limit_used", funds: 500_000_000n, isDrawn: true },
        },
      }),
    says: /Today's limit of the trading key is used up/,
  },
  spending_limit: {
    produce: async () => {
      const fixture = await openJupiterFixture({ quoteUnits: 5_000_000_000n });
      await fundVenueAccount(fixture, 3_000_000_000n);
      const order = entry({ market: SPOT_SOL, baseSize: 10_000_000_000n }) as Approved<OrderIntent>;
      return refusalOf(fixture.venue.buildOrder(fixture.account, order));
    },
    says: /larger than what is left of the trading key's limit/,
  },
  order_alive: {
    produce: () => {
      type BuildInput = Parameters<typeof buildOrderFrom>;
      const order = entry() as Approved<OrderIntent>;
      const user = { openOrders: 1, orders: [], perpPositions: [] };
      const exchange = { user } as unknown as BuildInput[3];
      const build = async () =>
        buildOrderFrom({} as BuildInput[0], {} as BuildInput[1], order, exchange, NOW);
      return refusalOf(build());
    },
    says: /still alive at the venue/,
  },
  notional_exceeds_collateral: {
    produce: () => checked({ account: { ...ACCOUNT, freeCollateral: 149_000_000n } }),
    says: /larger than the account's free money/,
  },
  stale_price: {
    produce: () => checked({ price: null }),
    says: /too old, missing or too uncertain/,
  },
  price_unconfirmed: {
    produce: () =>
      checked({
        price: { price: 150_000_000n, confidence: 0n, publishedAtMs: NOW, isConfirmed: false },
      }),
    says: /one price source alone.*closings go on/i,
  },
  price_deviation: {
    produce: () => builtOnJupiter({ referencePrice: 140_000_000n }),
    says: /further from the market price.*slippage/,
  },
  too_many_orders: {
    produce: () => checked({ ordersLastMinute: 6 }),
    says: /6 a minute, 60 an hour/,
  },
  too_many_orders_of_owner: {
    produce: () => checked({ entriesLastMinuteOfOwner: 60 }),
    says: /60 entries a minute/,
  },
  fee_budget_used: {
    produce: () =>
      told(async (story) => {
        await story.database.db
          .insertInto("owner_fees")
          .values({
            owner: story.owner.address,
            network: "practice",
            day: utcDay(story.clock.now()),
            lamports: MAX_FEES_PER_DAY_OF_OWNER.toString(),
          })
          .execute();
        await fireAndRun(story, "long");
      }),
    says: /0.1 SOL.*fees.*00:00 UTC.*Closing goes on/,
  },
  venue_unavailable: {
    produce: () => checked({ isVenueAvailable: false }),
    says: /takes no new entries.*Closing and withdrawing stay possible/,
  },
  reducing_only: {
    produce: () => checked({ tradingState: "reducing" }),
    says: /operator.*operator lifts it/,
  },
  loss_limit: {
    produce: () => checked(day({ lossSinceMs: NOW })),
    says: /10%.*00:00 UTC.*off and on does not change it/,
  },
  own_loss_limit: {
    produce: () => checked({ ...day({ lossSinceMs: NOW }), limits: owner({ dayLossBps: 200 }) }),
    says: /as much of its account today as you allow.*00:00 UTC/,
  },
  own_fall_limit: {
    produce: () =>
      checked({
        ...past({ peak: 500_000_001n, fallSinceMs: NOW }),
        limits: owner({ fallBps: 500 }),
      }),
    says: /fell as far from its peak.*when you resume it/,
  },
  own_losses_limit: {
    produce: () => checked({ ...past({ lossesInRow: 3 }), limits: owner({ lossesInRow: 3 }) }),
    says: /as many trades in a row.*when you resume it/,
  },
  own_trades_limit: {
    produce: () => checked({ ...past({ entriesToday: 4 }), limits: owner({ tradesPerDay: 4 }) }),
    says: /as many trades today.*00:00 UTC/,
  },
  own_asset_limit: {
    produce: () =>
      checked({
        limits: owner({ assetShareBps: 5_000 }),
        walletMoney: { total: 1_000_000_000n, inAsset: 490_000_000n },
      }),
    says: /into one asset than you allow.*larger share/,
  },
  failures: {
    produce: () => checked(day({ consecutiveFailures: 5, failingSinceMs: NOW })),
    says: /Five orders in a row failed.*next order that fills, or when you turn auto-trade off and on/,
  },
  trading_halted: {
    produce: () => checked({ tradingState: "halted" }),
    says: /operator has halted.*operator lifts it/,
  },
  stopping: { produce: () => decided({ autoTrade: "off" }), says: /turned off before/ },
  signal_expired: {
    produce: () => decided({ ageSeconds: 301 }),
    says: /could not be sent in time/,
  },
  first_leg_failed: {
    produce: () => derived("OPEN_LONG", { leg: 1, account: held("short") }),
    says: /could not be closed first.*still open/,
  },
  joined_exit: {
    produce: () =>
      told(async (story) => {
        await fireAndRun(story, "long");
        story.faulty.setDown(true);
        await fireAndRun(story, "close long", "close long");
      }),
    says: /being closed already/,
  },
  exit_ended: {
    produce: () =>
      told(async (story) => {
        await fireAndRun(story, "long");
        story.limitTo("halted");
        await story.turn("off");
        await story.run();
        await endExitsForOwner(story.webDeps, story.agentId, { wallet: story.owner.address });
      }),
    says: /owner ended the closing.*open still/,
  },
  restored: {
    produce: () =>
      told(async (story) => {
        await fireAndRun(story, "long");
        story.limitTo("halted");
        await fireAndRun(story, "close long");
        const { db } = story.deps;
        const all = story.database.db;
        // As a backup of before the entry: nothing but the chain knows of it
        await all.deleteFrom("orders").where("state", "=", "filled").execute();
        await all.updateTable("lanes").set({ landed_slot: "0" }).execute();
        await holdRestoredLanes(db, story.clock.now() + 1);
        await story.run();
        story.clock.advance(Number(BLOCKHASH_LIFETIME_SLOTS + FINALITY_SLOTS + 1n) * SLOT_MS);
        await story.run();
      }),
    says: /restored from a backup.*Look at the position/,
  },
  node_unavailable: {
    produce: async () => {
      const reason = await told(async (story) => {
        await fireAndRun(story, "long");
        story.faulty.setDown(true);
        await fireAndRun(story, "close long");
      });
      expect(reason).toBeNull();
      const [exit] = (await world?.database.db.selectFrom("exits").selectAll().execute()) ?? [];
      return exit?.last_reason ?? null;
    },
    says: /nodes give no usable answer.*tried again/,
  },
  sub_account_missing: {
    produce: () => decided({ account: null }),
    says: /no trading account yet.*first deposit/,
  },
  market_unknown: {
    produce: () => decided({ marketId: "TULIPS" }),
    says: /does not trade.*another asset/,
  },
  network_disabled: { produce: () => decided({ runtime: null }), says: /network is not enabled/ },
  signing_refused: {
    produce: () =>
      told(async (story) => {
        const { address } = story.owner;
        await story.database.db.updateTable("multisigs").set({ delegate: address }).execute();
        await fireAndRun(story, "long");
      }),
    says: /trading key refused/,
  },
  signing_limit: {
    produce: () =>
      told(async (story) => {
        const at = new Date(story.clock.now());
        await sql`
          insert into signer.signatures (seq, id, agent_id, kind, market, signed_at, last_valid_block_height,
            lamports, base, notional, cost, account, outcome)
          select n, n::text, ${story.agentId}, 'entry', 'SOL-PERP', ${at}, 1, 0, 0, 0, 0, '{}', 'failed'
          from generate_series(1, 10) as n`.execute(story.database.db);
        await fireAndRun(story, "long");
      }),
    says: /signed as much for this agent as it may.*from when entries are signed again/,
  },
  market_moved: {
    produce: () =>
      told(async (story) => {
        story.beforeSigning(async () => story.setPrice(148_000_000n));
        await fireAndRun(story, "long");
      }),
    says: /price moved between deciding and signing.*next alert tries anew/,
  },
  spot_only: {
    produce: () => derived("OPEN_SHORT", { market: SPOT_SOL }),
    says: /spot only.*perpetuals/,
  },
  custody_changed: {
    produce: () => decided({ custody: "owner_changed" }),
    says: /custody on chain is not the one.*Manage Funds/,
  },
  unknown_power: {
    produce: () =>
      told(async (story) => {
        const { agentId, owner, clock, database } = story;
        await insertCustodyFlag(database.db, POWERS, {
          agentId,
          owner: owner.address,
          key: "a stranger",
          text: "A stranger may move it.",
          atMs: clock.now(),
        });
        await fireAndRun(story, "long");
      }),
    says: /Somebody else may move.*off and on accepts it/,
  },
  unconfirmed: {
    produce: () =>
      told(async (story) => {
        await openLong(story);
        const runtime = story.deps.networks.get("practice");
        if (runtime === undefined) throw new Error("No practice network");
        const witnesses = { count: 1, askEach: async () => [] };
        const networks = new Map([["practice", { ...runtime, witnesses }] as const]);
        await story.fire("long");
        await runLane({ ...story.deps, networks }, story.agentId, "test");
      }),
    says: /do not explain.*no other node confirms it.*next alert/,
  },
  venue_refused: {
    produce: () =>
      builtOnJupiter(
        {},
        {
          wrapRouter: (router) => ({
            ...router,
            build: (request) => router.build({ ...request, amount: request.amount / 2n }),
          }),
        },
      ),
    says: /no way to fill that order now/,
  },
  trading_off: {
    produce: () => judged({ autoTrade: "off" }),
    says: /Auto-trade is off.*did not count/,
  },
  stale_signal: {
    produce: () => judged({ ageSeconds: 301 }),
    says: /too old or too far.*timenow.*clock/,
  },
  closings_only: {
    produce: () => judged({ ageSeconds: 301, action: "CLOSE_LONG" }),
    says: /closing rules only.*clocks/,
  },
  alert_unknown: { produce: () => judged({ name: "lnog" }), says: /no alert of that name/ },
  alert_name_invalid: {
    produce: () => (isAlertNameUsable("a\u0000b") ? null : "alert_name_invalid"),
    says: /name cannot be used/,
  },
  timestamp_placeholder: {
    produce: () => {
      const firedAt = readFiredAt("{{timenow}}");
      return firedAt.kind === "unreadable" ? firedAt.code : null;
    },
    says: /placeholder.*TradingView/,
  },
  timestamp_unreadable: {
    produce: () => {
      const firedAt = readFiredAt("2026.11.28 14:20:05");
      return firedAt.kind === "unreadable" ? firedAt.code : null;
    },
    says: /could not be read.*2026-11-28T14:20:05Z.*Unix time/,
  },
  dedup_mismatch: {
    produce: () => judged({ differsFromEarlier: true }),
    says: /different alert with the same name and time/,
  },
  bar_missed: { produce: () => judgedLate(), says: /closed too long ago.*next bar/ },
  bars_unlisted: { produce: () => judgedLate(true), says: /for a long time.*Nothing was traded/ },
  rate_limited: {
    produce: () => {
      const refused = { kind: "refusal", code: "rate_limited" } as const;
      const delivery = {
        agentId: agentIdOf("a"),
        tokenVersion: 1,
        alertName: "long",
        receivedAtMs: NOW,
      };
      const agent = { id: "a", tokenVersion: 1 } as never;
      const known = {
        agent,
        alertIds: new Map<string, string>(),
        events: new Map<EventId, never>(),
        rules: [],
      };
      return (
        judgeDelivery({ ...delivery, content: refused }, known, () => "e".repeat(32)).event
          ?.reason ?? null
      );
    },
    says: /Too many alerts in a minute.*once per bar/,
  },
  expired: {
    produce: () =>
      told(async (story) => {
        story.faulty.script(() => "drop");
        await fireAndRun(story, "long");
        story.clock.advance(200 * SLOT_MS);
        await story.run();
      }),
    says: /did not reach the chain in time.*Nothing was traded/,
  },
  not_filled: {
    produce: () => {
      const outcome = outcomeOf({ kind: "not_filled" }, { slot: 1n } as never);
      return "reason" in outcome ? outcome.reason : null;
    },
    says: /found nobody to trade with/,
  },
  partially_filled: {
    produce: () =>
      told(
        async (story) => {
          await fireAndRun(story, "long");
          await story.fire("close long");
          await runLane({ ...story.deps, networks: halvingFills(story) }, story.agentId, "test");
        },
        "drift",
        { auctionSlots: 0 },
      ),
    says: /Partly filled.*size is what was traded/,
  },
  limit_reduced: {
    produce: () =>
      told(async (story) => {
        // Twice 497 of the 1,000 a day
        for (const alert of ["long", "close long", "long", "close long", "long"] as const) {
          await fireAndRun(story, alert);
        }
      }, "jupiter"),
    says: /Smaller than your position size.*limit today/,
  },
  resting: {
    produce: () =>
      told(
        async (story) => {
          await fireAndRun(story, "long");
        },
        "drift",
        RESTING,
      ),
    says: /waiting to be filled/,
  },
  cancelled: {
    produce: () =>
      told(
        async (story) => {
          await fireAndRun(story, "long");
          story.faulty.script(() => "drop");
          story.clock.advance(60_000);
          await story.run();
          story.faulty.script(() => undefined);
          for (let step = 0; step < 12; step += 1) {
            story.clock.advance(10_000);
            await story.run();
          }
        },
        "drift",
        RESTING,
      ),
    says: /Nobody traded.*cancelled.*Nothing was traded/,
  },
  fills_unread: {
    produce: () =>
      told(
        async (story) => {
          await fireAndRun(story, "long");
          const networks = cutLogs(story.deps.networks, await story.landed());
          for (let second = 0; second < 10; second += 1) {
            story.clock.advance(1_000);
            await runLane({ ...story.deps, networks }, story.agentId, "test");
          }
        },
        "drift",
        RESTING,
      ),
    says: /what it traded.*not known.*open position/,
  },
  outcome_unknown: {
    produce: () =>
      told(async (story) => {
        story.faulty.script(() => "drop");
        await fireAndRun(story, "long");
        story.faulty.setDown(true);
        story.clock.advance(30_000);
        await story.run();
      }),
    says: /no answer yet.*never sent twice/,
  },
  fee_payer_empty: {
    produce: () =>
      told(async (story) => {
        await emptyFeePayer(story);
        await fireAndRun(story, "long");
      }),
    says: /pays the network fees.*empty.*operator to send it SOL/,
  },
  program_refused: {
    produce: async () => {
      const { venue, account } = await openJupiterFixture();
      const error = {
        kind: "instruction",
        name: "Custom",
        code: 9999,
        instructionIndex: 0,
      } as const;
      type Outcome = Parameters<typeof venue.reportOrder>[1];
      const report = venue.reportOrder(account, { error, logs: [] } as unknown as Outcome);
      return report.kind === "rejected" ? report.reason : null;
    },
    says: /code 9999.*too small or the price moved/,
  },
};

afterEach(async () => {
  await world?.database.drop();
  world = null;
});

describe("a reason", () => {
  it.each(Object.entries(SITUATIONS))(
    "%s is recorded in its situation",
    async (code, situation) => {
      const { produce, says } = situation;
      const reason = await produce();
      expect(reason?.split(" ", 1)[0]).toBe(code);
      const found = reasonWords(reason ?? "");
      expect(`${found?.what} ${found?.todo}`).toMatch(says);
    },
  );

  it("says truthfully whether turning auto-trade off and on helps", async () => {
    world = await createTradingWorld();
    const { db } = world.database;
    const day = new Date(world.clock.now()).toISOString().slice(0, 10);
    const offAndOn = async () => {
      await world?.turn("off");
      await world?.turn("on");
      await fireAndRun(world as TradingWorld, "long");
      return (await world?.story())?.at(-1);
    };
    const failing = { ...EMPTY_RISK_LEDGER, consecutiveFailures: 5, failingSinceMs: NOW };
    const losing = {
      ...EMPTY_RISK_LEDGER,
      day,
      lossSinceMs: NOW,
      realizedAtDayStart: 100_000_000n,
      portfolioAtDayStart: 500_000_000n,
    };
    await db
      .updateTable("lanes")
      .set({ risk: toJson(losing) })
      .execute();
    expect(await offAndOn()).toBe("OPEN_LONG denied loss_limit");
    await db
      .updateTable("lanes")
      .set({ risk: toJson(failing) })
      .execute();
    expect(await offAndOn()).toBe("OPEN_LONG filled");
  });
});
