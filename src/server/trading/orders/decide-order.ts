import type { OwnerLimits } from "../../../domain/owner-limits.ts";
import { type Denied, denied } from "../../../domain/reasons.ts";
import { isSignalFresh } from "../../../domain/freshness.ts";
import { MAX_EXIT_LIMIT_BPS } from "../../../domain/exit.ts";
import { isNear } from "../../../domain/limit-use.ts";
import type { Market } from "../../../domain/market.ts";
import { findMarket, assetOf } from "../../../venues/profiles.ts";
import type { Approved, OrderIntent } from "../../../domain/order/order.ts";
import { tradesUse, withEntry } from "../../../domain/owner-history.ts";
import { nextAdd } from "../../../domain/plan/demand.ts";
import type { PlanRow } from "../../store/orders/plan-positions.ts";
import { deriveIntent } from "../../../domain/order/order-intent.ts";
import {
  approve,
  isEntryPriceUsable,
  isPriceUsable,
  orderUses,
  type WalletMoney,
} from "../../../domain/order/risk.ts";
import { type RiskLedger, openRiskDay } from "../../../domain/risk-ledger.ts";
import { strictestOf } from "../../../domain/trading-state.ts";
import { ChainUnavailableError } from "../../../solana/chain.ts";
import type { MarketPrice, TradingPort } from "../../../venues/ports.ts";
import type { VenueAccount } from "../../../venues/venue.ts";
import { withRecordedFigures } from "../../positions/recorded-figures.ts";
import type { ExitRecord } from "../../store/orders/exits.ts";
import type { Db } from "../../store/postgres/db.ts";
import { type BeforeOrder, readBeforeOrder } from "../../store/reconcile/before-order.ts";
import type { SentCounts } from "../../store/lanes/count-sent-orders.ts";
import type { OpenOrder } from "../../store/orders/orders.ts";
import { believeAccount, readHoldingRecord } from "./believe-account.ts";
import { type DecisionTrace, noteCheck } from "./decision-trace.ts";
import { closedSide, partOf } from "./exits.ts";
import { readEquityRange } from "../../store/ledger/peak-equity.ts";
import type { AccountState } from "../../../domain/position.ts";
import type { OrderContext, ReadyAgent, TradingAgent, TradingDeps } from "./order-context.ts";
import { type AgentRecord, readLandedSlots } from "../../store/agents/agents.ts";
import { type CustodyAgent, listCustodyAgents } from "../../store/custody/multisigs.ts";
import { readEachSince, readSince, toVenueAccount } from "../../custody/account/venue-account.ts";
import { findVenue } from "../../networks.ts";
import { cappedAdd } from "../../../domain/plan/size.ts";

/** An order that may be sent. `reopens`: after this close fills, the signal still opens its own side. */
export interface DecidedOrder {
  readonly kind: "decided";
  readonly intent: Approved<OrderIntent>;
  readonly reopens: boolean;
  readonly account: VenueAccount;
  /** The account as the venue answered it for the decision. */
  readonly seen: AccountState;
  readonly runtime: NonNullable<TradingAgent["runtime"]>;
  readonly ledger: RiskLedger;
  /** The agent's updated daily risk figures; valid even if the order is not sent. */
  readonly looked: RiskLedger;
  readonly isVenueAvailable: boolean;
  /** Whether sending the order brings the agent close to an order limit. */
  readonly nearsLimit: boolean;
}

/** An order that may not be sent. */
export interface RefusedOrder extends Denied {
  /** The agent's daily risk figures as read for the decision. */
  readonly ledger?: RiskLedger;
  /** Why it could not be built or signed. */
  readonly error?: unknown;
}

/** What the venue and the agent's records say before an order. */
interface Reading {
  readonly kind: "read";
  readonly before: BeforeOrder;
  readonly isVenueAvailable: boolean;
  readonly price: MarketPrice | null;
  /** The account as the venue answered it. */
  readonly seen: AccountState;
  /** The same with cost and deposits from our own records. */
  readonly state: AccountState;
}

/**
 * Reads account and price, derives the order and checks it against every risk limit.
 *
 * Throws `ChainUnavailableError` when the venue cannot be read or currently fills no orders: a missing answer is never
 * treated as a flat account.
 */
