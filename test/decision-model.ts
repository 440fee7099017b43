import { sql } from "kysely";
import type { ResponseOf } from "../src/contract/route.ts";
import type { ROUTES } from "../src/contract/routes.ts";
import type { ClosedPnl } from "../src/domain/position.ts";
import type { AgentId } from "../src/domain/ids.ts";
import { lineAmount, tradedSignal } from "../src/domain/order/order-states.ts";
import { SIGNALS } from "../src/domain/signal.ts";
import type { AlertRecord } from "../src/server/store/alerts/alerts.ts";
import type { RuleRecord } from "../src/server/store/alerts/rules.ts";
import type { Db } from "../src/server/store/postgres/db.ts";
import { kindOf } from "../src/venues/profiles.ts";
import { closedPnls } from "./closed-pnl-model.ts";

/** A trade log entry with its rule and alerts; `bigint` columns are decimal text. */
export interface DecidedTrade {
  readonly id: string;
  readonly market: string;
  readonly signal: string;
  readonly side: string;
  readonly type: string;
  readonly status: string;
  readonly reason: string | null;
  readonly baseSize: string;
  readonly quoteTotal: string;
  /** Null when the market is unknown: the entry then has no amounts. */
  readonly quoteDecimals: number | null;
  readonly fee: string | null;
  readonly ruleId: string | null;
  readonly leg: number;
  /** Distinct alerts that counted towards it. */
  readonly alertKeys: readonly string[];
}

/** Returns an agent's entries, oldest first. */
export async function listDecidedTrades(
  db: Db,
  agentId: AgentId,
): Promise<readonly DecidedTrade[]> {
  const { rows } = await sql<DecidedTrade>`
    select line.id, line.market, line.signal, line.side, line.type, line.status, line.reason,
      line.base_size as "baseSize", line.quote_total as "quoteTotal",
      line.quote_decimals as "quoteDecimals", line.fee, coalesce(orders.leg, 0) as leg,
      coalesce(decisions.rule_id, line.rule_id) as "ruleId",
      array(
        select alert ->> 'alertKey' from jsonb_array_elements(
          decisions.facts -> 'cause' -> 'alerts') as counted (alert)
        union select encode(uuid_send(event.alert_id), 'hex') where event.alert_id is not null
      ) as "alertKeys"
    from trade_log line
    left join orders on orders.id = line.order_id
    left join decisions on decisions.order_id = line.order_id
    left join alert_events event on event.id = line.event_id
    where line.agent_id = ${agentId}
    order by line.seq`.execute(db);
  return rows;
}

/** PnL of a closing trade, with the opening trade; null where unknown. */
interface TradeProfit {
  readonly id: string;
  readonly closed: ClosedPnl;
  readonly closing: DecidedTrade;
  readonly opening: DecidedTrade | null;
}

/** Returns the PnL of every closing trade of an agent. `lines` must be oldest first. */
function profitsOf(lines: readonly DecidedTrade[]): readonly TradeProfit[] {
  const traded = lines.filter(({ status, type }) => status === "success" && type !== "reset");
  const markets = [...new Set(traded.map(({ market }) => market))];
  return markets.flatMap((market) =>
    profitsOfMarket(traded.filter((trade) => trade.market === market)),
  );
}

function profitsOfMarket(trades: readonly DecidedTrade[]): TradeProfit[] {
  const logged = trades.map((trade) => ({
    signal: tradedSignal(trade.signal, trade.side, kindOf(trade.market)),
    baseSize: BigInt(trade.baseSize),
    quoteTotal: BigInt(trade.quoteTotal),
    fee: BigInt(trade.fee ?? 0),
  }));
  const closed = closedPnls(logged);
  let opening: DecidedTrade | null = null;
  return trades.flatMap((trade, index) => {
    const pnl = closed[index] ?? null;
    const found = pnl === null ? [] : [{ id: trade.id, closed: pnl, closing: trade, opening }];
    if (logged[index]?.signal.startsWith("OPEN_")) opening = trade;
    return found;
  });
}

type Sums = ResponseOf<typeof ROUTES.sumDecisions>;
type Sum = Omit<Sums["rules"][number], "ruleId" | "action" | "counters">;

/** One recorded alert. */
export interface Arrival {
  /** Null where it counted for nothing. */
  readonly alertId: string | null;
  readonly name: string;
  readonly outcome: "accepted" | "duplicate" | "ignored" | "refused" | "denied";
  readonly reason: string | null;
}

/** Data to aggregate: entries oldest first, every recorded alert, and the present alerts and rules. */
export interface ModelInput {
  readonly trades: readonly DecidedTrade[];
  readonly arrivals: readonly Arrival[];
  readonly alerts: readonly Pick<AlertRecord, "id" | "name">[];
  readonly rules: readonly Pick<RuleRecord, "id" | "action" | "conditions">[];
}

/** Returns, per alert and rule, the number of firings, their outcomes and their PnL. */
export function modelDecisions(input: ModelInput): Sums {
  const profits = profitsOf(input.trades);
  return { alerts: sumAlerts(input, profits), rules: sumRules(input, profits) };
}

function sumAlerts({ trades, arrivals, alerts }: ModelInput, profits: readonly TradeProfit[]) {
  const counted = arrivals.filter(({ outcome }) => outcome !== "duplicate");
  const gone = new Map<string, string>();
  for (const { alertId, name } of counted) {
    const isKnown = alerts.some(({ id }) => id === alertId);
    if (alertId !== null && !isKnown) gone.set(alertId, name);
  }
  const all = [...alerts.map(({ id, name }) => [id, name] as const), ...gone];
  return all.map(([alertId, alertName]) => {
    const refused: Sum["reasons"] = [];
    let fired = 0;
    for (const arrival of counted) {
      // An arrival that belongs to no alert goes to the one that has its name now
      const isNamed =
        arrival.alertId === null &&
        !gone.has(alertId) &&
        arrival.name.toLowerCase() === alertName.toLowerCase();
      if (arrival.alertId !== alertId && !isNamed) continue;
      if (arrival.outcome === "accepted") fired += 1;
      else refused.push({ reason: arrival.reason ?? arrival.outcome, count: 1 });
    }
    const isOf = ({ alertKeys }: DecidedTrade) => alertKeys.includes(alertId);
    const sum = sumOf(trades.filter(isOf), profits.filter(hasPart(isOf)), refused);
    return { alertId, alertName, ...sum, fired };
  });
}

function sumRules({ trades, alerts, rules }: ModelInput, profits: readonly TradeProfit[]) {
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
  refused: Sum["reasons"],
): Sum {
  const orders = lines.filter(({ type }) => type !== "reset");
  const denied = orders.filter(({ status }) => status === "failed");
  const reasons = [...denied.map(({ reason }) => ({ reason: reason ?? "", count: 1 })), ...refused];
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
  return [...sums].map(([reason, count]) => ({ reason, count })).toSorted(byCount);
}

/** Most frequent first; the order of equally frequent reasons is not specified. */
export const byCount = (one: Sum["reasons"][number], other: Sum["reasons"][number]): number =>
  other.count - one.count || one.reason.localeCompare(other.reason);
