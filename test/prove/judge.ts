import { SIGNALS } from "../../src/domain/signal.ts";
import { isOpenOrderState, ORDER_STATES } from "../../src/domain/order/order-states.ts";
import type { RuleState } from "../../src/domain/rule-engine.ts";
import { RuleModel } from "../rule-model.ts";
import { type AcknowledgedAlert, describeAlert } from "./alert-senders.ts";
import { judgeMoney } from "./judge-money.ts";
import { groupBy } from "./money-evidence.ts";
import type { Evidence, StoredCounter, StoredEvent } from "./evidence.ts";

/**
 * A violated requirement, named with its ids.
 *
 * `lost`: acknowledged and not there, or there without what it causes. `doubled`: there more often than it was caused.
 * `counter`: a counter that the alerts do not add up to. `differs`: log, orders, book and chain say different things.
 * `open`: work that did not come to rest.
 */
export interface Finding {
  readonly kind: "lost" | "doubled" | "counter" | "differs" | "open";
  readonly text: string;
}

/** Compares what senders were told with what the database and the chain hold. Returns nothing when all is right. */
export function judge(
  acknowledged: readonly AcknowledgedAlert[],
  evidence: Evidence,
): readonly Finding[] {
  return [
    ...judgeAlerts(acknowledged, evidence),
    ...judgeRules(evidence),
    ...judgeLog(evidence),
    ...judgeChain(evidence),
    ...judgeMoney(evidence),
    ...judgeRest(evidence),
  ];
}

const alertKey = (alert: StoredEvent | AcknowledgedAlert): string =>
  `${alert.agentId} ${alert.alertName} ${alert.firedAtMs}`;

/** Every acknowledged alert is one stored event, and every stored event was acknowledged. */
function judgeAlerts(
  acknowledged: readonly AcknowledgedAlert[],
  { events }: Evidence,
): readonly Finding[] {
  const found: Finding[] = [];
  const storedOf = groupBy(events, alertKey);
  for (const alert of acknowledged) {
    const stored = (storedOf.get(alertKey(alert)) ?? []).map(({ id }) => id);
    storedOf.delete(alertKey(alert));
    const known = new Set([...alert.eventIds, ...stored]);
    if (stored.length > 1 || alert.eventIds.length > 1) {
      found.push(doubled(`${describeAlert(alert)}: it counted as events ${[...known].join(", ")}`));
    }
    const missing = alert.eventIds.filter((id) => !stored.includes(id));
    if (missing.length > 0) {
      found.push(lost(`${describeAlert(alert)}: event ${missing.join(", ")} was acknowledged`));
    }
  }
  for (const [unsent] of storedOf.values()) {
    if (unsent === undefined) continue;
    found.push(doubled(`${describeAlert(unsent)}: event ${unsent.id} was acknowledged to nobody`));
  }
  return found;
}

/** Checks counters, orders and log rows against a second implementation of the rules. */
function judgeRules(evidence: Evidence): readonly Finding[] {
  const found: Finding[] = [];
  const eventsOf = groupBy(evidence.events, ({ agentId }) => agentId);
  const ordersOf = groupBy(evidence.orders, ({ eventId }) => eventId);
  const rowsOf = groupBy(evidence.log, ({ eventId }) => eventId);
  const stored = new Set(evidence.events.map(({ id }) => id));
  for (const { id, agentId, eventId } of evidence.orders) {
    if (eventId === null || stored.has(eventId)) continue;
    const text = `order ${id} of agent ${agentId} is caused by event ${eventId}, which is not stored`;
    found.push(doubled(text));
  }
  for (const [agentId, counters] of groupBy(evidence.counters, (each) => each.agentId)) {
    const model = new RuleModel(rulesOf(counters));
    for (const event of eventsOf.get(agentId) ?? []) {
      const signals = model.receive(event.alertName).map((signal) => signal.replace(" denied", ""));
      const cause = `event ${event.id} of agent ${agentId}`;
      const orders = (ordersOf.get(event.id) ?? []).filter(({ leg }) => leg === 0);
      const legs = new Set(
        (ordersOf.get(event.id) ?? []).flatMap(({ id, leg }) => (leg === 0 ? [] : [id])),
      );
      const rows = (rowsOf.get(event.id) ?? []).filter(({ orderId }) => !legs.has(orderId ?? ""));
      const placed = signals.filter((signal) => !signal.startsWith("RESET_"));
      found.push(
        ...compareSignals(placed, orders, (signal) => `order ${signal} of ${cause}`),
        ...compareSignals(signals, rows, (signal) => `log row ${signal} of ${cause}`),
      );
    }
    for (const { ruleId, action, alertName, count } of counters) {
      const expected = model.counters.get(`${ruleId} ${alertName}`) ?? 0;
      if (count === expected) continue;
      const text = `agent ${agentId}, rule ${ruleId} (${action}), alert ${alertName}: counted ${count}, its alerts make ${expected}`;
      found.push({ kind: "counter", text });
    }
  }
  return found;
}

