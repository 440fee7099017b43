import type { Signature } from "@solana/kit";
import { mulDiv } from "../../../domain/amount.ts";
import { exitLimitBps, exitWaitMs, partAfter } from "../../../domain/exit.ts";
import { isNear } from "../../../domain/limit-use.ts";
import { type Market, PRICE_DECIMALS } from "../../../domain/market.ts";
import { type LedgerAccount, numbered, type PendingEntry } from "../../../domain/ledger/entry.ts";
import type { Fill } from "../../../domain/order/order.ts";
import { failureUse, recordOrderEnd, type RiskLedger } from "../../../domain/risk-ledger.ts";
import type { TransactionError, TransactionOutcome } from "../../../solana/chain.ts";
import type { OrderReport, RestingOrder } from "../../../venues/placed-order.ts";
import { findMarket } from "../../../venues/profiles.ts";
import type {
  BookedFill,
  Change,
  ExitStep,
  FollowUpStep,
  LineColumns,
  PlanStep,
} from "../../store/orders/change.ts";
import type { ExitRecord } from "../../store/orders/exits.ts";
import type { KnownOrder } from "../../store/orders/orders.ts";
import { askerOf, closedSide, partOf } from "./exits.ts";
import {
  type OrderContext,
  type Step,
  type TradingAgent,
  type TradingDeps,
  stepTo,
} from "./order-context.ts";
import { signOrder } from "./sign-order.ts";

/** Outcome of a sent order on chain. `fills` is complete where no reason says otherwise. */
export type OrderOutcome =
  | {
      readonly event: "fill" | "fill_partly";
      readonly fills: readonly BookedFill[];
      readonly slot: bigint;
      /** Why the fills are not all; absent: the rest was not traded. */
      readonly reason?: string;
    }
  | {
      readonly event: "rest";
      readonly order: RestingOrder;
      readonly fills: readonly BookedFill[];
      readonly slot: bigint;
    }
  | {
      readonly event: "cancel" | "reject" | "expire";
      readonly reason: string;
      /** What was paid for it without a trade. */
      readonly fills?: readonly BookedFill[];
      /** Set where it may have traded after all: accounts read before this slot are too old. */
      readonly slot?: bigint;
    };

/** Returns the fills together with the signature of their transaction. */
export function bookedFills(
  fills: readonly Fill[],
  { signature, slot }: Pick<TransactionOutcome, "signature" | "slot">,
): readonly BookedFill[] {
  return fills.map((fill) => ({ ...fill, signature, slot }));
}

/** Returns a transaction of which only what a node said of it is known. */
export const unlanded = (
  error: TransactionError | null,
  logs: readonly string[],
  signature = "",
): TransactionOutcome => ({
  signature: signature as Signature,
  slot: 0n,
  blockTime: null,
  error,
  logs,
  feeLamports: 0n,
  lamportDeltas: new Map(),
  tokenDeltas: [],
});

/** Returns the outcome of an order whose transaction landed. */
export function outcomeOf(report: OrderReport, landed: TransactionOutcome): OrderOutcome {
  const { slot } = landed;
  switch (report.kind) {
    case "filled":
      return { event: "fill", fills: bookedFills(report.fills, landed), slot };
    case "partially_filled":
      return { event: "fill_partly", fills: bookedFills(report.fills, landed), slot };
    case "resting":
      return { event: "rest", order: report.order, fills: [], slot };
    case "not_filled":
      return { event: "reject", reason: "not_filled" };
    case "rejected":
      return { event: "reject", reason: report.reason };
  }
}

/** An order whose outcome is known; one given up earlier is in no lane and has no figures of it. */
export type EndedContext = Pick<OrderContext, "agent"> & {
  readonly deps: Pick<TradingDeps, "clock" | "newId">;
  readonly order: KnownOrder;
} & (Pick<OrderContext, "ledger" | "exit"> | { readonly ledger: null; readonly exit: null });

/** Returns what the outcome of a sent order changes: the order, its log line, fills, risk figures and exit. */
export function recordOutcome(context: EndedContext, outcome: OrderOutcome): Change {
  const { deps, order, agent, exit } = context;
  const { fills = [] } = "fills" in outcome ? outcome : {};
  const event = eventOf(order, outcome);
  const isOver = event !== "rest";
  const atMs = deps.clock.now();
  const filled = sumOf(fills, "baseSize");
  const step = isOver ? exitAfter(deps, order, agent, exit, { event, filled }) : null;
  const hasTraded = filled > 0n;
  const end = { hasTraded, isEntry: order.signal.startsWith("OPEN_") };
  const ledger =
    context.ledger === null || !isOver ? null : recordOrderEnd(context.ledger, end, atMs);
  const isOtherCondition =
    ledger !== null && context.ledger !== null && isFailureTold(ledger, context.ledger);
  return {
    atMs,
    order: {
      id: order.id,
      event,
      reason: reasonOf(event, outcome, order.intent),
      ...("order" in outcome && { resting: outcome.order }),
    },
    fills,
    pending: pendingOf(fills, order, agent, atMs),
    ...(fills.length > 0 && { line: fillFigures(fills, agent, order.intent?.marketId) }),
    ...(outcome.slot !== undefined && { landedSlot: outcome.slot }),
    ...(ledger !== null && { ledger }),
    ...(agent.record.plan !== null &&
      (hasTraded || outcome.slot !== undefined) && { plan: tradedStep(order) }),
    ...(step !== null && { exit: step }),
    isTold: event === "rest" || hasTraded,
    stale: ["order", "position", ...(step !== null || isOtherCondition ? ["agent" as const] : [])],
  };
}

