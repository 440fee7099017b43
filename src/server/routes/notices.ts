import { AppError } from "../../contract/errors.ts";
import {
  type ChannelKind,
  channelOf,
  type NewChannel,
} from "../../contract/notice-channels/list.ts";
import type { Clock } from "../../domain/clock.ts";
import { type RandomBytes, newId } from "../crypto/new-id.ts";
import type { ConfirmAddress } from "../notices/confirm-address.ts";
import { noticeText } from "../notices/notice-text.ts";
import type { TargetCipher } from "../notices/encrypt-target.ts";
import { insertAudit } from "../store/audit/audit.ts";
import type { Db } from "../store/postgres/db.ts";
import * as channels from "../store/notices/notice-channels.ts";
import { insertTestNotice, listNotices } from "../store/notices/notices.ts";
import type { Handlers } from "../http/handler.ts";
import { callerOf } from "../http/limit-callers.ts";
import type { Session } from "../session.ts";

const MAX_CHANNELS = 10;
const HISTORY = 50;
/** Maximum number of test messages per wallet and hour. */
const MAX_TESTS = 10;
const TESTS_MS = 3_600_000;

export interface NoticeRouteDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly seal: TargetCipher;
  readonly confirmAddress: ConfirmAddress;
  readonly offered: readonly ChannelKind[];
  readonly pushKey: string;
}

/** Answers the calls of notification channels. */
export function noticeHandlers(deps: NoticeRouteDeps) {
  const { db, clock, confirmAddress, offered, pushKey } = deps;
  const found = (isThere: boolean): void => {
    if (!isThere) throw new AppError("not_found");
  };
  return {
    async getNotices({ session: { wallet } }) {
      const [shown, quietHours, history] = await Promise.all([
        channels.listChannels(db, wallet),
        channels.readQuietHours(db, wallet),
        listNotices(db, wallet, HISTORY),
      ]);
      return {
        offered: [...offered],
        pushKey,
        channels: shown.map(presentChannel),
        quietHours,
        history: history.map((row) => ({
          id: row.seq,
          channelKind: row.channelKind,
          channelLabel: row.channelLabel,
          kind: row.kind,
          ...noticeText(row.kind, row.facts),
          at: row.at.toISOString(),
          state: row.state,
          attempts: row.attempts,
          ...(row.lastError === null ? {} : { error: row.lastError }),
        })),
      };
    },
    addNoticeChannel: ({ session, body, ip }) => addChannel(deps, session, body, callerOf(ip)),
    changeNoticeChannel: ({ session, params: { channelId }, body }) =>
      record(deps, session, "notice_channel_changed", channelId, async (tx, at) =>
        found(await channels.updateChannelEvents(tx, session.wallet, channelId, body.events, at)),
      ),
    removeNoticeChannel: ({ session, params: { channelId } }) =>
      record(deps, session, "notice_channel_removed", channelId, async (tx, at) =>
        found(await channels.deleteChannel(tx, session.wallet, channelId, at)),
      ),
    sendNoticeCode: ({ session, params, ip }) =>
      confirmAddress.sendAgain(session.wallet, params.channelId, callerOf(ip)),
    confirmNoticeChannel: ({ session, params, body }) =>
      confirmAddress.confirm(session.wallet, params.channelId, body.code),
    async testNoticeChannel({ session, params }) {
      const now = clock.now();
      const limit = { since: new Date(now - TESTS_MS), most: MAX_TESTS };
      const made = await db
        .transaction()
        .execute((tx) =>
          insertTestNotice(tx, session.wallet, params.channelId, new Date(now), limit),
        );
      if (made === "not_confirmed") {
        const message = "Confirm this address first, with the code sent to it.";
        throw new AppError("conflict", { message });
      }
      if (made === "too_many") throw new AppError("rate_limited");
      return found(made === "made");
    },
    setQuietHours: ({ session, body: { quietHours = null } }) =>
      record(deps, session, "quiet_hours_set", null, (tx) =>
        channels.writeQuietHours(tx, session.wallet, quietHours),
      ),
  } satisfies Partial<Handlers>;
}

/** Makes a change together with its entry of the audit log. */
const record = (
  { db, clock }: Pick<NoticeRouteDeps, "db" | "clock">,
  session: Session,
  action: string,
  object: string | null,
  write: (tx: Db, at: Date) => Promise<void>,
): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const now = clock.now();
    await write(tx, new Date(now));
    await insertAudit(tx, now, session, action, object);
  });

async function addChannel(
  deps: NoticeRouteDeps,
  session: Session,
  body: NewChannel,
  caller: string,
) {
  const { clock, random, seal, confirmAddress, offered } = deps;
  const { wallet } = session;
  if (!offered.includes(body.kind)) {
    throw new AppError("validation_failed", { message: "This server does not send that way." });
  }
  const kind = channelOf(body.kind);
  const id = newId(random);
  const secret = kind.hasSecret === true ? { secret: newId(random) + newId(random) } : {};
  const createdAt = new Date(clock.now());
  const codeTo = kind.codeTo?.(body);
  const { kind: _, events, ...fields } = body;
  const target = kind.targetOf?.(body) ?? { ...fields, ...secret };
  const channel = {
    id,
    owner: wallet,
    kind: body.kind,
    label: kind.labelOf(body),
    target: seal.seal(id, JSON.stringify(target)),
    events,
    createdAt,
    confirmedAt: codeTo === undefined ? createdAt : null,
  };
  await record(deps, session, "notice_channel_added", id, async (tx) => {
    if (!(await channels.insertChannel(tx, channel, MAX_CHANNELS))) {
      throw new AppError("quota_exceeded", {
        message: `A wallet has at most ${MAX_CHANNELS} channels. Remove one first.`,
      });
    }
    if (codeTo !== undefined) await confirmAddress.begin(tx, wallet, id, codeTo, caller);
  });
  return { id, ...secret };
}

const presentChannel = ({ lastError, createdAt, confirmedAt, ...shown }: channels.ChannelRow) => ({
  ...shown,
  events: [...shown.events],
  ...(lastError === null ? {} : { lastError }),
  isConfirmed: confirmedAt !== null,
  createdAt: createdAt.toISOString(),
});
