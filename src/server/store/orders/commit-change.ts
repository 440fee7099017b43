import type { Pool } from "pg";
import type { AgentId } from "../../../domain/ids.ts";
import {
  OPEN_ORDER_STATES,
  isOpenOrderState,
  stateAfter,
  statesBefore,
  tradeLogStatus,
} from "../../../domain/order/order-states.ts";
import { utcDay } from "../../../domain/risk-ledger.ts";
import { INSERT_PENDING, pendingValues } from "../ledger/pending-writes.ts";
import type { Db } from "../postgres/db.ts";
import { toJson, type Statement, runStatement, WITHOUT_WAITING } from "../postgres/on.ts";
import { INSERT_TRADE_LOG, tradeLogValues } from "../trade-log/trade-log-writes.ts";
import type { BookedFill, Change, HeldLane, LineColumns, OrderStep, PlanStep } from "./change.ts";
import { type Bind, exitParts, type Part, putOffPart, restedParts, toTime } from "./exit-parts.ts";
import { toFillsJson } from "./order-transactions.ts";
import { stateList, stateLiteral } from "./order-state-sql.ts";
import { INSERT_ORDERS, orderValues, toIntentJson } from "./orders.ts";
import { toProtectionJson } from "./plan-positions.ts";

/** The lane whose orders change; without a fence for what no lane has to be held for. */
export type ChangedLane = Omit<HeldLane, "fence"> & { readonly fence: bigint | null };

/**
 * `left`: committed, and the lane was released because it has no more work. `lost`: another worker holds the lane, what
 * was read of its agent stands no longer, or the order is in no state that allows its event. `same_bytes`: an earlier transaction has the same bytes. Nothing is
 * stored in the last two.
 */
export type Committed = "committed" | "left" | "lost" | "same_bytes";

/**
 * Stores a change in one statement, which waits for the lane first, as every other writer of an agent's orders does.
 * `leaves` releases the lane where nothing else is left to do.
 */
export async function commitChange(
  pool: Pool,
  lane: ChangedLane,
  change: Change,
  leaves: boolean,
): Promise<Committed> {
  try {
    const { rows } = await pool.query<{ left: boolean }>(toStatement(lane, change, leaves));
    const [row] = rows;
    if (row === undefined) return "lost";
    return row.left ? "left" : "committed";
  } catch (error) {
    const { constraint } = error as { readonly constraint?: unknown };
    if (constraint === "orders_signature_key" || constraint === "order_transactions_pkey") {
      return "same_bytes";
    }
    throw error;
  }
}

/** Stores a change as part of a transaction that holds the lane's lock. */
export const applyChange = (transaction: Db, agentId: AgentId, change: Change): Promise<void> =>
  runStatement(transaction, toStatement({ agentId, fence: null }, change, false));

/** Returns one statement with a part for each part of the change: PostgreSQL starts every part, also one without work. */
function toStatement(lane: ChangedLane, change: Change, leaves: boolean): Statement {
  const values: unknown[] = [];
  const isLeaving = leaves && !plansWork(change);
  const bind: Bind = (value) => `$${values.push(value)}`;
  const agent = bind(lane.agentId);
  const parts: Part[] = [
    ["lane", lanePart(bind, agent, lane, change, isLeaving)],
    ...orderParts(bind, agent, change),
  ];
  // What all the rest stands and falls with
  const basis = change.order === undefined ? "lane" : "moved";
  const stands = `exists (select from ${basis})`;
  parts.push(...exitParts(bind, agent, stands, change), ...planParts(bind, stands, change));
  if (change.rested !== undefined) parts.push(...restedParts(bind, stands, change.rested));
  parts.push(...followUpParts(bind, stands, change), ...keptParts(bind, agent, stands, change));
  if (change.feeLamports !== undefined) {
    parts.push(["paid", feePart(bind, agent, stands, change.feeLamports, change.atMs)]);
  }
  const text = `with ${parts.map(([name, sql]) => `${name} as (${sql}\n)`).join(", ")}
select lane.left from lane where ${stands}`;
  return { name: nameOf(text), text, values };
}

const names = new Map<string, string>();

/** Returns the name that one text is prepared under; there are as many as there are combinations of parts. */
function nameOf(text: string): string {
  const name = names.get(text) ?? `commit-change-${names.size}`;
  names.set(text, name);
  return name;
}

/** Returns whether a change makes work, which no part of its own statement sees. */
const plansWork = ({ planned = [], begunExits = [], exit, plan, rested }: Change): boolean =>
  planned.length + begunExits.length > 0 ||
  rested !== undefined ||
  (exit !== undefined && exit.kind !== "tried") ||
  plan?.kind === "traded";

