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
} from "../store/orders/decision-lines.ts";
import { exitFeesOfRest } from "../../domain/ledger/realise.ts";
import { readPositionTrades } from "../store/ledger/asset-book.ts";
import { readClosedPnls } from "../store/orders/closed-profits.ts";
import {
  countAlertEvents,
  sumByCause,
  type AlertCount,
  type CauseSum,
} from "../store/orders/decision-sums.ts";
import { listRulesOf, type RuleRecord } from "../store/alerts/rules.ts";
import type { Handlers } from "../http/handler.ts";
import {
  type AlertNames,
  type LineRecords,
  presentCounter,
  presentEvent,
  presentLine,
} from "./present-decision.ts";
import { toStoredFacts } from "./stored-facts.ts";
import type { ResponseOf } from "../../contract/route.ts";
import type { ROUTES } from "../../contract/routes.ts";
import { lineAmount } from "../../domain/order/order-states.ts";
import { nameKey } from "../../domain/name-key.ts";
import { SIGNALS } from "../../domain/signal.ts";

type Sums = ResponseOf<typeof ROUTES.sumDecisions>;
type Sum = Omit<Sums["rules"][number], "ruleId" | "action" | "counters">;

/** Data to aggregate: sums of the entries by cause, recorded alerts, and the present alerts and rules. */
interface SumInput {
  readonly sums: readonly CauseSum[];
  readonly events: readonly AlertCount[];
  readonly alerts: readonly Pick<AlertRecord, "id" | "name">[];
  readonly rules: readonly Pick<RuleRecord, "id" | "action" | "conditions">[];
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
      counters: conditions.map((condition) => presentCounter(condition, names)),
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
export function decisionHandlers(deps: { readonly db: Db }) {
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
      const input = { sums, events, alerts, rules };
      return { alerts: sumAlerts(input), rules: sumRules(input) };
    },
  } satisfies Partial<Handlers>;
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
  const [events, fills, closed, fees] = await Promise.all([
    listDecisionEvents(db, eventIds),
    listFillsOf(db, orderIds),
    readClosedPnls(db, agentId, tradedIds(lines)),
    Promise.all(lines.map((line) => readClosedFees(db, agentId, line))),
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
        closedFees: fees[index] ?? new Map(),
      };
      return [line.id, records] as const;
    }),
  );
}

/** Returns the fees of closed parts in the PnL of the positions a decision saw: an open position is shown without them. */
async function readClosedFees(db: Db, agentId: AgentId, { facts, decidedAt }: DecisionLine) {
  const positions = toStoredFacts(facts)?.account?.positions ?? [];
  const fees = positions.map(async ({ marketId, side, baseSize }) => {
    const trades = await readPositionTrades(db, agentId, marketId, decidedAt ?? undefined);
    const signed = side === "long" ? BigInt(baseSize) : -BigInt(baseSize);
    // Its own fill may be of the same moment
    const last = trades.findLastIndex(({ held }) => held.base === signed);
    return [marketId, exitFeesOfRest(trades.slice(0, last + 1))] as const;
  });
  return new Map(await Promise.all(fees));
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
