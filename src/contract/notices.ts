import * as z from "zod/mini";
import { CHANNEL_KINDS, NOTICE_KINDS, SENT_KINDS } from "../domain/notice.ts";
import { isoTime, line, name, serverId } from "./fields.ts";
import { defineRoute } from "./route.ts";

const events = z.array(z.enum(NOTICE_KINDS)).check(
  z.maxLength(NOTICE_KINDS.length),
  z.refine((kinds) => new Set(kinds).size === kinds.length, { error: "Each event once." }),
);

const minuteOfDay = z.int().check(z.gte(0), z.lt(24 * 60));

const isZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
};

/** Minutes after midnight of a time zone; the period may cross midnight. */
export const quietHours = z.strictObject({
  fromMinute: minuteOfDay,
  toMinute: minuteOfDay,
  zone: line(1, 64).check(z.refine(isZone, { error: "Not a time zone." })),
});

/** A notification channel in responses; its target is never sent back, `label` identifies it to its owner. */
export const noticeChannel = z.strictObject({
  id: serverId,
  kind: z.enum(CHANNEL_KINDS),
  label: z.string(),
  events: z.array(z.enum(NOTICE_KINDS)),
  /** Why the last message was not delivered; absent after a successful delivery. */
  lastError: z.optional(z.string()),
  /** False until the code sent to an e-mail address was entered; until then only codes are sent there. */
  isConfirmed: z.boolean(),
  createdAt: isoTime,
});

/** A message that was sent, is waiting, or was given up. */
export const sentNotice = z.strictObject({
  id: z.string(),
  channelKind: z.enum(CHANNEL_KINDS),
  channelLabel: z.string(),
  kind: z.enum(SENT_KINDS),
  title: z.string(),
  body: z.string(),
  at: isoTime,
  state: z.enum(["waiting", "sent", "given_up"]),
  attempts: z.int(),
  error: z.optional(z.string()),
});

/** Returns the wallet's channels and quiet hours, and its newest 50 messages, newest first. */
export const getNotices = defineRoute({
  method: "GET",
  path: "/api/notices",
  access: { kind: "session" },
  status: 200,
  response: z.strictObject({
    /** Kinds of channels this server supports. */
    offered: z.array(z.enum(CHANNEL_KINDS)),
    /** VAPID public key for a browser's subscription, base64url. */
    pushKey: z.string(),
    channels: z.array(noticeChannel),
    quietHours: z.nullable(quietHours),
    history: z.array(sentNotice),
  }),
});

const base64Url = (bytes: number) =>
  z.string().check(z.regex(new RegExp(`^[A-Za-z0-9_-]{${Math.ceil((bytes * 4) / 3)}}$`)));

const httpsAddress = z
  .url({ protocol: /^https$/, error: "The address must begin with https://." })
  .check(z.maxLength(1_000));

/** Adds a channel; only this response contains a webhook's secret. */
export const addNoticeChannel = defineRoute({
  method: "POST",
  path: "/api/notices/channels",
  access: { kind: "session" },
  confirms: "new_notice_channel",
  body: z.discriminatedUnion("kind", [
    z.strictObject({
      kind: z.literal("push"),
      endpoint: httpsAddress,
      p256dh: base64Url(65),
      auth: base64Url(16),
      browser: name(1, 60),
      events,
    }),
    z.strictObject({
      kind: z.literal("telegram"),
      token: z.string().check(z.regex(/^\d{3,20}:[A-Za-z0-9_-]{20,80}$/, "Not a bot token.")),
      chatId: z.string().check(z.regex(/^(-?\d{1,20}|@[A-Za-z0-9_]{4,40})$/, "Not a chat.")),
      events,
    }),
    z.strictObject({
      kind: z.literal("email"),
      address: z.email("Not an e-mail address.").check(z.maxLength(254)),
      events,
    }),
    z.strictObject({ kind: z.literal("webhook"), url: httpsAddress, events }),
  ]),
  status: 201,
  response: z.strictObject({ id: serverId, secret: z.optional(z.string()) }),
  holdsSecret: true,
});

const channelParams = z.strictObject({ channelId: serverId });

export const changeNoticeChannel = defineRoute({
  method: "PUT",
  path: "/api/notices/channels/:channelId",
  access: { kind: "session" },
  params: channelParams,
  body: z.strictObject({ events }),
  status: 204,
});

export const removeNoticeChannel = defineRoute({
  method: "DELETE",
  path: "/api/notices/channels/:channelId",
  access: { kind: "session" },
  params: channelParams,
  status: 204,
});

export const CODE_DIGITS = 6;

/** Validity of a code in minutes. */
export const CODE_MINUTES = 15;

/** Sends a new code to an unconfirmed e-mail address; earlier codes become invalid. */
export const sendNoticeCode = defineRoute({
  method: "POST",
  path: "/api/notices/channels/:channelId/code",
  access: { kind: "session" },
  params: channelParams,
  status: 204,
});

/** Confirms an e-mail address with the code that was sent to it. */
export const confirmNoticeChannel = defineRoute({
  method: "POST",
  path: "/api/notices/channels/:channelId/confirm",
  access: { kind: "session" },
  params: channelParams,
  body: z.strictObject({
    code: z.string().check(z.regex(new RegExp(`^\\d{${CODE_DIGITS}}$`), "Six digits.")),
  }),
  status: 204,
});

/** Sends a test message, queued behind messages already waiting for the channel. */
export const testNoticeChannel = defineRoute({
  method: "POST",
  path: "/api/notices/channels/:channelId/test",
  access: { kind: "session" },
  params: channelParams,
  status: 204,
});

/** Sets the quiet hours, or removes them when the field is absent. */
export const setQuietHours = defineRoute({
  method: "PUT",
  path: "/api/notices/quiet-hours",
  access: { kind: "session" },
  body: z.strictObject({ quietHours: z.optional(quietHours) }),
  status: 204,
});