export async function decideOrder(
  context: OrderContext,
  trace: DecisionTrace,
): Promise<DecidedOrder | RefusedOrder> {
  const { deps, order, agent } = context;
  const { record, runtime, account } = agent;
  const nowMs = deps.clock.now();
  const refused = refuseUnread(deps, order, agent, nowMs, trace);
  if (refused !== null) return refused;
  if (runtime === null) return denied("network_disabled");
  if (account === null) return denied("sub_account_missing");
  const market = findMarket(runtime.venue.id, order.marketId ?? record.marketId);
  if (market === undefined) return denied("market_unknown");
  const unsafe = await refuseChangedCustody(context, trace);
  if (unsafe !== null) return unsafe;

  const ready = { record, runtime, account };
  const reading = await readForOrder(context, ready, market, nowMs, trace);
  if (reading.kind === "denied") return reading;
  const { price, seen, isVenueAvailable, before } = reading;
  const derived = derive(context, market, runtime, reading, nowMs);
  const impossible = derived.kind === "denied" ? derived.reason : null;
  noteCheck(trace, "order_possible", impossible, "size_too_small");
  if (derived.kind === "denied") return derived;
  trace.intent = derived.intent;
  if (price?.isFillable === false && isPriceUsable(price, nowMs)) {
    throw new ChainUnavailableError("The venue does not fill at a price of that age yet");
  }
  const looked = await todaysLedger(context, reading.state, nowMs);
  const approval = await checkRisk(context, ready, derived.intent, reading, looked, nowMs);
  trace.checks.push(...approval.checks);
  if (approval.kind === "denied") return { ...denied(approval.reason), ledger: looked };
  const { intent } = approval;
  const ledger =
    intent.reduceOnly || intent.isAdd
      ? looked
      : { ...looked, own: withEntry(looked.own, reading.state) };
  return {
    kind: "decided",
    intent,
    reopens: derived.reopens,
    account,
    seen,
    runtime,
    ledger,
    looked,
    isVenueAvailable,
    nearsLimit: nearsLimit(before.sent, ledger, record.limits),
  };
}

/** Reads what a decision needs and refuses an order on what is not known well enough. */
async function readForOrder(
  { deps, order }: OrderContext,
  ready: ReadyAgent,
  market: Market,
  nowMs: number,
  trace: DecisionTrace,
): Promise<Reading | Denied> {
  const { record, runtime } = ready;
  const isEntry = closedSide(order) === null;
  // Asked together: whatever slot is known by the answer, the account must have reached it
  const reading = beginReading(deps.db, ready, market.marketId);
  const before = await readBeforeOrder(deps.lanes, order, nowMs);
  trace.cause = before.cause;
  const unknown = isEntry ? refuseUnknownPowers(before, trace) : null;
  if (unknown !== null) return unknown;
  const [health, price, read, recorded] = await reading;
  const { landedSlot } = before;
  const account = await readSince(runtime.venue, runtime.chain, ready.account, {
    read,
    landedSlot,
  });
  const seen = await believeAccount(deps, ready, recorded, { seen: account, isEntry });
  if (recorded !== null) noteAccount(trace, seen);
  if (seen === null) return denied("unconfirmed");
  const state = await withRecordedFigures(deps.db, runtime.venue, record.id, seen);
  trace.price = price;
  trace.account = state;
  const missing = isEntry ? refuseMissing(state, price) : null;
  if (missing !== null) return missing;
  const isVenueAvailable = health.status === "available";
  return { kind: "read", before, isVenueAvailable, price, seen, state };
}

function derive(
  { order, agent: { record }, exit, plan }: OrderContext,
  market: Market,
  { venue }: ReadyAgent["runtime"],
  { state, price }: Reading,
  nowMs: number,
): ReturnType<typeof deriveIntent> {
  const isEntry = closedSide(order) === null;
  const quoteDecimals = venue.instance.quote.decimals;
  return deriveIntent({
    orderId: order.id,
    agentId: order.agentId,
    signal: order.signal,
    leg: order.leg,
    market,
    account: state,
    price: price?.price ?? 0n,
    quoteDecimals,
    add: isEntry ? addOf(order, record, plan, { state, price, market, quoteDecimals }) : null,
    slippageBps: isEntry ? record.slippageBps : exitLimit(record.slippageBps, exit, price, nowMs),
    positionSizePercent: record.positionSizePercent,
    leverage: record.leverage,
    part: partOf(order, exit),
  });
}

/**
 * Returns the base units that the plan lets an opening add to the position it names, at most what its largest position
 * leaves, `done` after its last add; null where it adds nothing. An order without an alert is the plan's own; others add where it does so on signals.
 */
