import type { ResponseOf } from "../../contract/route.ts";
import type { ROUTES } from "../../contract/routes.ts";
import type { RuleEffect } from "../../domain/alert-effect.ts";
import { formatDecimal } from "../../domain/amount.ts";
import { lineAmount } from "../../domain/order/order-states.ts";
import type { ClosedPnl } from "../../domain/position.ts";
import { PRICE_DECIMALS } from "../../domain/market.ts";
import { type Signal, SIGNALS } from "../../domain/signal.ts";
import { comparedText } from "../../strategy/compared-text.ts";
import type { FiredOn } from "../store/alerts/alert-events.ts";
import type { DecisionCause } from "../store/orders/decision-cause.ts";
import type { DecisionEvent, DecisionFill, DecisionLine } from "../store/orders/decision-lines.ts";
import { percentOf } from "./percent-of.ts";
import { type StoredFacts, toStoredFacts } from "./stored-facts.ts";
import { LAMPORT_DECIMALS } from "../custody/account/custody-limits.ts";
import type { CheckUnit } from "../../domain/risk-check.ts";

type Checks = ResponseOf<typeof ROUTES.listDecisions>["decisions"][number]["checks"];

type Decimals = Pick<DecisionLine, "baseDecimals" | "quoteDecimals">;

/** Names of the units in which figures are sent, and their decimals: a number, or those of the line's market. */
const UNITS = {
  orders: ["orders", 0],
  trades: ["trades", 0],
  milliseconds: ["seconds", 3],
  time: ["time", 3],
  lamports: ["sol", LAMPORT_DECIMALS],
  price: ["price", PRICE_DECIMALS],
  quote: ["quote", "quoteDecimals"],
  base: ["base", "baseDecimals"],
} as const satisfies Readonly<
  Record<CheckUnit, readonly [NonNullable<Checks[number]["unit"]>, number | keyof Decimals]>
>;

/** Returns checks in their wire format, figures as exact decimal text. */
function presentChecks(checks: StoredFacts["checks"], decimals: Decimals): Checks {
  return checks.map(({ name, reason, hasPassed, figures }) => {
    const check = { name, reason, hasPassed };
    if (figures === null) return check;
    const { figure, limit } = figures;
    const [unit, decimal] = UNITS[figures.unit];
    const places = typeof decimal === "number" ? decimal : decimals[decimal];
    // Without the market's decimals no amount can be shown
    if (places === null) return check;
    return {
      ...check,
      unit,
      ...(figure !== null && { figure: formatDecimal(BigInt(figure), places) }),
      ...(limit !== null && { limit: formatDecimal(BigInt(limit), places) }),
    };
  });
}

export type Decision = ResponseOf<typeof ROUTES.listDecisions>["decisions"][number];

type Counter = Decision["rules"][number]["counters"][number];

/** Current names of an agent's alerts, by id. */
export type AlertNames = ReadonlyMap<string, string>;

/** All records of one trade log entry. */
export interface LineRecords {
  readonly line: DecisionLine;
  readonly cause: DecisionCause;
  /** The alert that caused it; null when none did, or when it is no longer stored. */
  readonly event: DecisionEvent | null;
  readonly fills: readonly DecisionFill[];
  readonly closed: ClosedPnl | null;
  /** Fees of what was closed of a held position, by market, that the exchange's PnL of the rest has. */
  readonly closedFees: ReadonlyMap<string, bigint>;
}

/** Returns the decision of a trade log entry. */
export function presentLine(records: LineRecords, names: AlertNames): Decision {
  const { line, cause, event, fills } = records;
  const facts = toStoredFacts(line.facts);
  const known = new Map([
    ...names,
    ...cause.alerts.map(({ alertKey, alertName }) => [alertKey, alertName] as const),
  ]);
  return {
    id: line.id,
    kind: line.signal.startsWith("RESET_") ? "reset" : "order",
    at: line.plannedAt.toISOString(),
    market: line.market,
    ...signalOf(line.signal),
    askedBy: askedBy(line, cause),
    ...(line.planAct !== null && { plan: line.planAct }),
    ...(event !== null && { alert: presentArrival(event) }),
    alerts: cause.alerts.map(({ eventId, alertName, receivedAt, count, requiredCount, fired }) => ({
      eventId,
      alertName,
      at: receivedAt,
      ...presentFired(fired),
      count,
      requiredCount,
    })),
    rules: showRules(event, known),
    ...(cause.ruleId !== null && { ruleId: cause.ruleId }),
    ...(line.decidedAt !== null && { decidedAt: line.decidedAt.toISOString() }),
    ...presentFacts(facts, records),
    ...presentSent(line),
    fills: fills.map(({ signature, baseSize, quoteSize, fee }) => ({
      signature,
      size: lineAmount(baseSize, line.baseDecimals),
      total: lineAmount(quoteSize, line.quoteDecimals),
      fee: lineAmount(fee, line.quoteDecimals),
    })),
    outcome: presentOutcome(records),
  };
}

