import { formatDecimal } from "../../domain/amount.ts";
import type { OrderId } from "../../domain/ids.ts";
import type { Db } from "../store/postgres/db.ts";
import { type OrderHistory, readOrderHistory } from "../store/orders/order-history.ts";

const utc = (at: Date | null): string => at?.toISOString() ?? "time not kept";

/** Digits of base units as a decimal where the scale is known, else as they are. */
const amount = (digits: string, decimals: number | null): string =>
  decimals === null ? `${digits} base units` : formatDecimalText(digits, decimals);

const formatDecimalText = (digits: string, decimals: number): string =>
  digits.startsWith("-")
    ? `-${formatDecimal(BigInt(digits.slice(1)), decimals)}`
    : formatDecimal(BigInt(digits), decimals);

/** Returns an order's whole life, one line a happening, times in UTC; null where there is no such order. */
export async function traceOrder(db: Db, orderId: OrderId): Promise<readonly string[] | null> {
  const history = await readOrderHistory(db, orderId);
  if (history === null) return null;
  return [
    ...headOf(history),
    ...section("Alert", alertLines(history)),
    ...section("Decision", decisionLines(history)),
    ...section("Order", orderLines(history)),
    ...section("Fills", fillLines(history)),
    ...section("Trade log", logLines(history)),
    ...section("Exit", exitLines(history)),
    ...section("Ledger", ledgerLines(history)),
  ];
}

const section = (title: string, lines: readonly string[]): readonly string[] => [
  title,
  ...(lines.length === 0 ? ["nothing"] : lines).map((line) => `  ${line}`),
];

function headOf({ order, agent }: OrderHistory): readonly string[] {
  const { id, signal, leg, state, reason } = order;
  const outcome = reason === null ? state : `${state}, ${reason}`;
  return [
    `Order ${id}: ${signal}${leg > 0 ? ", opening half of a turn" : ""}, ${outcome}`,
    `Agent ${order.agent_id} "${agent.name}" on ${agent.venue}, ${agent.network}; owner ${agent.owner}`,
  ];
}

function alertLines({ event, cause, action }: OrderHistory): readonly string[] {
  const received =
    event === null
      ? ["none: the owner asked for it, or it is a try of an exit"]
      : [
          `${utc(event.received_at)} received "${event.alert_name}" by ${event.compared === null ? "webhook" : "condition"}, ${event.outcome}, event ${event.id}`,
        ];
  const counted = cause.alerts.map(
    ({ receivedAt, alertName, count, requiredCount }) =>
      `${receivedAt} "${alertName}" counted ${count} of ${requiredCount}`,
  );
  const rule =
    cause.ruleId === null ? [] : [`rule ${cause.ruleId} fired: ${action ?? "deleted since"}`];
  return [...received, ...counted, ...rule];
}

function decisionLines({ decision, line }: OrderHistory): readonly string[] {
  if (decision === null) return [];
  const { checks, price, account, order, reason } = decision.facts;
  const quote = (digits: string) => amount(digits, line?.quote_decimals ?? null);
  return [
    `${utc(decision.decidedAt)} ${reason === null ? "to be sent" : `not sent: ${reason}`}`,
    ...(price === null
      ? []
      : [`price ${formatDecimalText(price.price, 6)} of ${utc(new Date(price.publishedAtMs))}`]),
    ...(account === null
      ? []
      : [`account ${quote(account.portfolioValue)}, free ${quote(account.freeCollateral)}`]),
    ...checks.map(({ name, hasPassed, reason: refusal, figures }) => {
      const measured =
        figures === null
          ? ""
          : `, ${figures.figure ?? "not known"} of at most ${figures.limit ?? "any"} (${figures.unit})`;
      return `${hasPassed ? "passed" : `failed as ${refusal}`}: ${name}${measured}`;
    }),
    ...(order === null
      ? []
      : [
          `${order.side}${order.reduceOnly ? ", reduces only" : ""}, ${amount(order.baseSize, line?.base_decimals ?? null)} at most ${order.slippageBps} basis points off`,
        ]),
  ];
}

function orderLines({ order, followUps }: OrderHistory): readonly string[] {
  const { planned_at, submitted_at, settled_at, stop_rested_at, signature, bytes, state, reason } =
    order;
  return [
    `${utc(planned_at)} planned`,
    ...(submitted_at === null
      ? []
      : [
          `${utc(submitted_at)} stored, then sent: ${bytes ?? 0} bytes, signature ${signature ?? "none"}, valid to block height ${order.last_valid_block_height ?? "not kept"}`,
        ]),
    ...followUps.map(
      ({ submitted_at: at, purpose, signature: followed, ended }) =>
        `${utc(at)} ${purpose} sent, signature ${followed}, ${ended ?? "end not known yet"}`,
    ),
    settled_at === null
      ? `${state}, not ended`
      : `${utc(settled_at)} ${state}${reason === null ? "" : `, ${reason}`}`,
    ...(settled_at === null || stop_rested_at === null
      ? []
      : [
          `${utc(stop_rested_at)} its stop rests at the venue, ${stop_rested_at.getTime() - settled_at.getTime()} ms after its fill was read`,
        ]),
  ];
}

const fillLines = ({ fills, line }: OrderHistory): readonly string[] =>
  fills.map(({ base_size, quote_size, fee, slot, signature }) => {
    const quote = (digits: string) => amount(digits, line?.quote_decimals ?? null);
    return `slot ${slot}: ${amount(base_size, line?.base_decimals ?? null)} for ${quote(quote_size)}, fee ${quote(fee)}, signature ${signature}`;
  });

function logLines({ line }: OrderHistory): readonly string[] {
  if (line === null) return [];
  const { at, id, status, reason, side, market, base_size, base_decimals, quote_total } = line;
  const why = reason === null ? "" : `, ${reason}`;
  return [
    `${utc(at)} ${status}${why}: ${side} ${amount(base_size, base_decimals)} ${market} for ${amount(quote_total, line.quote_decimals)}, line ${id}`,
  ];
}

function exitLines({ exit }: OrderHistory): readonly string[] {
  if (exit === null) return [];
  const { id, side, market_id, asked_by, asked_at, state, attempts, waits, last_reason } = exit;
  const next =
    exit.ended_at === null ? `next try ${utc(exit.next_attempt_at)}` : utc(exit.ended_at);
  const why = last_reason === null ? "" : `, last refused as ${last_reason}`;
  return [
    `${utc(asked_at)} closing the ${side} in ${market_id} asked for by ${asked_by}, exit ${id}`,
    `${state}, ${attempts} tries failed, ${waits} waits${why}, ${next}`,
  ];
}

const ledgerLines = ({ entries }: OrderHistory): readonly string[] =>
  entries.map(
    ({ at, kind, place, asset, decimals, amount: digits, signature }) =>
      `${utc(at)} ${kind} ${place}: ${amount(digits, decimals)} ${asset}, signature ${signature}`,
  );