function addOf(
  { eventId }: OpenOrder,
  record: AgentRecord,
  row: PlanRow | null,
  {
    state,
    price,
    ...at
  }: Pick<Reading, "state" | "price"> & { readonly market: Market; readonly quoteDecimals: number },
): bigint | "done" | null {
  const { plan } = record;
  const position = row?.position ?? null;
  if (plan?.adds === undefined || row === null || position === null) return null;
  if (eventId !== null && plan.adds.on.kind !== "signal") return null;
  const held = state.positions.find(({ marketId }) => marketId === at.market.marketId);
  if (held === undefined || held.side !== position.side) return null;
  const wanted = nextAdd(plan, { ...position, addsDone: row.addsDone });
  if (wanted === null) return "done";
  const collateral = state.portfolioValue;
  return cappedAdd(wanted, held.baseSize, record, {
    ...at,
    collateral,
    price: price?.price ?? 0n,
  });
}

/** Returns the agent's risk figures of the day, opened with the account where it is the day's first order. */
async function todaysLedger(
  { deps, agent: { record }, ledger }: OrderContext,
  state: AccountState,
  nowMs: number,
): Promise<RiskLedger> {
  const { limits } = record;
  const sinceMs = ledger.own.peakSeenMs ?? nowMs;
  const readsWorths = limits.fallBps !== null;
  const between = readsWorths ? await readEquityRange(deps.db, record.id, sinceMs, nowMs) : null;
  return openRiskDay(ledger, nowMs, state, limits, between);
}

async function checkRisk(
  { deps, agent: { record } }: OrderContext,
  { runtime }: ReadyAgent,
  intent: OrderIntent,
  { before, isVenueAvailable, price, state }: Reading,
  ledger: RiskLedger,
  nowMs: number,
): Promise<ReturnType<typeof approve>> {
  const quoteDecimals = runtime.venue.instance.quote.decimals;
  const { asset } = intent.market;
  const walletMoney = intent.reduceOnly
    ? null
    : await readWalletMoney(deps, record, { state, asset, quoteDecimals });
  const allowed = record.autoTrade === "on" ? "active" : "reducing";
  return approve(intent, {
    nowMs,
    price,
    account: state,
    quoteDecimals,
    isVenueAvailable,
    tradingState: strictestOf(deps.tradingState(), allowed),
    ledger,
    ...before.sent,
    limits: record.limits,
    walletMoney,
    leverage: record.leverage,
  });
}

/** Returns whether this order brings the agent close to one of its limits. */
function nearsLimit(
  { ordersLastMinute, ordersLastHour }: SentCounts,
  ledger: RiskLedger,
  limits: OwnerLimits,
): boolean {
  return [
    ...orderUses({ ordersLastMinute: ordersLastMinute + 1, ordersLastHour: ordersLastHour + 1 }),
    ...[tradesUse(ledger.own, limits) ?? []].flat(),
  ].some(isNear);
}

/** Applies the checks that need no read. Signal age and the auto-trade switch apply to entries only. */
function refuseUnread(
  deps: Pick<TradingDeps, "tradingState">,
  order: OpenOrder,
  { record }: TradingAgent,
  nowMs: number,
  trace: DecisionTrace,
): Denied | null {
  if (closedSide(order) !== null) {
    return deps.tradingState() === "halted"
      ? noteCheck(trace, "trading_halted", "trading_halted", "trading_halted")
      : null;
  }
  const isFresh = isSignalFresh(order.plannedAtMs, nowMs, record.maxSignalAgeSeconds);
  const age = {
    unit: "milliseconds",
    figure: BigInt(nowMs - order.plannedAtMs),
    limit: BigInt(record.maxSignalAgeSeconds) * 1_000n,
  } as const;
  const late = noteCheck(
    trace,
    "signal_age",
    isFresh ? null : "signal_expired",
    "signal_expired",
    age,
  );
  const isOn = record.autoTrade === "on";
  return late ?? noteCheck(trace, "auto_trade", isOn ? null : "stopping", "stopping");
}

/** Refuses any order when the agent's custody changed. */
async function refuseChangedCustody(
  { deps, order }: OrderContext,
  trace: DecisionTrace,
): Promise<Denied | null> {
  const isChanged = (await deps.custodyCheck(order.agentId, closedSide(order) !== null)) !== null;
  return noteCheck(trace, "custody", isChanged ? "custody_changed" : null, "custody_changed");
}

function noteAccount(trace: DecisionTrace, believed: AccountState | null): void {
  noteCheck(trace, "account", believed === null ? "unconfirmed" : null, "unconfirmed");
}

