import type { AgentId } from "../../domain/ids.ts";
import type { Db } from "../store/postgres/db.ts";
import { listAlertsOf } from "../store/alerts/alerts.ts";
import { type DecisionCause, readCauseOf } from "../store/orders/decision-cause.ts";
import {
  type DecisionFilter,
  type DecisionLine,
  listDecisionEvents,
  listDecisionLines,
  listFillsOf,
  listUntradedEvents,
} from "../store/orders/decision-lines.ts";
import { readClosedPnls } from "../store/orders/closed-profits.ts";
import { countAlertEvents, sumByCause } from "../store/orders/decision-sums.ts";
import { listRulesOf } from "../store/alerts/rules.ts";
import type { Handlers } from "../http/handler.ts";
import {
  type AlertNames,
  type LineRecords,
  presentEvent,
  presentLine,
} from "./present-decision.ts";
import { toStoredFacts } from "./stored-facts.ts";
import { sumDecisions } from "./sum-decisions.ts";

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
