import { stateAfter } from "../../../domain/order/order-states.ts";
import { INSERT_TRADE_LOG, tradeLogValues } from "../trade-log/trade-log-writes.ts";
import type { Change, ExitStep, RestedOrder } from "./change.ts";
import { toPartJson } from "./exits.ts";
import { stateLiteral } from "./order-state-sql.ts";
import { toJson } from "../postgres/on.ts";
import { toIntentJson } from "./orders.ts";

/** Adds a value to the statement and returns its parameter. */
export type Bind = (value: unknown) => string;

/** A part of the statement by name. */
export type Part = readonly [name: string, sql: string];

export const toTime = (ms: number): Date => new Date(ms);

const EXIT_COLUMNS = `id, agent_id, market_id, side, asked_by, asked_at, state, attempts, waits,
    next_attempt_at, last_reason, limit_bps, part`;

export function putOffPart(
  bind: Bind,
  agent: string,
  { exit }: Extract<ExitStep, { readonly kind: "put_off" }>,
): string {
  return `
  insert into exits (${EXIT_COLUMNS})
  select ${bind(exit.id)}, ${agent}, ${bind(exit.marketId)}, ${bind(exit.side)}, ${bind(exit.askedBy)},
    ${bind(toTime(exit.askedAtMs))}::timestamptz, 'working', ${bind(exit.attempts)}::int, ${bind(exit.waits)}::int,
    ${bind(toTime(exit.nextAttemptAtMs))}::timestamptz, ${bind(exit.lastReason)}, ${bind(exit.limitBps)}::int,
    ${bind(toPartJson(exit.part))}::jsonb
  from due
  on conflict (agent_id, market_id) where state = 'working'
  do update set attempts = excluded.attempts, waits = excluded.waits, side = excluded.side,
    next_attempt_at = excluded.next_attempt_at, last_reason = excluded.last_reason,
    limit_bps = excluded.limit_bps
  returning id`;
}

const toExitsJson = (exits: NonNullable<Change["begunExits"]>): string =>
  JSON.stringify(
    exits.map((each) => ({
      ...each,
      part: toPartJson(each.part),
      askedAt: toTime(each.askedAtMs),
      nextAttemptAt: toTime(each.nextAttemptAtMs),
    })),
  );

export function exitParts(
  bind: Bind,
  agent: string,
  stands: string,
  change: Change,
): readonly Part[] {
  const { exit, begunExits = [], widenedExits = [], endedExits, atMs, order } = change;
  const parts: Part[] = [];
  if (exit?.kind === "tried") {
    parts.push([
      "tried",
      `
  update exits set waits = 0, next_attempt_at = ${bind(toTime(exit.nextAttemptAtMs))}, last_reason = ${bind(order?.reason ?? null)},
    part = case when part is not null then ${bind(toPartJson(exit.part))}::jsonb end
  where id = (select exit_id from moved) and state = 'working'`,
    ]);
  }
  if (exit?.kind === "tried_again") {
    parts.push(...triedAgainParts(bind, agent, exit, order?.reason ?? null));
  }
  if (exit?.kind === "postponed") {
    parts.push([
      "postponed",
      `
  update exits set waits = waits + 1, next_attempt_at = ${bind(toTime(exit.nextAttemptAtMs))}, last_reason = ${bind(exit.lastReason)}
  where id = ${bind(exit.id)} and state = 'working' and ${stands}`,
    ]);
  }
  if (begunExits.length > 0) {
    parts.push([
      "begun",
      `
  insert into exits (${EXIT_COLUMNS}, request_id, plan_end)
  select id, ${agent}, "marketId", side, "askedBy", "askedAt", 'working', attempts, waits, "nextAttemptAt", "lastReason", "limitBps", part::jsonb, "requestId", "planEnd"
  from json_to_recordset(${bind(toExitsJson(begunExits))}) as exit (id text, "marketId" text, side text, "askedBy" text,
    "askedAt" timestamptz, attempts int, waits int, "nextAttemptAt" timestamptz, "lastReason" text, "limitBps" int, part text, "requestId" text, "planEnd" text)
  where ${stands}`,
    ]);
  }
  if (widenedExits.length > 0) {
    parts.push([
      "widened",
      `
  update exits set part = null where state = 'working' and id = any(${bind(widenedExits)}) and ${stands}`,
    ]);
  }
  if (endedExits !== undefined) {
    parts.push([
      "ended",
      `
  update exits set state = ${bind(endedExits.state)}, ended_at = ${bind(toTime(atMs))}
  where agent_id = ${agent} and state = 'working' and id = any(${bind(endedExits.ids)}) and ${stands}`,
    ]);
  }
  return parts;
}