function lanePart(
  bind: Bind,
  agent: string,
  { fence, version }: ChangedLane,
  { order, ledger, landedSlot, restoredHeight, plan, isTold, atMs }: Change,
  leaves: boolean,
): string {
  const set = [
    ...(ledger === undefined ? [] : [`risk = ${bind(toJson(ledger))}`]),
    ...(landedSlot === undefined
      ? []
      : [`landed_slot = greatest(landed_slot, ${bind(landedSlot.toString())})`]),
    ...(restoredHeight === undefined ? [] : [restoredColumns(bind, restoredHeight)]),
    ...(leaves ? [LEAVING] : []),
  ];
  const where = [
    `lanes.agent_id = ${agent}`,
    ...(fence === null ? [] : [`fence = ${bind(fence.toString())}`]),
    ...(version === undefined ? [] : [`lanes.version = ${bind(version.toString())}`]),
    ...(order === undefined ? [] : [`exists (${allowing(bind, order)})`]),
  ].join(" and ");
  const from = [
    ...(leaves ? [idle(bind, agent, order, plan, atMs)] : []),
    ...(isTold ? [`(select ${WITHOUT_WAITING}) as quickly`] : []),
  ];
  return set.length === 0
    ? `
  select agent_id, false as left from ${["lanes", ...from].join(", ")} where ${where} for update of lanes`
    : `
  update lanes set ${set.join(", ")}${from.length === 0 ? "" : ` from ${from.join(", ")}`}
  where ${where} returning lanes.agent_id, ${leaves ? "claimed_by is null" : "false"} as left`;
}

const restoredColumns = (bind: Bind, height: bigint | null): string =>
  height === null
    ? "restored_at = null, restored_height = null"
    : `restored_height = ${bind(height.toString())}`;

const LEAVING = `claimed_by = case when idle then null else claimed_by end,
    claimed_until = case when idle then null else claimed_until end`;

/** A stopping agent's lane, one with an open exit and one with a plan to look at still have positions to check. */
const idle = (
  bind: Bind,
  agent: string,
  order: OrderStep | undefined,
  plan: PlanStep | undefined,
  atMs: number,
): string => `
  (select not exists (select from orders where agent_id = ${agent}
      and state in ${stateList(OPEN_ORDER_STATES)}${order === undefined ? "" : ` and id <> ${bind(order.id)}`})
    and not exists (select from agents where id = ${agent} and auto_trade = 'stopping')
    and not exists (select from exits where agent_id = ${agent} and state = 'working')${
      // What this change itself looked at is not due again
      plan === undefined
        ? `
    and not exists (select from plan_positions where agent_id = ${agent} and due_at <= ${bind(toTime(atMs))})`
        : ""
    } as idle) as work`;

/** Returns the order where its state allows the event. */
const allowing = (bind: Bind, { id, event }: OrderStep): string =>
  `select from orders where id = ${bind(id)} and state = any(${bind(statesBefore(event === "put_off" ? "submit" : event))})`;

function orderParts(bind: Bind, agent: string, change: Change): readonly Part[] {
  const { order, line, fills = [], pending = [], decision, exit, atMs } = change;
  if (order === undefined) return [];
  const parts: Part[] = [];
  if (exit?.kind === "put_off") {
    // Locked: its owner may have ended the exit, and with it the order, while the statement waited for the lane
    parts.push(
      ["due", `${allowing(bind, order)} and exists (select from lane) for update`],
      ["kept", putOffPart(bind, agent, exit)],
    );
  }
  parts.push(
    ["moved", movedPart(bind, order, atMs)],
    ["logged", linePart(bind, order, atMs, line)],
  );
  if (fills.length > 0) parts.push(["booked", fillsPart(bind, order, fills)]);
  if (pending.length > 0) {
    const entries = bind(pendingValues(pending));
    parts.push(["pending", INSERT_PENDING(agent, entries, "exists (select from moved)")]);
  }
  if (decision !== undefined) {
    const { ruleId } = decision.cause;
    parts.push([
      "decided",
      `
  insert into decisions (order_id, agent_id, rule_id, decided_at, facts)
  select id, agent_id, ${bind(ruleId)}::text, ${bind(toTime(atMs))}::timestamptz, ${bind(toJson(decision))}::jsonb
  from moved on conflict (order_id) do update
  set rule_id = excluded.rule_id, decided_at = excluded.decided_at, facts = excluded.facts`,
    ]);
  }
  return parts;
}

