import { sql } from "kysely";
import type { OwnerAddress } from "../../../domain/ids.ts";
import type { ChannelKind } from "../../../contract/notice-channels/list.ts";
import type { NoticeKind, QuietHours } from "../../../domain/notice.ts";
import type { Db } from "../postgres/db.ts";
import { deleteRows, on } from "../postgres/on.ts";

/** A way to reach an owner; its target is sealed. */
export interface ChannelRow {
  readonly id: string;
  readonly kind: ChannelKind;
  /** Displayed part of the target. */
  readonly label: string;
  readonly events: readonly NoticeKind[];
  /** Why the last message could not be delivered; null once one was. */
  readonly lastError: string | null;
  readonly createdAt: Date;
  /** Null while its address is not confirmed: until then only codes are sent there. */
  readonly confirmedAt: Date | null;
}

export interface NewChannel extends Omit<ChannelRow, "lastError"> {
  readonly owner: OwnerAddress;
  readonly target: Uint8Array;
}

const COLUMNS = sql`id, kind, label, events, last_error as "lastError", created_at as "createdAt", confirmed_at as "confirmedAt"`;

export async function listChannels(db: Db, owner: OwnerAddress): Promise<readonly ChannelRow[]> {
  return on(db).rows<ChannelRow>`
    select ${COLUMNS} from notice_channels where owner = ${owner} and removed_at is null order by created_at, id`;
}

/** Locks the counting of a wallet's channels and messages until the transaction ends. */
export async function lockNotices(tx: Db, name: string): Promise<void> {
  await on(tx).lock(`notices:${name}`);
}

/** Adds a channel and returns true, or false when the wallet has `most` already. Called in a transaction. */
export async function insertChannel(tx: Db, channel: NewChannel, most: number): Promise<boolean> {
  await lockNotices(tx, channel.owner);
  return on(tx).has`
    insert into notice_channels (id, owner, kind, label, target, events, created_at, confirmed_at)
    select ${channel.id}, ${channel.owner}, ${channel.kind}, ${channel.label}, ${channel.target},
      ${channel.events}, ${channel.createdAt}, ${channel.confirmedAt}::timestamptz
    where (select count(*) from notice_channels where owner = ${channel.owner} and removed_at is null) < ${most}
    returning id`;
}

const LAST_COLUMNS = sql`channel_id, channel_kind, channel_label, owner, kind, facts, at, next_attempt_at`;

/** Chooses what a channel of the owner tells; one that tells less from now on is told. Says whether there is such a channel. */
export async function updateChannelEvents(
  db: Db,
  owner: OwnerAddress,
  id: string,
  events: readonly NoticeKind[],
  at: Date,
): Promise<boolean> {
  return on(db).has`
    with before as (
      select * from notice_channels where id = ${id} and owner = ${owner} and removed_at is null for update
    ), told as (
      insert into notices (${LAST_COLUMNS})
      select id, kind, label, owner, 'muted', jsonb_build_object('events', (
          select string_agg(replace(event, '_', ' '), ', ') from unnest(events) as event
          where event <> all(${events}::text[]))), ${at}::timestamptz, ${at}::timestamptz
      from before where confirmed_at is not null and not events <@ ${events}::text[]
    )
    update notice_channels set events = ${events} from before where notice_channels.id = before.id
    returning notice_channels.id`;
}

/**
 * Removes a channel of the owner: what waited for it is given up, and a confirmed one goes once it was told so. Says
 * whether there was such a channel.
 */
export async function deleteChannel(
  db: Db,
  owner: OwnerAddress,
  id: string,
  at: Date,
): Promise<boolean> {
  const wasConfirmed = await on(db).has`
    with ended as (
      update notices set state = 'given_up', settled_at = ${at}, last_error = 'The channel was removed.'
      where channel_id = ${id} and owner = ${owner} and state = 'waiting'
    ), removed as (
      update notice_channels set removed_at = ${at}, events = '{}'
      where id = ${id} and owner = ${owner} and removed_at is null and confirmed_at is not null
      returning *
    ), told as (
      insert into notices (${LAST_COLUMNS})
      select id, kind, label, owner, 'muted', '{}', ${at}::timestamptz, ${at}::timestamptz from removed
    )
    select id from removed`;
  if (wasConfirmed) return true;
  const unconfirmed = sql`
    select id from notice_channels where id = ${id} and owner = ${owner} and confirmed_at is null`;
  return (await deleteRows(db, "notice_channels", unconfirmed)) > 0;
}

/** Forgets a channel that was removed and told so. */
export async function forgetRemovedChannel(db: Db, id: string): Promise<void> {
  const told = sql`
    select id from notice_channels where id = ${id} and removed_at is not null
      and not exists (select from notices where channel_id = ${id} and state = 'waiting')`;
  await deleteRows(db, "notice_channels", told);
}

export async function readQuietHours(db: Db, owner: OwnerAddress): Promise<QuietHours | null> {
  return on(db).row<QuietHours>`
    select from_minute as "fromMinute", to_minute as "toMinute", zone
    from quiet_hours where owner = ${owner}`;
}

export async function writeQuietHours(db: Db, owner: OwnerAddress, quiet: QuietHours | null) {
  if (quiet === null) {
    await deleteRows(db, "quiet_hours", [owner]);
    return;
  }
  await on(db).change`
    insert into quiet_hours (owner, from_minute, to_minute, zone)
    values (${owner}, ${quiet.fromMinute}, ${quiet.toMinute}, ${quiet.zone})
    on conflict (owner) do update set from_minute = excluded.from_minute,
      to_minute = excluded.to_minute, zone = excluded.zone`;
}
