import type { Address } from "@solana/kit";
import { SIGNALS } from "../../src/domain/signal.ts";
import { isOpenOrderState, ORDER_STATES } from "../../src/domain/order/order-states.ts";
import type { RuleState } from "../../src/domain/rule-engine.ts";
import { ORDER_ACTION } from "../../src/venues/drift/order-action-record.ts";
import { RuleModel } from "../rule-model.ts";
import { type Actions, type AnsweredAlert, describeAlert, type SentAlert } from "./actions.ts";
import type { Landed } from "./chain-evidence.ts";
import type { Evidence, Moment, StoredCounter, StoredEvent } from "./evidence.ts";
import { judgeSums } from "./judge-accounts.ts";
import { judgeMoney, judgeTrades } from "./judge-money.ts";
import { judgeStored } from "./judge-stored.ts";

/**
 * A violated requirement, named with its ids.
 *
 * `lost`: acknowledged and not there, or there without what it causes. `doubled`: there more often than it was caused.
 * `counter`: a counter that the alerts do not add up to. `differs`: log, orders, book and chain say different things.
 * `forbidden`: signed although it must not be. `open`: work that did not come to rest.
 */
export interface Finding {
  readonly kind: "lost" | "doubled" | "counter" | "differs" | "forbidden" | "open";
  readonly text: string;
}

/** Checks what holds at every moment, while work is under way too. Returns nothing when all is right. */
export function judgeMoment(actions: Actions, moment: Moment): readonly Finding[] {
  const isThere = ({ agentId }: { readonly agentId: string }) => !actions.deleted.has(agentId);
  return [
    ...judgeAlerts(actions.alerts.filter(isThere), moment.events.filter(isThere)),
    ...judgeRules(actions, moment),
    ...judgeTrades(moment),
    ...judgeKeys(actions, moment),
  ];
}

/** Checks what holds once no work is left, beside all that always holds. Returns nothing when all is right. */
export function judge(actions: Actions, evidence: Evidence): readonly Finding[] {
  return [
    ...judgeMoment(actions, evidence),
    ...judgeLog(evidence),
    ...judgeChain(actions, evidence),
    ...judgeMoney(evidence),
    ...judgeSums(evidence),
    ...judgeStored(evidence.stored, evidence.landed),
    ...judgeRest(actions, evidence),
  ];
}

const alertKey = (alert: SentAlert): string =>
  `${alert.agentId} ${alert.alertName} ${alert.firedAtMs}`;

/** Outcomes of the one event that a firing is stored as. */
const STORED: readonly string[] = ["accepted", "ignored"];