/** Tells the lane that the position its plan speaks of may have changed. */
const tradedStep = ({ id: orderId, intent }: KnownOrder): PlanStep => ({
  kind: "traded",
  as: intent?.reduceOnly ? "exit" : intent?.isAdd ? "add" : "entry",
  orderId,
});

/** Returns the step that records an outcome; the gain or loss of what was closed is settled after it. */
export function toStep(
  context: OrderContext,
  outcome: OrderOutcome,
  followUp?: FollowUpStep,
): Step {
  const { deps, order } = context;
  const change = {
    ...recordOutcome(context, outcome),
    ...(followUp !== undefined && { followUp }),
  };
  const ids = { agentId: order.agentId, orderId: order.id };
  const settlement = settlementOf(outcome);
  return {
    change,
    afterwards() {
      const fills = change.fills?.length ?? 0;
      deps.log.debug({ ...ids, outcome: change.order?.event, fills }, "outcome recorded");
      deps.log.debug({ ...ids, settlement }, "order settled");
    },
    next: settlement === "open" ? "waiting" : hasClosed() ? () => settlePnl(context) : "moved",
  };

  function hasClosed(): boolean {
    return settlement === "traded" && closedSide(order) !== null;
  }
}

function settlementOf(outcome: OrderOutcome): "traded" | "failed" | "open" {
  switch (outcome.event) {
    case "rest":
      return "open";
    case "fill":
    case "fill_partly":
      return "traded";
    default:
      // It may have traded after all
      return outcome.slot === undefined ? "failed" : "traded";
  }
}

/** Returns whether the displayed count of consecutive failures changed. */
const isFailureTold = (after: RiskLedger, before: RiskLedger): boolean =>
  after.consecutiveFailures !== before.consecutiveFailures &&
  (isNear(failureUse(after)) || isNear(failureUse(before)));

/** A close is complete only when the whole requested size was closed. */
function eventOf(order: KnownOrder, outcome: OrderOutcome): OrderOutcome["event"] {
  if (outcome.event !== "fill" || order.intent?.reduceOnly !== true) return outcome.event;
  return sumOf(outcome.fills, "baseSize") >= order.intent.baseSize ? "fill" : "fill_partly";
}

function reasonOf(
  event: OrderOutcome["event"],
  outcome: OrderOutcome,
  intent: KnownOrder["intent"],
): string | null {
  const stated = "reason" in outcome ? (outcome.reason ?? null) : null;
  if (event === "fill_partly") return stated ?? "partially_filled";
  if (event === "fill" && intent?.isLimited === true) return "limit_reduced";
  return event === "rest" ? "resting" : stated;
}

/** Returns the effect of an ended order on the exit it belongs to; null when it belongs to none. */
function exitAfter(
  deps: Pick<TradingDeps, "clock" | "newId">,
  order: KnownOrder,
  { record }: TradingAgent,
  exit: ExitRecord | null,
  { event, filled }: { readonly event: OrderOutcome["event"]; readonly filled: bigint },
): ExitStep | null {
  const { intent } = order;
  if (intent === null || !intent.reduceOnly) return null;
  const nowMs = deps.clock.now();
  const { baseSize: ordered, heldBase: held = 0n } = intent;
  const before = partOf(order, exit);
  const part = before === null ? null : partAfter(before, { held, ordered, filled });
  // The account decides whether the position is fully closed, so it is read next
  if (event === "fill") return { kind: "tried", nextAttemptAtMs: nowMs, part };
  const attempts = (exit?.attempts ?? 0) + 1;
  return {
    kind: "tried_again",
    id: exit?.id ?? deps.newId(),
    marketId: intent.marketId,
    side: intent.side === "long" ? "short" : "long",
    askedBy: exit?.askedBy ?? askerOf(order),
    planEnd: order.planAct === "add" ? null : order.planAct,
    limitBps: Math.max(intent.slippageBps, exitLimitBps(record.slippageBps, attempts)),
    nextAttemptAtMs: nowMs + exitWaitMs(attempts),
    part,
  };
}

const sumOf = (fills: readonly BookedFill[], key: "baseSize" | "quoteSize" | "fee"): bigint =>
  fills.reduce((sum, fill) => sum + fill[key], 0n);

