import type { AgentId } from "../../domain/ids.ts";
import type { Db } from "../store/postgres/db.ts";
import { listAlertsOf, type AlertRecord } from "../store/alerts/alerts.ts";
import { type DecisionCause, readCauseOf } from "../store/orders/decision-cause.ts";
import {
  type DecisionFilter,
  type DecisionLine,
  listDecisionEvents,
  listDecisionLines,
  listFillsOf,
  listUntradedEvents,
  type DecisionEvent,
  type DecisionFill,
} from "../store/orders/decision-lines.ts";
import { readClosedPnls } from "../store/orders/closed-profits.ts";
import {
  countAlertEvents,
  sumByCause,
  type AlertCount,
  type CauseSum,
} from "../store/orders/decision-sums.ts";
import { listRulesOf, type RuleRecord } from "../store/alerts/rules.ts";
import type { Handlers } from "../http/handler.ts";
import { toStoredFacts, type StoredFacts } from "./stored-facts.ts";
import type { ResponseOf } from "../../contract/route.ts";
import type { ROUTES } from "../../contract/routes.ts";
import { lineAmount } from "../../domain/order/trade-log.ts";
import { nameKey } from "../../domain/name-key.ts";
import { SIGNALS, type Signal } from "../../domain/signal.ts";
import type { RuleEffect } from "../../domain/alert-effect.ts";
import { formatDecimal } from "../../domain/amount.ts";
import type { ClosedPnl } from "../../domain/closed-pnl.ts";
import { PRICE_DECIMALS } from "../../domain/market.ts";
import { comparedText } from "../../strategy/compared-text.ts";
import type { FiredOn } from "../store/alerts/alert-events.ts";
import { percentOf } from "./percent-of.ts";
import { LAMPORT_DECIMALS } from "../custody/account/custody-limits.ts";
import type { CheckUnit } from "../../domain/risk-check.ts";

type Checks = ResponseOf<typeof ROUTES.listDecisions>["decisions"][number]["checks"];

type Decimals = Pick<DecisionLine, "baseDecimals" | "quoteDecimals">;

/** Names of the units in which figures are sent, with their decimals applied. */
const WIRE_UNITS = {
  orders: "orders",
  trades: "trades",
  milliseconds: "seconds",
  lamports: "sol",
  price: "price",
  quote: "quote",
  base: "base",
} as const satisfies Readonly<Record<CheckUnit, string>>;

/** Returns checks in their wire format, figures as exact decimal text. */
function presentChecks(checks: StoredFacts["checks"], decimals: Decimals): Checks {
  return checks.map(({ name, reason, hasPassed, figures }) => {
    const check = { name, reason, hasPassed };
    if (figures === null) return check;
    const { unit, figure, limit } = figures;
    const places = placesOf(unit, decimals);
    // Without the market's decimals no amount can be shown
    if (places === null) return check;
    return {
      ...check,
      unit: WIRE_UNITS[unit],
      ...(figure !== null && { figure: formatDecimal(BigInt(figure), places) }),
      ...(limit !== null && { limit: formatDecimal(BigInt(limit), places) }),
    };
  });
}

function placesOf(unit: CheckUnit, { baseDecimals, quoteDecimals }: Decimals): number | null {
  switch (unit) {
    case "orders":
    case "trades":
      return 0;
    case "milliseconds":
      return 3;
    case "lamports":
      return LAMPORT_DECIMALS;
    case "price":
      return PRICE_DECIMALS;
    case "quote":
      return quoteDecimals;
    case "base":
      return baseDecimals;
  }
}

type Decision = ResponseOf<typeof ROUTES.listDecisions>["decisions"][number];

/** Current names of an agent's alerts, by id. */
type AlertNames = ReadonlyMap<string, string>;

/** All records of one trade log entry. */
interface LineRecords {
  readonly line: DecisionLine;
  readonly cause: DecisionCause;
  /** The alert that caused it; null when none did, or when it is no longer stored. */
  readonly event: DecisionEvent | null;
  readonly fills: readonly DecisionFill[];
  readonly closed: ClosedPnl | null;
}