/** Every acknowledged alert is one stored event, and every stored event was sent. */
export function judgeAlerts(
  alerts: readonly AnsweredAlert[],
  events: readonly StoredEvent[],
): readonly Finding[] {
  const found: Finding[] = [];
  const storedOf = Map.groupBy(
    events.filter(({ outcome }) => STORED.includes(outcome)),
    alertKey,
  );
  for (const [key, sent] of Map.groupBy(alerts, alertKey)) {
    const [alert] = sent;
    if (alert === undefined) continue;
    const answered = [...new Set(sent.flatMap(({ eventIds }) => eventIds))];
    const stored = (storedOf.get(key) ?? []).map(({ id }) => id);
    storedOf.delete(key);
    const known = new Set([...answered, ...stored]);
    if (stored.length > 1 || answered.length > 1) {
      found.push(doubled(`${describeAlert(alert)}: it counted as events ${[...known].join(", ")}`));
    }
    const missing = answered.filter((id) => !stored.includes(id));
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
function judgeRules({ turnedOn, deleted }: Actions, moment: Moment): readonly Finding[] {
  const found: Finding[] = [];
  const accepted = moment.events.filter(({ outcome }) => outcome === "accepted");
  const eventsOf = Map.groupBy(accepted, ({ agentId }) => agentId);
  const ordersOf = Map.groupBy(moment.orders, ({ eventId }) => eventId);
  const rowsOf = Map.groupBy(moment.log, ({ eventId }) => eventId);
  const stored = new Set(accepted.map(({ id }) => id));
  for (const { id, agentId, eventId } of moment.orders) {
    if (eventId === null || stored.has(eventId) || deleted.has(agentId)) continue;
    const text = `order ${id} of agent ${agentId} is caused by event ${eventId}, which is not stored`;
    found.push(doubled(text));
  }
  for (const [agentId, counters] of Map.groupBy(moment.counters, (each) => each.agentId)) {
    const rules = rulesOf(counters);
    let model = new RuleModel(rules);
    const resetAfter = (events: number): void => {
      const isReset = turnedOn.some(
        (each) => each.agentId === agentId && each.afterEvents === events,
      );
      if (isReset) model = new RuleModel(rules);
    };
    for (const [at, event] of (eventsOf.get(agentId) ?? []).entries()) {
      resetAfter(at);
      const signals = model.receive(event.alertName, event.reason === "closings_only");
      const cause = `event ${event.id} of agent ${agentId}`;
      const orders = ordersOf.get(event.id) ?? [];
      const legs = new Set(orders.flatMap(({ id, leg }) => (leg === 0 ? [] : [id])));
      const rows = (rowsOf.get(event.id) ?? []).filter(({ orderId }) => !legs.has(orderId ?? ""));
      const planned = orders
        .filter(({ leg }) => leg === 0)
        .map(({ id, signal, reason }) => ({
          id,
          signal: reason === "both_sides" ? `${signal} denied` : signal,
        }));
      const placed = signals.filter((signal) => !signal.startsWith("RESET_"));
      const shown = signals.map((signal) => signal.replace(" denied", ""));
      found.push(
        ...compareSignals(placed, planned, (signal) => `order ${signal} of ${cause}`),
        ...compareSignals(shown, rows, (signal) => `log row ${signal} of ${cause}`),
      );
    }
    resetAfter(eventsOf.get(agentId)?.length ?? 0);
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
  return [...Map.groupBy(counters, ({ ruleId }) => ruleId)].map(([ruleId, conditions]) => {
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

/** Checks that a trading key signed only what the trading state allows, for an order, on its own agent's accounts. */
function judgeKeys({ signed, deleted }: Actions, moment: Moment): readonly Finding[] {
  const { orders, followUps, landed, agents } = moment;
  const noteOf = new Map(signed.map((note) => [note.signature, note]));
  const entries = new Set(
    orders.flatMap(({ reduces, signature }) => (reduces === false ? [signature] : [])),
  );
  const agentOf = new Map(orders.map(({ id, agentId }) => [id, agentId]));
  const causedBy = new Map<string | null, string | undefined>([
    ...followUps.map(({ orderId, signature }) => [signature, agentOf.get(orderId)] as const),
    ...orders.map(({ signature, agentId }) => [signature, agentId] as const),
  ]);
  const found: Finding[] = [];
  for (const { purpose, signature, tradingState } of signed) {
    if (purpose !== "order" || tradingState === "active") continue;
    if (tradingState === "halted") found.push(forbidden(`${signature} was signed while halted`));
    else if (entries.has(signature)) {
      found.push(forbidden(`${signature} opens and was signed while reducing`));
    }
  }
  for (const { signature, touched } of landed) {
    const note = noteOf.get(signature);
    if (note === undefined) continue;
    const { agentId, purpose } = note;
    const needsOrder =
      purpose !== "settlement" && purpose !== "protective" && !deleted.has(agentId);
    if (needsOrder && causedBy.get(signature) !== agentId) {
      found.push(doubled(`${purpose} ${signature} of agent ${agentId} landed and has no order`));
    }
    const other = agents.find(
      (agent) =>
        agent.agentId !== agentId &&
        [agent.multisig, agent.vault, agent.tradingKey, agent.vaultTokens, ...agent.users].some(
          (address) => touched.has(address),
        ),
    );
    if (other === undefined) continue;
    found.push(forbidden(`${signature} of agent ${agentId} touches agent ${other.agentId}`));
  }
  return found;
}

/** Every order has one row of the log, and no transaction has two. */
function judgeLog({ orders, log, fills }: Evidence): readonly Finding[] {
  const found: Finding[] = [];
  const rowsOf = Map.groupBy(log, ({ orderId }) => orderId);
  const fillsOf = Map.groupBy(fills, ({ orderId }) => orderId);
  for (const { id, agentId, state } of orders) {
    const rows = rowsOf.get(id) ?? [];
    if (rows.length === 0)
      found.push(lost(`log row of order ${id} of agent ${agentId} is missing`));
    const filled = (fillsOf.get(id) ?? []).reduce((sum, { baseSize }) => sum + baseSize, 0n);
    for (const row of rows) {
      if (row.baseSize === filled) continue;
      const text = `log row ${row.id} says ${row.baseSize}, the fills of order ${id} (${state}) are ${filled}`;
      found.push(differs(text));
    }
  }
  for (const [signature, rows] of Map.groupBy(log, (row) => row.signature)) {
    if (signature === null || rows.length === 1) continue;
    const ids = rows.map(({ id }) => id).join(", ");
    found.push(doubled(`transaction ${signature} is in the log ${rows.length} times: rows ${ids}`));
  }
  return found;
}

/** Checks that log and ledger have exactly the chain's trades, each with its size. */
function judgeChain({ deleted }: Actions, evidence: Evidence): readonly Finding[] {
  const { log, fills, landed, entries, agents } = evidence;
  const found: Finding[] = [];
  const inLog = new Map<string, bigint>();
  const inBook = new Map<string, bigint>();
  const add = (sizes: Map<string, bigint>, signature: string, size: bigint) =>
    void sizes.set(signature, (sizes.get(signature) ?? 0n) + size);
  const ordersInLog = new Set(log.map(({ orderId }) => orderId));
  for (const { orderId, signature, baseSize } of fills) {
    if (ordersInLog.has(orderId) && baseSize !== 0n) add(inLog, signature, baseSize);
  }
  // What an owner's wallet traded has no order
  for (const { orderId, signature, baseSize } of log) {
    if (orderId === null && signature !== null) add(inLog, signature, baseSize);
  }
  for (const { kind, signature, baseAmount } of entries) {
    if (kind === "trade") add(inBook, signature, baseAmount ?? 0n);
  }
  const gone = new Set(agents.flatMap(({ agentId, users }) => (deleted.has(agentId) ? users : [])));
  const trades = tradesOf(landed);
  for (const [name, sizes] of [["log", inLog] as const, ["book", inBook] as const]) {
    for (const [signature, { user, baseSize }] of trades) {
      const size = sizes.get(signature);
      if (size === baseSize || gone.has(user)) continue;
      const said = size === undefined ? "is not in" : `is ${baseSize} on the chain and ${size} in`;
      found.push(differs(`transaction ${signature} of account ${user} ${said} the ${name}`));
    }
    for (const signature of sizes.keys()) {
      if (trades.has(signature)) continue;
      found.push(differs(`transaction ${signature} is in the ${name} and not on the chain`));
    }
  }
  return found;
}

const LONG = 0;

/** Returns what the landed transactions traded, by their own events and not by any record of ours. */
function tradesOf(landed: readonly Landed[]) {
  const trades = new Map<string, { readonly user: Address; readonly baseSize: bigint }>();
  for (const { signature, events } of landed) {
    for (const event of events) {
      if (event.kind !== "order" || event.record.action !== ORDER_ACTION.fill) continue;
      const { taker, maker, takerOrderDirection, makerOrderDirection } = event.record;
      const filled = event.record.baseAssetAmountFilled ?? 0n;
      const user = taker ?? maker;
      if (filled === 0n || user === null) continue;
      const isLong = (taker === null ? makerOrderDirection : takerOrderDirection) === LONG;
      const before = trades.get(signature)?.baseSize ?? 0n;
      trades.set(signature, { user, baseSize: before + (isLong ? filled : -filled) });
    }
  }
  return trades;
}

/** Checks that no work is left and that the ledger's sums equal the chain's. */
function judgeRest({ deleted, signed }: Actions, evidence: Evidence): readonly Finding[] {
  const { orders, exits, autoTrade, marks, agents, holdings, landed, followUps } = evidence;
  const openStates: readonly string[] = ORDER_STATES.filter((state) => isOpenOrderState(state));
  // What rests until a price is reached is meant to be there
  const trading = signed.filter(({ purpose }) => purpose !== "protective");
  const ours = new Set([...trading, ...orders, ...followUps].map(({ signature }) => signature));
  const placed = new Set(
    landed.flatMap((outcome) => (ours.has(outcome.signature) ? outcome.placed : [])),
  );
  return [
    ...orders.flatMap(({ id, agentId, state }) =>
      openStates.includes(state) ? [open(`order ${id} of agent ${agentId} is still ${state}`)] : [],
    ),
    ...exits.flatMap(({ id, state }) =>
      state === "working" ? [open(`exit ${id} is still working`)] : [],
    ),
    ...autoTrade.flatMap(({ agentId, state }) =>
      state === "stopping" ? [open(`agent ${agentId} is still stopping`)] : [],
    ),
    ...agents.flatMap(({ agentId }) =>
      (holdings.get(agentId)?.openOrders ?? [])
        .filter((order) => placed.has(order) && !deleted.has(agentId))
        .map((order) => open(`order ${order} of agent ${agentId} is alive at the exchange`)),
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
const forbidden = (text: string): Finding => ({ kind: "forbidden", text });
const open = (text: string): Finding => ({ kind: "open", text });
