import { sql } from "kysely";
import { type AgentId, type OwnerAddress, parseAgentId, parseOwner } from "../../../domain/ids.ts";
import type { ChannelKind } from "../../../contract/notice-channels/list.ts";
import {
  LIMIT_REASONS,
  STOP_ACTS,
  TARGET_ACTS,
  NO_FAILURE_REASONS,
  type QuietHours,
  type SentKind,
} from "../../../domain/notice.ts";
import type { Db, Unparsed } from "../postgres/db.ts";
import { deleteRows, on } from "../postgres/on.ts";
import { forgetRemovedChannel, lockNotices } from "./notice-channels.ts";

/** Recorded facts of an event; the fields depend on its kind. */
export type NoticeFacts = Readonly<Record<string, string | number | null>>;

/** A message to one channel, which no other server sends to until `lease`. */
export interface DueNotice {
  readonly seq: string;
  readonly channelId: string;
  readonly channelKind: ChannelKind;
  readonly target: Uint8Array;
  readonly owner: OwnerAddress;
  readonly kind: SentKind;
  readonly agentId: AgentId | null;
  readonly facts: NoticeFacts;
  readonly at: Date;
  readonly attempts: number;
  readonly quiet: QuietHours | null;
  readonly lease: Date;
}

export interface NoticeRow {
  readonly seq: string;
  readonly channelKind: ChannelKind;
  readonly channelLabel: string;
  readonly kind: SentKind;
  readonly facts: NoticeFacts;
  readonly at: Date;
  readonly state: "waiting" | "sent" | "given_up";
  readonly attempts: number;
  readonly lastError: string | null;
  readonly settledAt: Date | null;
}

const SPREAD_AT_ONCE = 500;

/**
 * Makes one message per channel and event, in the order of the events, and returns the number of events.
 *
 * Waits for another server that is at the first of them: passing it by would put later events before earlier ones.
 */
export async function fanOutEvents(db: Db, now: Date): Promise<number> {
  const rows = await on(db).rows`
    with fresh as (
      select seq, owner, agent_id, facts, at,
        case when kind = 'trade_failed' and facts->>'reason' = any(${LIMIT_REASONS}::text[])
            then 'limit_reached'
          when kind = 'trade_filled' and facts->>'plan' = any(${STOP_ACTS}::text[]) then 'stop_hit'
          when kind = 'trade_filled' and facts->>'plan' = any(${TARGET_ACTS}::text[]) then 'target_hit'
          else kind end as kind,
        coalesce(facts->>'reason', '') = any(${NO_FAILURE_REASONS}::text[]) as is_nothing
      from notice_events where not is_spread order by seq limit ${SPREAD_AT_ONCE}
      for update
    ), marked as (
      update notice_events set is_spread = true from fresh where notice_events.seq = fresh.seq
      returning fresh.seq
    ), made as (
      insert into notices (channel_id, channel_kind, channel_label, owner, kind, agent_id, facts, at, next_attempt_at)
      select notice_channels.id, notice_channels.kind, label, fresh.owner, fresh.kind, agent_id, facts, at, ${now}
      from fresh join notice_channels
        on notice_channels.owner = fresh.owner and fresh.kind = any(notice_channels.events)
          and confirmed_at is not null
      where not is_nothing
      order by fresh.seq
    )
    select seq from marked`;
  return rows.length;
}

/**
 * Takes the next message of every channel that has one due and is not being sent to by another server.
 *
 * A channel's messages go one after the other: the first of those that are not held until later stops the ones behind
 * it for as long as it is tried again.
 */
export async function claimDueNotices(
  db: Db,
  now: Date,
  lease: Date,
  limit: number,
): Promise<readonly DueNotice[]> {
  const rows = await on(db).rows<Unparsed<DueNotice>>`
    with next as (
      select distinct on (channel_id) * from notices
      where state = 'waiting' and channel_id is not null and (held_until is null or held_until <= ${now})
      order by channel_id, seq
    ), free as (
      select notice_channels.id from notice_channels join next on next.channel_id = notice_channels.id
      where next.next_attempt_at <= ${now} and (busy_until is null or busy_until <= ${now})
      order by next.next_attempt_at limit ${limit}
      for update of notice_channels skip locked
    ), claimed as (
      update notice_channels set busy_until = ${lease} from free where notice_channels.id = free.id
      returning notice_channels.id, notice_channels.target, busy_until
    )
    select next.seq::text as seq, claimed.id as "channelId", next.channel_kind as "channelKind",
      claimed.target, next.owner, next.kind, next.agent_id as "agentId", next.facts, next.at, next.attempts,
      case when quiet_hours.owner is null then null else json_build_object('fromMinute', from_minute,
        'toMinute', to_minute, 'zone', zone) end as quiet, claimed.busy_until as lease
    from claimed join next on next.channel_id = claimed.id
      left join quiet_hours on quiet_hours.owner = next.owner`;
  return rows.map(({ owner, agentId, ...row }) => ({
    ...row,
    owner: parseOwner(owner),
    agentId: agentId === null ? null : parseAgentId(agentId),
  }));
}