function fillFigures(
  fills: readonly BookedFill[],
  { record, runtime }: TradingAgent,
  marketId = record.marketId,
): LineColumns {
  const venue = runtime?.venue;
  const market = venue === undefined ? undefined : findMarket(venue.id, marketId);
  const baseSize = sumOf(fills, "baseSize");
  const quoteTotal = sumOf(fills, "quoteSize");
  // The log leads to the transaction that traded last
  const signature = fills.findLast((fill) => fill.baseSize > 0n)?.signature;
  const traded = signature !== undefined && { signature, baseSize, quoteTotal };
  const figures = { ...traded, fee: sumOf(fills, "fee") };
  if (market === undefined || venue === undefined || baseSize === 0n) return figures;
  const quoteDecimals = venue.instance.quote.decimals;
  return { ...figures, price: averagePrice(quoteTotal, baseSize, market, quoteDecimals) };
}

/** Returns the entries the book will have of an order's fills. */
function pendingOf(
  fills: readonly BookedFill[],
  { intent }: KnownOrder,
  { runtime, account }: TradingAgent,
  atMs: number,
): readonly PendingEntry[] {
  if (intent === null || runtime === null || account === null) return [];
  const { id, instance } = runtime.venue;
  const market = findMarket(id, intent.marketId);
  if (market === undefined) return [];
  const isSpot = market.kind === "spot";
  const at: LedgerAccount & Pick<PendingEntry, "decimals"> = {
    place: isSpot ? "vault" : "position",
    subAccount: isSpot ? 0 : account.subAccountId,
    market: isSpot ? "" : market.marketId,
    asset: instance.quote.symbol,
    decimals: instance.quote.decimals,
  };
  const sign = intent.side === "long" ? 1n : -1n;
  const first = fills.find(({ baseSize }) => baseSize > 0n);
  const entries = fills.flatMap((fill) => {
    const { signature, slot, baseSize, quoteSize, fee, funding } = fill;
    const landed = { ...at, signature, slot, atMs };
    const effect = intent.reduceOnly ? "closes" : fill === first ? "opens" : null;
    const base = {
      marketId: market.marketId,
      decimals: market.baseDecimals,
      amount: sign * baseSize,
    };
    if (baseSize === 0n)
      return { ...landed, kind: "fee", amount: -fee, base, effect: null } as const;
    // A swap's fee is part of what it cost
    const amount = -sign * quoteSize - (isSpot ? fee : 0n);
    const trade = { ...landed, kind: "trade", amount, base, effect } as const;
    // As the chain's events have them: what was settled before the trade, and its fee right after it
    return [
      ...(funding ? [{ ...landed, kind: "funding", amount: funding, effect: null } as const] : []),
      trade,
      ...(isSpot || fee === 0n
        ? []
        : [{ ...landed, kind: "fee", amount: -fee, effect: null } as const]),
    ];
  });
  return numbered<Omit<PendingEntry, "index">>(entries);
}

/** Returns the average price in quote units with six decimals per whole asset, halves rounded up. */
function averagePrice(
  quoteTotal: bigint,
  baseSize: bigint,
  market: Market,
  quoteDecimals: number,
): bigint {
  const perWhole = 10n ** BigInt(market.baseDecimals + PRICE_DECIMALS);
  return mulDiv(quoteTotal, perWhole, baseSize * 10n ** BigInt(quoteDecimals), "half_up");
}

/**
 * Settles the PnL of a closed position into the balance, so that the owner can withdraw it.
 *
 * Settling is idempotent, so nothing but its fee is recorded and a failure is only logged: the next close settles both.
 * The agent's next order does not wait for it.
 */
async function settlePnl({ deps, order, agent }: OrderContext): Promise<Step> {
  const { runtime, account, record } = agent;
  const { agentId } = order;
  if (runtime === null || account === null || !order.signal.startsWith("CLOSE_")) {
    return stepTo("moved");
  }
  const { chain, venue } = runtime;
  const warn = (error: unknown) =>
    deps.log.warn({ err: error, agentId }, "gain or loss not settled");
  try {
    const instructions = await venue.buildSettle(account, order.marketId ?? record.marketId);
    if (instructions.length === 0) return stepTo("moved");
    const { signed, feeLamports } = await signOrder(
      deps,
      {
        agentId,
        purpose: "settlement",
        account,
        isUrgent: true,
        runtime,
        feeFactor: 1n,
        isTried: false,
      },
      { instructions },
    );
    return {
      // The fee of one settlement is all that a crash may forget
      change: { atMs: deps.clock.now(), feeLamports, isTold: true, stale: [] },
      afterwards: () => deps.settlements.begin(chain, agentId, signed).catch(warn),
      next: "moved",
    };
  } catch (error) {
    warn(error);
    return stepTo("moved");
  }
}
