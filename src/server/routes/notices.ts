import type * as z from "zod/mini";
import { AppError } from "../../contract/errors.ts";
import type { addNoticeChannel } from "../../contract/notices.ts";
import type { Clock } from "../../domain/clock.ts";
import type { OwnerAddress } from "../../domain/ids.ts";
import type { ChannelKind } from "../../domain/notice.ts";
import { type RandomBytes, newId } from "../crypto/new-id.ts";
import type { ConfirmAddress } from "../notices/confirm-address.ts";
import { noticeText } from "../notices/notice-text.ts";
import type { Seal } from "../notices/seal.ts";
import type { Db } from "../store/postgres/db.ts";
import * as channels from "../store/notices/notice-channels.ts";
import { insertTestNotice, listNotices } from "../store/notices/notices.ts";
import type { Handlers } from "../http/handler.ts";
import { callerOf } from "../http/limit-callers.ts";

const MAX_CHANNELS = 10;
const HISTORY = 50;
/** Maximum number of test messages per wallet and hour. */
const MAX_TESTS = 10;
const TESTS_MS = 3_600_000;

export interface NoticeRouteDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly seal: Seal;
  readonly confirmAddress: ConfirmAddress;
  readonly offered: readonly ChannelKind[];
  readonly pushKey: string;
}

type Added = z.infer<typeof addNoticeChannel.body>;

/** Answers the calls of notification channels. */
export function noticeHandlers(
  deps: NoticeRouteDeps,
): Pick<
  Handlers,
  | "getNotices"
  | "addNoticeChannel"
  | "changeNoticeChannel"
  | "removeNoticeChannel"
  | "sendNoticeCode"
  | "confirmNoticeChannel"
  | "testNoticeChannel"
  | "setQuietHours"
> {
  const { db, clock, confirmAddress, offered, pushKey } = deps;
  const found = (isThere: boolean): null => {
    if (!isThere) throw new AppError("not_found");
    return null;
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
    addNoticeChannel: ({ session, body, ip }) =>
      addChannel(deps, session.wallet, body, callerOf(ip)),
    async changeNoticeChannel({ session, params, body }) {
      return found(
        await channels.updateChannelEvents(db, session.wallet, params.channelId, body.events),
      );
    },
    async removeNoticeChannel({ session, params }) {
      const at = new Date(clock.now());
      return found(await channels.deleteChannel(db, session.wallet, params.channelId, at));
    },
    async sendNoticeCode({ session, params, ip }) {
      await confirmAddress.sendAgain(session.wallet, params.channelId, callerOf(ip));
      return null;
    },
    async confirmNoticeChannel({ session, params, body }) {
      await confirmAddress.confirm(session.wallet, params.channelId, body.code);
      return null;
    },
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
    async setQuietHours({ session, body }) {
      await channels.writeQuietHours(db, session.wallet, body.quietHours ?? null);
      return null;
    },
  };
}

async function addChannel(
  { db, clock, random, seal, confirmAddress, offered }: NoticeRouteDeps,
  wallet: OwnerAddress,
  body: Added,
  caller: string,
) {
  if (!offered.includes(body.kind)) {
    throw new AppError("validation_failed", { message: "This server does not send that way." });
  }
  const id = newId(random);
  const secret = body.kind === "webhook" ? newId(random) + newId(random) : undefined;
  const createdAt = new Date(clock.now());
  const channel = {
    id,
    owner: wallet,
    kind: body.kind,
    label: labelOf(body),
    target: seal.seal(id, JSON.stringify(targetOf(body, secret))),
    events: body.events,
    createdAt,
    confirmedAt: body.kind === "email" ? null : createdAt,
  };
  await db.transaction().execute(async (tx) => {
    if (!(await channels.insertChannel(tx, channel, MAX_CHANNELS))) {
      throw new AppError("quota_exceeded", {
        message: `A wallet has at most ${MAX_CHANNELS} channels. Remove one first.`,
      });
    }
    if (body.kind === "email") await confirmAddress.begin(tx, wallet, id, body.address, caller);
  });
  return { id, ...(secret === undefined ? {} : { secret }) };
}

const presentChannel = ({ lastError, createdAt, confirmedAt, ...shown }: channels.ChannelRow) => ({
  ...shown,
  events: [...shown.events],
  ...(lastError === null ? {} : { lastError }),
  isConfirmed: confirmedAt !== null,
  createdAt: createdAt.toISOString(),
});

/** Returns the displayed part of a target: enough to distinguish channels, too little to send to it. */
function labelOf(body: Added): string {
  switch (body.kind) {
    case "push":
      return body.browser;
    case "telegram":
      return `Chat ${body.chatId}`;
    case "email":
      return body.address.replace(/^(.).*(?=@)/, "$1…");
    case "webhook":
      return new URL(body.url).host;
  }
}

function targetOf(body: Added, secret: string | undefined): object {
  switch (body.kind) {
    case "push":
      return { endpoint: body.endpoint, p256dh: body.p256dh, auth: body.auth };
    case "telegram":
      return { token: body.token, chatId: body.chatId };
    case "email":
      return { address: body.address };
    case "webhook":
      return { url: body.url, secret };
  }
}