/** Returns the decision on an alert that led to no order. */
export function presentEvent(event: DecisionEvent, names: AlertNames): Decision {
  return {
    id: event.id,
    kind: "alert",
    at: event.receivedAt.toISOString(),
    askedBy: "alert",
    alert: presentArrival(event),
    alerts: [],
    rules: showRules(event, names),
    checks: [],
    fills: [],
    outcome: { state: event.outcome, ...(event.reason !== null && { reason: event.reason }) },
  };
}

/** Returns the alert that requested the order; a retried close has none of its own, but that of its exit. */
function askedBy({ eventId, planAct }: DecisionLine, cause: DecisionCause): Decision["askedBy"] {
  if (planAct !== null) return "plan";
  if (eventId !== null) return "alert";
  return cause.eventId === null ? "owner" : "exit";
}

function signalOf(text: string): { readonly signal?: Signal } {
  const signal = SIGNALS.find((each) => each === text);
  return signal === undefined ? {} : { signal };
}

const presentArrival = ({ id, alertName, receivedAt, firedAt, fired }: DecisionEvent) => ({
  eventId: id,
  alertName,
  at: receivedAt.toISOString(),
  ...(firedAt !== null && { firedAt: firedAt.toISOString() }),
  ...presentFired(fired),
});

const presentFired = (fired: FiredOn | null) =>
  fired === null
    ? { origin: "webhook" as const }
    : {
        origin: "condition" as const,
        ...(fired.price !== null && { price: fired.price }),
        because: fired.compared.map(comparedText),
      };

const showRules = (event: DecisionEvent | null, names: AlertNames) =>
  (event?.effects?.rules ?? []).map((rule) => showRule(rule, names));

const showRule = ({ conditions, ...rule }: RuleEffect, names: AlertNames) => ({
  ...rule,
  counters: conditions.map(({ alertKey, ...counts }) =>
    presentCounter({ alertId: alertKey, ...counts }, names),
  ),
});

/** Returns a rule's counter with the name of its alert; without one where the alert was deleted. */
export function presentCounter(
  { alertId, count, requiredCount }: Pick<Counter, "alertId" | "count" | "requiredCount">,
  names: AlertNames,
): Counter {
  const alertName = names.get(alertId);
  return { alertId, count, requiredCount, ...(alertName !== undefined && { alertName }) };
}

function presentFacts(facts: StoredFacts | null, { line, closedFees }: LineRecords) {
  if (facts === null) return { checks: [] };
  const { price, account, order, checks } = facts;
  const base = (units: string) => lineAmount(units, line.baseDecimals);
  const quote = (units: string) => lineAmount(units, line.quoteDecimals);
  return {
    checks: presentChecks(checks, line),
    ...(price !== null && { price: priceText(price.price) }),
    ...(account !== null && {
      account: {
        free: quote(account.freeCollateral),
        worth: quote(account.portfolioValue),
        positions: account.positions.map((held) => ({
          market: held.marketId,
          side: held.side,
          size: base(held.baseSize),
          ...(held.isCostUnknown !== true && {
            entryPrice: priceText(held.entryPrice),
            pnl: quote(`${BigInt(held.unrealizedPnl) - (closedFees.get(held.marketId) ?? 0n)}`),
          }),
        })),
      },
    }),
    ...(order !== null && {
      order: {
        side: order.side,
        reduceOnly: order.reduceOnly,
        size: base(order.baseSize),
        marketPrice: priceText(order.referencePrice),
        slippagePercent: formatDecimal(BigInt(order.slippageBps), 2),
        percentage: order.percentage,
        ...(order.built !== null && {
          sentSize: base(order.built.baseSize),
          worstPrice: priceText(order.built.worstPrice),
        }),
      },
    }),
  };
}

const priceText = (units: string): string => formatDecimal(BigInt(units), PRICE_DECIMALS);

function presentSent({ signature, bytes, submittedAt }: DecisionLine) {
  if (signature === null) return {};
  const at = submittedAt === null ? {} : { at: submittedAt.toISOString() };
  return { sent: { signature, bytes: bytes ?? 0, ...at } };
}

function presentOutcome({ line, closed }: LineRecords): Decision["outcome"] {
  const isTraded = line.status === "success" && line.orderId !== null;
  const state = line.state ?? line.status;
  return {
    state,
    ...(line.reason !== null && { reason: line.reason }),
    ...(line.settledAt !== null && { at: line.settledAt.toISOString() }),
    ...(isTraded && {
      size: lineAmount(line.baseSize, line.baseDecimals),
      total: lineAmount(line.quoteTotal, line.quoteDecimals),
      ...(line.price !== null && { price: priceText(line.price) }),
      ...(line.fee !== null && { fee: lineAmount(line.fee, line.quoteDecimals) }),
    }),
    ...(closed !== null && {
      pnl: lineAmount(closed.pnl, line.quoteDecimals),
      ...(closed.entry > 0n && { pnlPercent: percentOf(closed.pnl, closed.entry) }),
    }),
  };
}