/** How sending one message ended. */
export type NoticeEnding =
  | { readonly kind: "sent" }
  | { readonly kind: "held"; readonly until: Date }
  | { readonly kind: "again"; readonly at: Date; readonly error: string }
  | { readonly kind: "given_up"; readonly error: string };

/** Records how sending ended and releases the channel, unless its lease ran out and another server has it now. */
export async function endAttempt(
  db: Db,
  { seq, channelId, lease }: Pick<DueNotice, "seq" | "channelId" | "lease">,
  ending: NoticeEnding,
  now: Date,
): Promise<void> {
  const error = "error" in ending ? ending.error : null;
  await on(db).change`
    with freed as (
      update notice_channels set busy_until = case when busy_until = ${lease} then null else busy_until end,
        last_error = case when ${ending.kind} = 'held' then last_error else ${error}::text end
      where id = ${channelId}
    )
    update notices set
      state = case when ${ending.kind} in ('sent', 'given_up') then ${ending.kind} else state end,
      attempts = attempts + case when ${ending.kind} = 'held' then 0 else 1 end,
      held_until = ${ending.kind === "held" ? ending.until : null},
      next_attempt_at = coalesce(${ending.kind === "again" ? ending.at : null}, next_attempt_at),
      last_error = ${error}::text,
      settled_at = case when ${ending.kind} in ('sent', 'given_up') then ${now}::timestamptz end
    where seq = ${seq} and state = 'waiting'`;
  await forgetRemovedChannel(db, channelId);
}

/** Queues a test message for a channel of the owner, at most `most` since a time. Called in a transaction. */
export async function insertTestNotice(
  tx: Db,
  owner: OwnerAddress,
  channelId: string,
  at: Date,
  limit: { readonly since: Date; readonly most: number },
): Promise<"made" | "no_channel" | "not_confirmed" | "too_many"> {
  await lockNotices(tx, owner);
  const rows = await on(tx).rows<{ made: boolean; isConfirmed: boolean }>`
    with channel as (
      select * from notice_channels
      where id = ${channelId} and owner = ${owner} and removed_at is null
    ), tests as (
      select count(*) as count from notices
      where owner = ${owner} and kind = 'test' and at > ${limit.since}
    ), made as (
      insert into notices (channel_id, channel_kind, channel_label, owner, kind, facts, at, next_attempt_at)
      select id, kind, label, owner, 'test', '{}', ${at}::timestamptz, ${at}::timestamptz from channel, tests
      where tests.count < ${limit.most} and confirmed_at is not null
      returning seq
    )
    select exists (select from made) as made, confirmed_at is not null as "isConfirmed" from channel`;
  const [row] = rows;
  if (row === undefined) return "no_channel";
  if (!row.isConfirmed) return "not_confirmed";
  return row.made ? "made" : "too_many";
}

/** The owner's newest messages, newest first. */
export async function listNotices(
  db: Db,
  owner: OwnerAddress,
  limit: number,
): Promise<readonly NoticeRow[]> {
  return on(db).rows<NoticeRow>`
    select seq::text as seq, channel_kind as "channelKind", channel_label as "channelLabel", kind, facts, at, state,
      attempts, last_error as "lastError", settled_at as "settledAt"
    from notices where owner = ${owner} order by notices.seq desc limit ${limit}`;
}

/** Removes at most `limit` messages that ended before the given time, or what they told of, and returns how many. */
export async function deleteOldNotices(db: Db, before: number, limit: number): Promise<number> {
  const at = new Date(before);
  const ended = sql`select seq::text from notices where settled_at < ${at} limit ${limit}`;
  const spread = sql`select seq::text from notice_events where at < ${at} and is_spread limit ${limit}`;
  const gone =
    (await deleteRows(db, "notices", ended)) + (await deleteRows(db, "notice_events", spread));
  return Math.min(gone, limit);
}