/** Refuses an entry without a price, and one on a missing account: the node may just not have returned it. */
function refuseMissing(state: AccountState, price: MarketPrice | null): Denied | null {
  if (price === null) return denied("stale_price");
  if (state.subAccountExists) return null;
  return denied(state.bound?.by === "limit_missing" ? "limit_missing" : "sub_account_missing");
}

/** Refuses an entry when the agent's vault has a third-party authority its owner has not decided on. */
function refuseUnknownPowers(
  { hasUndecidedPowers }: Pick<BeforeOrder, "hasUndecidedPowers">,
  trace: DecisionTrace,
): Denied | null {
  const refusal = hasUndecidedPowers ? "unknown_power" : null;
  return noteCheck(trace, "powers", refusal, "unknown_power");
}

/**
 * Returns an exit's price limit: the widest allowed when the price is stale or not confirmed, because such a price is no
 * basis for a tight one.
 */
function exitLimit(
  slippageBps: number,
  exit: ExitRecord | null,
  price: MarketPrice | null,
  nowMs: number,
): number {
  return isEntryPriceUsable(price, nowMs) ? (exit?.limitBps ?? slippageBps) : MAX_EXIT_LIMIT_BPS;
}

/** Reads what a decision needs of the venue; nobody waits for it when the order is refused before. */
function beginReading(db: Db, agent: ReadyAgent, marketId: string) {
  const { venue } = agent.runtime;
  const reading = Promise.all([
    venue.health(),
    readPrice(venue, marketId),
    venue.accountState(agent.account),
    readHoldingRecord(db, agent),
  ]);
  reading.catch(() => undefined);
  return reading;
}

/** Returns null when the venue has no price for the market, which counts as no usable price. */
async function readPrice(venue: TradingPort, marketId: string): Promise<MarketPrice | null> {
  try {
    return await venue.price(marketId);
  } catch (error) {
    if (error instanceof ChainUnavailableError) throw error;
    return null;
  }
}

/**
 * Returns the total value of an owner's agents on a network and their gross exposure to the agent's asset, long plus
 * short, in base units of the agent's quote token. Null where the owner set no such limit.
 *
 * Throws `ChainUnavailableError` when any agent cannot be read: a partial sum is never returned.
 */
async function readWalletMoney(
  { db, networks }: Pick<TradingDeps, "db" | "networks">,
  { id, owner, network, limits }: AgentRecord,
  own: { readonly state: AccountState; readonly asset: string; readonly quoteDecimals: number },
): Promise<WalletMoney | null> {
  if (limits.assetShareBps === null) return null;
  const others = (await listCustodyAgents(db, owner)).filter(
    (agent) => agent.network === network && agent.agentId !== id && agent.subAccountId !== null,
  );
  const read = [...new Set(others.map(({ venue }) => venue))].map(async (id) => {
    const agents = others.filter((agent) => agent.venue === id);
    const venue = findVenue(networks, { network, venue: id });
    const chain = networks.get(network)?.chain;
    if (venue === undefined || chain === undefined)
      throw new ChainUnavailableError(`Nothing is read of ${id}`);
    const known = agents.map((agent) => ({ agentId: agent.agentId, account: accountOf(agent) }));
    const states = (
      await readEachSince({ venue, chain }, known, (ids) => readLandedSlots(db, ids))
    ).map((state) => {
      if (state === null) throw new ChainUnavailableError("No node has seen another agent's fill");
      return state;
    });
    const { decimals } = venue.instance.quote;
    return states.map((state) => scaled(moneyIn(state, own.asset), decimals, own.quoteDecimals));
  });
  return (await Promise.all(read))
    .flat()
    .reduce(
      (sum, each) => ({ total: sum.total + each.total, inAsset: sum.inAsset + each.inAsset }),
      moneyIn(own.state, own.asset),
    );
}

const moneyIn = (state: AccountState, asset: string): WalletMoney => ({
  total: state.portfolioValue,
  inAsset: state.positions
    .filter(({ marketId }) => assetOf(marketId) === asset)
    .reduce(
      (sum, { positionValue }) => sum + (positionValue < 0n ? -positionValue : positionValue),
      0n,
    ),
});

function scaled({ total, inAsset }: WalletMoney, from: number, to: number): WalletMoney {
  const [up, down] = [10n ** BigInt(Math.max(0, to - from)), 10n ** BigInt(Math.max(0, from - to))];
  return { total: (total * up) / down, inAsset: (inAsset * up) / down };
}

function accountOf(agent: CustodyAgent) {
  const account = toVenueAccount(agent);
  if (account === null) throw new ChainUnavailableError(`Agent ${agent.agentId} has no account`);
  return account;
}
