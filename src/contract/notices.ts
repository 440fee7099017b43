import * as z from "zod/mini";
import { NOTICE_KINDS, SENT_KINDS } from "../domain/notice.ts";
import { isoTime, line, serverId } from "./fields.ts";
import { noticeEvents } from "./notice-channels/channel.ts";
import { CHANNEL_BODIES, CHANNEL_KINDS } from "./notice-channels/list.ts";
import { READS, free, route, type ResponseOf } from "./route.ts";

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
export const getNotices = route("GET", "/api/notices", {
  ...READS,
  access: { kind: "session" },
  staleOn: ["notices"],
  freshMs: 0,
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

/** Adds a channel; only this response contains a webhook's secret. */
export const addNoticeChannel = route("POST", "/api/notices/channels", {
  bearer: "new_notice_channel",
  access: { kind: "session" },
  changes: ["notices"],
  body: z.discriminatedUnion("kind", CHANNEL_BODIES),
  status: 201,
  response: z.strictObject({ id: serverId, secret: z.optional(z.string()) }),
  holdsSecret: true,
});

const channelParams = z.strictObject({ channelId: serverId });

export const changeNoticeChannel = route("PUT", "/api/notices/channels/:channelId", {
  bearer: "muted_notice_channel",
  access: { kind: "session" },
  changes: ["notices"],
  params: channelParams,
  body: z.strictObject({ events: noticeEvents }),
});

export const removeNoticeChannel = route("DELETE", "/api/notices/channels/:channelId", {
  bearer: "removed_notice_channel",
  access: { kind: "session" },
  changes: ["notices"],
  params: channelParams,
});

export const CODE_DIGITS = 6;

/** Validity of a code in minutes. */
export const CODE_MINUTES = 15;

/** Sends a new code to an unconfirmed e-mail address; earlier codes become invalid. */
export const sendNoticeCode = route("POST", "/api/notices/channels/:channelId/code", {
  ...free("The wallet signed for the address when it was added."),
  access: { kind: "session" },
  changes: ["notices"],
  params: channelParams,
});

/** Confirms an e-mail address with the code that was sent to it. */
export const confirmNoticeChannel = route("POST", "/api/notices/channels/:channelId/confirm", {
  ...free("The wallet signed for the address, and the code was sent there."),
  access: { kind: "session" },
  changes: ["notices"],
  params: channelParams,
  body: z.strictObject({
    code: z.string().check(z.regex(new RegExp(`^\\d{${CODE_DIGITS}}$`), "Six digits.")),
  }),
});

/** Sends a test message, queued behind messages already waiting for the channel. */
export const testNoticeChannel = route("POST", "/api/notices/channels/:channelId/test", {
  ...free("It only sends a test to a channel the wallet signed for."),
  access: { kind: "session" },
  changes: ["notices"],
  params: channelParams,
});

/** Sets the quiet hours, or removes them when the field is absent. */
export const setQuietHours = route("PUT", "/api/notices/quiet-hours", {
  ...free("Urgent notices are sent at any hour; the others wait and none is dropped."),
  access: { kind: "session" },
  changes: ["notices"],
  body: z.strictObject({ quietHours: z.optional(quietHours) }),
});

export type Notices = ResponseOf<typeof getNotices>;

export type NoticeChannel = Notices["channels"][number];

export type SentNotice = Notices["history"][number];

export type QuietHours = NonNullable<Notices["quietHours"]>;