function movedPart(bind: Bind, order: OrderStep, atMs: number): string {
  const { event, reason, submitted, resting } = order;
  const set =
    event === "put_off"
      ? ["exit_id = (select id from kept)"]
      : [
          `state = ${bind(stateAfter(event))}`,
          `reason = ${bind(reason)}`,
          ...(isOpenOrderState(stateAfter(event)) ? [] : [`settled_at = ${bind(toTime(atMs))}`]),
          ...(submitted === undefined ? [] : submittedColumns(bind, submitted)),
          ...(resting === undefined ? [] : [`resting = ${bind(toJson(resting))}`]),
        ];
  return `
  update orders set ${set.join(", ")}
  where id = ${bind(order.id)} and state = any(${bind(statesBefore(event === "put_off" ? "submit" : event))})
    and exists (select from lane)
  returning id, agent_id, exit_id, planned_at`;
}

const submittedColumns = (
  bind: Bind,
  { intent, sent }: NonNullable<OrderStep["submitted"]>,
): readonly string[] => [
  "attempt = attempt + 1",
  `intent = ${bind(toIntentJson(intent))}`,
  `transaction = ${bind(Buffer.from(sent.transaction))}`,
  `signature = ${bind(sent.signature)}`,
  `last_valid_block_height = ${bind(sent.lastValidBlockHeight.toString())}`,
  `blockhash_slot = ${bind(sent.blockhashSlot?.toString() ?? null)}`,
  `submitted_at = ${bind(toTime(sent.submittedAtMs))}`,
];

/** Returns a column's name, which is its field's with underscores. */
const columnOf = (field: string): string =>
  field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function linePart(
  bind: Bind,
  { id, event, reason }: OrderStep,
  atMs: number,
  line: LineColumns = {},
): string {
  const state = event === "put_off" ? "planned" : stateAfter(event);
  const columns = Object.entries(line).flatMap(([field, value]) =>
    value === undefined ? [] : [`${columnOf(field)} = ${bind(value.toString())}`],
  );
  const set = [
    `status = ${bind(tradeLogStatus(state))}`,
    `reason = ${bind(reason)}`,
    ...(isOpenOrderState(state) ? [] : [`at = ${bind(toTime(atMs))}`]),
    ...columns,
  ];
  return `
  update trade_log set ${set.join(", ")}
  where order_id = ${bind(id)} and exists (select from moved)`;
}

const fillsPart = (bind: Bind, { id }: OrderStep, fills: readonly BookedFill[]): string => `
  insert into order_fills (order_id, signature, n, base_size, quote_size, fee, slot)
  select ${bind(id)}, fill.signature, fill.n, fill."baseSize", fill."quoteSize", fill.fee, fill.slot
  from json_to_recordset(${bind(toFillsJson(fills))}) as fill (signature text, n integer, "baseSize" bigint,
    "quoteSize" bigint, fee bigint, slot bigint)
  where exists (select from moved)
  on conflict do nothing`;

function planParts(bind: Bind, stands: string, change: Change): readonly Part[] {
  const { planned = [], denied = [], begunExits = [], atMs } = change;
  const parts: Part[] = [];
  const attempts = begunExits.length > 0 ? [] : planned.map(({ order }) => order.exitId);
  const exitIds = [...attempts, ...denied.map(({ exitId }) => exitId)].filter((id) => id != null);
  // Locked: what the owner ended while the statement waited for the lane is not working any more
  if (exitIds.length > 0) {
    parts.push([
      "working",
      `
  select id from exits where id = any(${bind(exitIds)}) and state = 'working' and ${stands} for update`,
    ]);
  }
  const goesOn =
    exitIds.length === 0
      ? stands
      : `${stands} and ("exitId" is null or "exitId" in (select id from working))`;
  if (planned.length > 0) {
    const orders = INSERT_ORDERS(bind(orderValues(planned.map(({ order }) => order))));
    const entries = INSERT_TRADE_LOG(bind(tradeLogValues(planned.map(({ entry }) => entry))));
    parts.push(
      ["planned", `${orders} where ${goesOn} returning orders.id`],
      ["entered", `${entries} where "orderId" in (select id from planned)`],
    );
  }
  if (denied.length > 0) {
    const at = bind(toTime(atMs));
    parts.push(
      [
        "dropped",
        `
  update orders set state = ${stateLiteral(stateAfter("deny"))}, reason = denied.reason, settled_at = ${at}
  from json_to_recordset(${bind(JSON.stringify(denied))}) as denied (id text, reason text, "exitId" text)
  where orders.id = denied.id and state in ${stateList(statesBefore("deny"))} and ${goesOn}
  returning orders.id, orders.reason`,
      ],
      [
        "unlogged",
        `
  update trade_log set status = ${bind(tradeLogStatus(stateAfter("deny")))}, reason = dropped.reason, at = ${at}
  from dropped where order_id = dropped.id`,
      ],
    );
  }
  return parts;
}

