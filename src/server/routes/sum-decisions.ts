import type { ResponseOf } from "../../contract/route.ts";
import type { ROUTES } from "../../contract/routes.ts";
import { lineAmount } from "../../domain/order/trade-log.ts";
import { nameKey } from "../../domain/name-key.ts";
import { SIGNALS } from "../../domain/signal.ts";
import type { AlertRecord } from "../store/alerts/alerts.ts";
import type { AlertCount, DecidedTrade } from "../store/orders/decision-sums.ts";
import type { RuleRecord } from "../store/alerts/rules.ts";
import { profitsOf, type TradeProfit } from "./decision-profits.ts";

type Sums = ResponseOf<typeof ROUTES.sumDecisions>;
type Sum = Omit<Sums["rules"][number], "ruleId" | "action" | "counters">;

/** Data to aggregate: entries oldest first, recorded alerts, and the present alerts and rules. */
export interface SumInput {
  readonly trades: readonly DecidedTrade[];
  readonly events: readonly AlertCount[];
  readonly alerts: readonly Pick<AlertRecord, "id" | "name">[];
  readonly rules: readonly Pick<RuleRecord, "id" | "action" | "conditions">[];
}

/** Returns, per alert and rule, the number of firings, their outcomes and their PnL. */
export function sumDecisions(input: SumInput): Sums {
  const profits = profitsOf(input.trades);
  return { alerts: sumAlerts(input, profits), rules: sumRules(input, profits) };
}

function sumAlerts({ trades, events, alerts }: SumInput, profits: readonly TradeProfit[]) {
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
    const isOf = ({ alertKeys }: DecidedTrade) => alertKeys.includes(alertId);
    return {
      alertId,
      alertName,
      ...sumOf(trades.filter(isOf), profits.filter(hasPart(isOf)), refused),
      fired: fired.reduce((sum, { count }) => sum + count, 0),
    };
  });
}

function sumRules({ trades, alerts, rules }: SumInput, profits: readonly TradeProfit[]) {
  const names = new Map(alerts.map(({ id, name }) => [id, name]));
  const gone = new Map(
    trades.flatMap(({ ruleId, signal }) => {
      const action = SIGNALS.find((each) => each === signal);
      const isKnown = rules.some(({ id }) => id === ruleId);
      return ruleId === null || action === undefined || isKnown ? [] : [[ruleId, action] as const];
    }),
  );
  const all = [...rules, ...[...gone].map(([id, action]) => ({ id, action, conditions: [] }))];
  return all.map(({ id, action, conditions }) => {
    const isOf = ({ ruleId }: DecidedTrade) => ruleId === id;
    // The second leg of a reversal belongs to the same firing
    const fired = trades.filter(
      (trade) => isOf(trade) && trade.leg === 0 && trade.alertKeys.length > 0,
    );
    return {
      ruleId: id,
      action,
      counters: conditions.map(({ alertId, count, requiredCount }) => {
        const alertName = names.get(alertId);
        const counter = { alertId, count, requiredCount };
        return alertName === undefined ? counter : { ...counter, alertName };
      }),
      ...sumOf(trades.filter(isOf), profits.filter(hasPart(isOf)), []),
      fired: fired.length,
    };
  });
}

/** PnL is attributed to both the opening and the closing cause */
const hasPart =
  (isOf: (trade: DecidedTrade) => boolean) =>
  ({ closing, opening }: TradeProfit): boolean =>
    isOf(closing) || (opening !== null && isOf(opening));

function sumOf(
  lines: readonly DecidedTrade[],
  profits: readonly TradeProfit[],
  refused: readonly AlertCount[],
): Sum {
  const orders = lines.filter(({ type }) => type !== "reset");
  const denied = orders.filter(({ status }) => status === "failed");
  const reasons = [
    ...denied.map(({ reason }) => ({ reason: reason ?? "", count: 1 })),
    ...refused.map(({ reason, outcome, count }) => ({ reason: reason ?? outcome, count })),
  ];
  const earned = profits.reduce((sum, { closed }) => sum + closed.pnl, 0n);
  const decimals = profits[0]?.closing.quoteDecimals;
  return {
    fired: 0,
    traded: orders.filter(({ status }) => status === "success").length,
    denied: denied.length,
    reasons: addUp(reasons),
    ...(decimals !== undefined && { profit: lineAmount(earned, decimals) }),
    closed: profits.length,
    wins: profits.filter(({ closed }) => closed.pnl > 0n).length,
  };
}

function addUp(counts: Sum["reasons"]): Sum["reasons"] {
  const sums = new Map<string, number>();
  for (const { reason, count } of counts) sums.set(reason, (sums.get(reason) ?? 0) + count);
  return [...sums]
    .map(([reason, count]) => ({ reason, count }))
    .toSorted((one, other) => other.count - one.count);
}