/** Returns the decision of a trade log entry. */
function presentLine(records: LineRecords, names: AlertNames): Decision {
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
    ...presentFacts(facts, line),
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
function presentEvent(event: DecisionEvent, names: AlertNames): Decision {
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
function askedBy({ eventId }: DecisionLine, cause: DecisionCause): Decision["askedBy"] {
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
  counters: conditions.map(({ alertKey, count, requiredCount }) => {
    const alertName = names.get(alertKey);
    const counter = { alertId: alertKey, count, requiredCount };
    return alertName === undefined ? counter : { ...counter, alertName };
  }),
});

function presentFacts(facts: StoredFacts | null, line: DecisionLine) {
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
          entryPrice: priceText(held.entryPrice),
          pnl: quote(held.unrealizedPnl),
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

type Sums = ResponseOf<typeof ROUTES.sumDecisions>;
type Sum = Omit<Sums["rules"][number], "ruleId" | "action" | "counters">;

/** Data to aggregate: sums of the entries by cause, recorded alerts, and the present alerts and rules. */
interface SumInput {
  readonly sums: readonly CauseSum[];
  readonly events: readonly AlertCount[];
  readonly alerts: readonly Pick<AlertRecord, "id" | "name">[];
  readonly rules: readonly Pick<RuleRecord, "id" | "action" | "conditions">[];
}

/** Returns, per alert and rule, the number of firings, their outcomes and their PnL. */
function sumDecisions(input: SumInput): Sums {
  return { alerts: sumAlerts(input), rules: sumRules(input) };
}

function sumAlerts({ sums, events, alerts }: SumInput) {
  const byKey = new Map(alerts.map(({ id, name }) => [nameKey(name), id]));
  const keyed = events.map((event) => ({
    ...event,
    id: event.alertKey ?? byKey.get(nameKey(event.alertName)) ?? null,
  }));
  const gone = keyed.filter(({ id }) => id !== null && !alerts.some((alert) => alert.id === id));
  const all = [
    ...alerts.map(({ id, name }) => ({ alertId: id, alertName: name })),
    ...[...new Map(gone.map(({ id, alertName }) => [id ?? "", alertName]))].map(
      ([alertId, alertName]) => ({ alertId, alertName }),
    ),
  ];
  return all.map(({ alertId, alertName }) => {
    const own = keyed.filter(({ id }) => id === alertId);
    const fired = own.filter(({ outcome }) => outcome === "accepted");
    const refused = own.filter(({ outcome }) => outcome !== "accepted");
    return {
      alertId,
      alertName,
      ...sumOf(findSum(sums, "alert", alertId), refused),
      fired: fired.reduce((sum, { count }) => sum + count, 0),
    };
  });
}

function sumRules({ sums, alerts, rules }: SumInput) {
  const names = new Map(alerts.map(({ id, name }) => [id, name]));
  const gone = sums.flatMap(({ kind, cause, action: newest }) => {
    const action = SIGNALS.find((each) => each === newest);
    const isGone = kind === "rule" && !rules.some(({ id }) => id === cause);
    return isGone && action !== undefined ? [{ id: cause, action, conditions: [] }] : [];
  });
  return [...rules, ...gone].map(({ id, action, conditions }) => {
    const sum = findSum(sums, "rule", id);
    return {
      ruleId: id,
      action,
      counters: conditions.map(({ alertId, count, requiredCount }) => {
        const alertName = names.get(alertId);
        const counter = { alertId, count, requiredCount };
        return alertName === undefined ? counter : { ...counter, alertName };
      }),
      ...sumOf(sum, []),
      fired: sum?.fired ?? 0,
    };
  });
}

const findSum = (sums: readonly CauseSum[], kind: CauseSum["kind"], cause: string) =>
  sums.find((sum) => sum.kind === kind && sum.cause === cause);

function sumOf(sum: CauseSum | undefined, refused: readonly AlertCount[]): Sum {
  const reasons = [
    ...(sum?.reasons ?? []),
    ...refused.map(({ reason, outcome, count }) => ({ reason: reason ?? outcome, count })),
  ];
  return {
    fired: 0,
    traded: sum?.traded ?? 0,
    denied: sum?.denied ?? 0,
    reasons: addUp(reasons),
    ...(sum?.earned != null && { profit: lineAmount(sum.earned, sum.decimals) }),
    closed: sum?.closed ?? 0,
    wins: sum?.wins ?? 0,
  };
}

function addUp(counts: Sum["reasons"]): Sum["reasons"] {
  const sums = new Map<string, number>();
  for (const { reason, count } of counts) sums.set(reason, (sums.get(reason) ?? 0) + count);
  return [...sums]
    .map(([reason, count]) => ({ reason, count }))
    .toSorted((one, other) => other.count - one.count);
}

const PAGE = 20;

/** Start cursor; trade log entries and alerts are numbered separately, so a page has a cursor into each. */
const START = "999999999999999999";

/** Answers the calls for an agent's decisions to trade or not. */
export function decisionHandlers(deps: {
  readonly db: Db;
}): Pick<Handlers, "listDecisions" | "sumDecisions"> {
  return {
    async listDecisions({ params: { agentId }, query }) {
      const filter: DecisionFilter = {
        outcome: query.outcome ?? null,
        ruleId: query.ruleId ?? null,
        alertKey: query.alertId ?? null,
        entryId: query.entryId ?? null,
      };
      const [lineSeq = START, eventSeq = START] = query.cursor?.split(".") ?? [];
      const [lines, events, names] = await Promise.all([
        listDecisionLines(deps.db, agentId, filter, { before: lineSeq, limit: PAGE + 1 }),
        holdsEvents(filter)
          ? listUntradedEvents(deps.db, agentId, filter, { before: eventSeq, limit: PAGE + 1 })
          : [],
        readNames(deps.db, agentId),
      ]);
      const merged = [
        ...lines.map((line) => ({ line, event: null, at: line.plannedAt.getTime() })),
        ...events.map((event) => ({ line: null, event, at: event.receivedAt.getTime() })),
      ].toSorted((one, other) => other.at - one.at);
      const shown = merged.slice(0, PAGE);
      const shownLines = shown.flatMap(({ line }) => line ?? []);
      const records = await readRecords(deps.db, agentId, shownLines);
      const lastLine = shownLines.at(-1)?.seq ?? lineSeq;
      const lastEvent = shown.findLast(({ event }) => event !== null)?.event?.seq ?? eventSeq;
      return {
        decisions: shown.flatMap(({ line, event }) => {
          if (event !== null) return presentEvent(event, names);
          const found = records.get(line.id);
          return found === undefined ? [] : presentLine(found, names);
        }),
        next: merged.length > PAGE ? `${lastLine}.${lastEvent}` : null,
      };
    },

    async sumDecisions({ params: { agentId } }) {
      const [sums, events, alerts, rules] = await Promise.all([
        sumByCause(deps.db, agentId),
        countAlertEvents(deps.db, agentId),
        listAlertsOf(deps.db, agentId),
        listRulesOf(deps.db, agentId),
      ]);
      return sumDecisions({ sums, events, alerts, rules });
    },
  };
}

const holdsEvents = ({ outcome, entryId }: DecisionFilter): boolean =>
  entryId === null && (outcome === null || outcome === "untraded");

async function readNames(db: Db, agentId: AgentId): Promise<AlertNames> {
  return new Map((await listAlertsOf(db, agentId)).map(({ id, name }) => [id, name]));
}

async function readRecords(
  db: Db,
  agentId: AgentId,
  lines: readonly DecisionLine[],
): Promise<ReadonlyMap<string, LineRecords>> {
  const orderIds = lines.flatMap(({ orderId }) => orderId ?? []);
  const causes = await Promise.all(lines.map((line) => causeOf(db, line)));
  const eventIds = causes.flatMap(({ eventId }) => eventId ?? []);
  const [events, fills, closed] = await Promise.all([
    listDecisionEvents(db, eventIds),
    listFillsOf(db, orderIds),
    readClosedPnls(db, agentId, tradedIds(lines)),
  ]);
  return new Map(
    lines.map((line, index) => {
      const cause = causes[index] ?? NOBODY;
      const records: LineRecords = {
        line,
        cause,
        event: events.find(({ id }) => id === cause.eventId) ?? null,
        fills: fills.filter(({ orderId }) => orderId === line.orderId),
        closed: closed.get(line.id) ?? null,
      };
      return [line.id, records] as const;
    }),
  );
}

const NOBODY: DecisionCause = { eventId: null, ruleId: null, alerts: [] };

/** Returns the cause recorded with the decision, or derived from the alerts for an order that was never decided. */
async function causeOf(db: Db, line: DecisionLine): Promise<DecisionCause> {
  const facts = toStoredFacts(line.facts);
  if (facts !== null) return facts.cause;
  const { orderId, eventId, ruleId } = line;
  if (orderId !== null) return readCauseOf(db, { orderId });
  if (eventId === null || ruleId === null) return { ...NOBODY, eventId };
  return readCauseOf(db, { eventId, ruleId });
}

const tradedIds = (lines: readonly DecisionLine[]) =>
  lines.flatMap(({ id, status, orderId }) =>
    status === "success" && orderId !== null ? [id] : [],
  );
