import type { ResponseOf } from "../../contract/route.ts";
import type { ROUTES } from "../../contract/routes.ts";
import { lineAmount } from "../../domain/order/trade-log.ts";
import { nameKey } from "../../domain/name-key.ts";
import { SIGNALS } from "../../domain/signal.ts";
import type { AlertRecord } from "../store/alerts/alerts.ts";
import type { AlertCount, CauseSum } from "../store/orders/decision-sums.ts";
import type { RuleRecord } from "../store/alerts/rules.ts";

type Sums = ResponseOf<typeof ROUTES.sumDecisions>;
type Sum = Omit<Sums["rules"][number], "ruleId" | "action" | "counters">;

/** Data to aggregate: sums of the entries by cause, recorded alerts, and the present alerts and rules. */
export interface SumInput {
  readonly sums: readonly CauseSum[];
  readonly events: readonly AlertCount[];
  readonly alerts: readonly Pick<AlertRecord, "id" | "name">[];
  readonly rules: readonly Pick<RuleRecord, "id" | "action" | "conditions">[];
}

/** Returns, per alert and rule, the number of firings, their outcomes and their PnL. */
export function sumDecisions(input: SumInput): Sums {
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