function followUpParts(bind: Bind, stands: string, { followUp, atMs }: Change): readonly Part[] {
  if (followUp === undefined) return [];
  if (followUp.kind === "ended") {
    return [
      [
        "followed",
        `
  update order_transactions set ended = ${bind(followUp.ended)} where signature = ${bind(followUp.signature)} and ${stands}`,
      ],
    ];
  }
  const { purpose, transaction, signature, lastValidBlockHeight, blockhashSlot } =
    followUp.followUp;
  return [
    [
      "followed",
      `
  insert into order_transactions (signature, order_id, purpose, transaction, last_valid_block_height,
    sent_after_slot, submitted_at)
  select ${bind(signature)}, ${bind(followUp.orderId)}, ${bind(purpose)}, ${bind(Buffer.from(transaction))}::bytea,
    ${bind(lastValidBlockHeight.toString())}::bigint, ${bind(blockhashSlot.toString())}::bigint, ${bind(toTime(atMs))}::timestamptz
  where ${stands}`,
    ],
  ];
}

function keptParts(
  bind: Bind,
  agent: string,
  stands: string,
  { plan, atMs }: Change,
): readonly Part[] {
  if (plan === undefined) return [];
  const own = `plan_positions.agent_id = ${agent} and ${stands}`;
  const parts: Part[] = [["planned_position", keptPart(plan)]];
  const since = plan.kind === "looked" ? plan.restedSinceMs : undefined;
  if (since !== undefined) {
    parts.push([
      "stop_rested",
      `
  update orders set stop_rested_at = ${bind(toTime(atMs))}
  where agent_id = ${agent} and settled_at = ${bind(toTime(since))} and signal like 'OPEN_%' and ${stands}`,
    ]);
  }
  return parts;

  function keptPart(step: PlanStep): string {
    switch (step.kind) {
      case "traded":
        return tradedPart(bind, agent, stands, step, atMs);
      case "looked":
        return `
  update plan_positions set position = ${bind(toJson(step.position))}::jsonb, due_at = ${bind(toTime(step.dueAtMs))},
    is_closed = false, unprotected_since = ${bind(step.unprotectedSinceMs === null ? null : toTime(step.unprotectedSinceMs))}::timestamptz,${
      step.protection === undefined
        ? ""
        : ` protection = ${bind(toProtectionJson(step.protection))}::jsonb,`
    }
    version = plan_positions.version + 1
  where version = ${bind(step.version)} and ${own}`;
      case "protected":
        return `
  update plan_positions set protection = ${bind(toProtectionJson(step.protection))}::jsonb, due_at = ${bind(toTime(step.dueAtMs))},
    version = plan_positions.version + 1
  where version = ${bind(step.version)} and ${own}`;
      case "postponed":
        return `
  update plan_positions set due_at = ${bind(toTime(step.dueAtMs))} where ${own}`;
      case "over":
        return `
  update plan_positions set version = -1 where version = ${bind(step.version)} and ${own}`;
    }
  }
}

/** An entry is made from flat, so that what was kept of an earlier position is over; only it begins to keep one. */
function tradedPart(
  bind: Bind,
  agent: string,
  stands: string,
  { as, orderId }: Extract<PlanStep, { readonly kind: "traded" }>,
  atMs: number,
): string {
  const at = `${bind(toTime(atMs))}::timestamptz`;
  if (as === "entry") {
    return `
  insert into plan_positions (agent_id, due_at, opened_at) select ${agent}, ${at}, ${at} where ${stands}
  on conflict (agent_id) do update set due_at = excluded.due_at, opened_at = excluded.opened_at, position = null,
    add_orders = '{}', unprotected_since = null, is_over = false, is_closed = false, version = plan_positions.version + 1`;
  }
  const added = as === "add" ? `${bind(orderId)}::text` : null;
  return `
  update plan_positions set due_at = ${at}, version = plan_positions.version + 1${
    added === null
      ? ""
      : `,
    add_orders = array_remove(plan_positions.add_orders, ${added}) || ${added}`
  }
  where plan_positions.agent_id = ${agent} and ${stands}`;
}

/** Adds to the fees of the day of the agent's owner. */
const feePart = (
  bind: Bind,
  agent: string,
  stands: string,
  lamports: bigint,
  atMs: number,
): string => `
  insert into owner_fees (owner, network, day, lamports)
  select owner, network, ${bind(utcDay(atMs))}::date, ${bind(lamports.toString())}::bigint
  from agents where id = ${agent} and ${stands}
  on conflict (owner, network, day) do update set lamports = owner_fees.lamports + excluded.lamports`;
