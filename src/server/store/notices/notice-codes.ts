import type { OwnerAddress } from "../../../domain/ids.ts";
import type { ChannelKind } from "../../../contract/notice-channels/list.ts";
import type { Db } from "../postgres/db.ts";
import { deletesBefore, on } from "../postgres/on.ts";
import { lockNotices } from "./notice-channels.ts";

/** A code that was asked for; `seq` is what it is computed from. */
export interface CodeRow {
  readonly seq: string;
  readonly at: Date;
  readonly tries: number;
}

export interface UnconfirmedChannel {
  readonly kind: ChannelKind;
  readonly target: Uint8Array;
  readonly isConfirmed: boolean;
  /** The newest code; null where none was asked for, or housekeeping removed it. */
  readonly code: CodeRow | null;
}

/** Reads a channel of the owner with its newest code and locks it until the transaction ends; null when there is none. */
export async function lockChannel(
  tx: Db,
  owner: OwnerAddress,
  id: string,
): Promise<UnconfirmedChannel | null> {
  const rows = await on(tx).rows<UnconfirmedChannel & { confirmedAt: Date | null }>`
    select kind, target, confirmed_at as "confirmedAt" from notice_channels
    where id = ${id} and owner = ${owner} for update`;
  const [channel] = rows;
  if (channel === undefined) return null;
  const code = await on(tx).row<CodeRow>`
    select seq::text as seq, at, tries from notice_codes where channel_id = ${id}
    order by notice_codes.seq desc limit 1`;
  const { kind, target, confirmedAt } = channel;
  return { kind, target, isConfirmed: confirmedAt !== null, code };
}

export async function countCodeAttempt(tx: Db, seq: string): Promise<void> {
  await on(tx).change`update notice_codes set tries = tries + 1 where seq = ${seq}`;
}

export async function confirmChannel(tx: Db, id: string, at: Date): Promise<void> {
  await on(tx).change`update notice_channels set confirmed_at = ${at} where id = ${id}`;
}

interface NewCode {
  readonly channelId: string;
  readonly owner: OwnerAddress;
  readonly addressKey: Uint8Array;
  readonly at: Date;
}

interface CodeLimit {
  readonly since: Date;
  readonly most: number;
}

/** Most codes since a time: for a wallet, for an address whoever asks, and for all together. */
export interface CodeLimits {
  readonly ofOwner: CodeLimit;
  readonly ofOwnerLonger: CodeLimit;
  readonly ofAddress: CodeLimit;
  readonly ofAll: CodeLimit;
}

/**
 * Records a code and queues its message, in place of an older one that still waits. Returns false when a limit is
 * reached. Called in a transaction.
 */
export async function insertCode(tx: Db, code: NewCode, limits: CodeLimits): Promise<boolean> {
  const { channelId, owner, addressKey, at } = code;
  const { ofOwner, ofOwnerLonger, ofAddress, ofAll } = limits;
  await lockNotices(tx, owner);
  await lockNotices(tx, Buffer.from(addressKey).toString("hex"));
  const rows = await on(tx).rows<{ seq: string }>`
    insert into notice_codes (channel_id, owner, address_key, at)
    select ${channelId}, ${owner}, ${addressKey}, ${at}::timestamptz
    where (select count(*) from notice_codes
        where owner = ${owner} and at > ${ofOwner.since}) < ${ofOwner.most}
      and (select count(*) from notice_codes
        where owner = ${owner} and at > ${ofOwnerLonger.since}) < ${ofOwnerLonger.most}
      and (select count(*) from notice_codes where at > ${ofAll.since}) < ${ofAll.most}
      and (select count(*) from notice_codes
        where address_key = ${addressKey} and at > ${ofAddress.since}) < ${ofAddress.most}
    returning seq::text as seq`;
  const [made] = rows;
  if (made === undefined) return false;
  await on(tx).change`
    update notices set state = 'given_up', settled_at = ${at}, last_error = 'A newer code was asked for.'
    where channel_id = ${channelId} and kind = 'code' and state = 'waiting'`;
  await on(tx).change`
    insert into notices (channel_id, channel_kind, channel_label, owner, kind, facts, at, next_attempt_at)
    select id, kind, label, owner, 'code', ${JSON.stringify({ code: made.seq })}::jsonb,
      ${at}::timestamptz, ${at}::timestamptz
    from notice_channels where id = ${channelId}`;
  return true;
}

/** Deletes codes from before a time. */
export const deleteOldCodes = deletesBefore("notice_codes", "seq", "at");