/**
 * Records an order that rests at the venue already, as if it had been planned, sent and come to rest; once, however often
 * it is found.
 */
export function restedParts(bind: Bind, stands: string, rested: RestedOrder): readonly Part[] {
  const { order, entry, intent, sent, resting } = rested;
  const at = `${bind(toTime(order.plannedAtMs))}::timestamptz`;
  return [
    [
      "rested",
      `
  insert into orders (id, agent_id, signal, leg, state, reason, attempt, intent, plan_act, planned_at, transaction, signature,
    last_valid_block_height, blockhash_slot, submitted_at, resting)
  select ${bind(order.id)}, ${bind(order.agentId)}, ${bind(order.signal)}, 0, ${stateLiteral(stateAfter("rest"))}, 'resting', 1,
    ${bind(toIntentJson(intent))}::jsonb, ${bind(order.planAct)}, ${at}, ${bind(Buffer.from(sent.transaction))}::bytea, ${bind(sent.signature)},
    ${bind(sent.lastValidBlockHeight.toString())}::bigint, ${bind(sent.blockhashSlot?.toString() ?? null)}::bigint,
    ${bind(toTime(sent.submittedAtMs))}::timestamptz, ${bind(toJson(resting))}::jsonb
  where ${stands} on conflict do nothing returning orders.id`,
    ],
    [
      "rested_entry",
      `${INSERT_TRADE_LOG(bind(tradeLogValues([entry])))} where "orderId" in (select id from rested)`,
    ],
  ];
}

/** Counts a try that is to be repeated, and begins an exit where the order has none. */
function triedAgainParts(
  bind: Bind,
  agent: string,
  exit: Extract<ExitStep, { readonly kind: "tried_again" }>,
  reason: string | null,
): readonly Part[] {
  const [next, why, limit, part] = [
    bind(toTime(exit.nextAttemptAtMs)),
    bind(reason),
    bind(exit.limitBps),
    bind(toPartJson(exit.part)),
  ].map(String);
  return [
    [
      "begun",
      `
  insert into exits (${EXIT_COLUMNS}, plan_end)
  select ${bind(exit.id)}, ${agent}, ${bind(exit.marketId)}, ${bind(exit.side)}, ${bind(exit.askedBy)},
    planned_at, 'working', 1, 0, ${next}::timestamptz, ${why}::text, ${limit}::int, ${part}::jsonb, ${bind(exit.planEnd)}
  from moved where exit_id is null
  on conflict (agent_id, market_id) where state = 'working'
  do update set attempts = exits.attempts + 1, waits = 0, next_attempt_at = excluded.next_attempt_at,
    last_reason = excluded.last_reason, limit_bps = excluded.limit_bps, side = excluded.side`,
    ],
    [
      "tried",
      `
  update exits set attempts = attempts + 1, waits = 0, next_attempt_at = ${next}::timestamptz,
    last_reason = ${why}::text, limit_bps = ${limit}::int,
    part = case when part is not null then ${part}::jsonb end
  where id = (select exit_id from moved) and state = 'working'`,
    ],
  ];
}