function rulesOf(counters: readonly StoredCounter[]): readonly RuleState[] {
  return [...groupBy(counters, ({ ruleId }) => ruleId)].map(([ruleId, conditions]) => {
    const action = SIGNALS.find((signal) => signal === conditions[0]?.action);
    if (action === undefined) throw new Error(`Rule ${ruleId} has an unknown action`);
    return {
      ruleId,
      action,
      conditions: conditions.map(({ alertName, requiredCount }) => ({
        alertKey: alertName,
        requiredCount,
        count: 0,
      })),
    };
  });
}

function compareSignals(
  expected: readonly string[],
  stored: readonly { readonly id: string; readonly signal: string }[],
  name: (signal: string) => string,
): readonly Finding[] {
  return [...new Set([...expected, ...stored.map(({ signal }) => signal)])].flatMap((signal) => {
    const wanted = expected.filter((each) => each === signal).length;
    const ids = stored.flatMap((each) => (each.signal === signal ? [each.id] : []));
    if (ids.length < wanted) return [lost(`${name(signal)} is missing`)];
    if (ids.length > wanted) {
      return [doubled(`${name(signal)}: ${ids.length} for ${wanted}: ${ids.join(", ")}`)];
    }
    return [];
  });
}

/** Every order has one row of the log, and no transaction has two. */
function judgeLog({ orders, log, fills }: Evidence): readonly Finding[] {
  const found: Finding[] = [];
  const rowsOf = groupBy(log, ({ orderId }) => orderId);
  const fillsOf = groupBy(fills, ({ orderId }) => orderId);
  for (const { id, agentId, state } of orders) {
    const rows = rowsOf.get(id) ?? [];
    if (rows.length === 0)
      found.push(lost(`log row of order ${id} of agent ${agentId} is missing`));
    const filled = (fillsOf.get(id) ?? []).reduce((sum, { baseSize }) => sum + baseSize, 0n);
    for (const row of rows) {
      if (row.baseSize === filled) continue;
      const text = `log row ${row.id} says ${row.baseSize}, the fills of order ${id} (${state}) are ${filled}`;
      found.push({ kind: "differs", text });
    }
  }
  for (const [signature, rows] of groupBy(log, (row) => row.signature)) {
    if (signature === null || rows.length === 1) continue;
    const ids = rows.map(({ id }) => id).join(", ");
    found.push(doubled(`transaction ${signature} is in the log ${rows.length} times: rows ${ids}`));
  }
  return found;
}

/** Checks that log and ledger have exactly the chain's trades, each with its size. */
function judgeChain({ log, fills, chain, book }: Evidence): readonly Finding[] {
  const found: Finding[] = [];
  const logged = new Map<string, bigint>();
  const ordersInLog = new Set(log.map(({ orderId }) => orderId));
  for (const { orderId, signature, baseSize } of fills) {
    if (!ordersInLog.has(orderId)) continue;
    logged.set(signature, (logged.get(signature) ?? 0n) + baseSize);
  }
  for (const [name, sizes] of [["log", logged] as const, ["book", book] as const]) {
    for (const [signature, { user, baseSize }] of chain) {
      const size = sizes.get(signature);
      if (size === baseSize) continue;
      const said = size === undefined ? "is not in" : `is ${baseSize} on the chain and ${size} in`;
      found.push(differs(`transaction ${signature} of account ${user} ${said} the ${name}`));
    }
    for (const signature of sizes.keys()) {
      if (chain.has(signature)) continue;
      found.push(differs(`transaction ${signature} is in the ${name} and not on the chain`));
    }
  }
  return found;
}

/** Checks that no work is left and that the ledger's sums equal the chain's. */
function judgeRest({ orders, marks }: Evidence): readonly Finding[] {
  const open = ORDER_STATES.filter((state) => isOpenOrderState(state));
  return [
    ...orders.flatMap(({ id, agentId, state }): Finding[] =>
      open.some((each) => each === state)
        ? [{ kind: "open", text: `order ${id} of agent ${agentId} is still ${state}` }]
        : [],
    ),
    ...marks.flatMap(({ agentId, isPending, difference }) =>
      difference !== null || isPending
        ? [
            differs(
              `the book of agent ${agentId} does not equal its accounts: ${difference ?? "pending"}`,
            ),
          ]
        : [],
    ),
  ];
}

const lost = (text: string): Finding => ({ kind: "lost", text });
const doubled = (text: string): Finding => ({ kind: "doubled", text });
const differs = (text: string): Finding => ({ kind: "differs", text });
