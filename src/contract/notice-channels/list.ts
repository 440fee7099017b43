import * as z from "zod/mini";
import { type Channel, defineChannel, hostOf, httpsAddress } from "./channel.ts";
import { quoteName } from "../../domain/name-key.ts";
import { name } from "../fields.ts";

const telegram = defineChannel({
  kind: "telegram",
  title: "Telegram",
  icon: "send",
  shape: {
    token: z.string().check(z.regex(/^\d{3,20}:[A-Za-z0-9_-]{20,80}$/, "Not a bot token.")),
    chatId: z.string().check(z.regex(/^(-?\d{1,20}|@[A-Za-z0-9_]{4,40})$/, "Not a chat.")),
  },
  form: [
    {
      name: "token",
      label: "Bot token",
      hint: "Make a bot with @BotFather and paste its token. It is kept encrypted and never shown again.",
      placeholder: "123456789:AA…",
      wrong: "That is not a bot token.",
    },
    {
      name: "chatId",
      label: "Chat",
      hint: "Write to your bot once, then enter your chat's number, or the @name of a channel it may post in.",
      placeholder: "123456789",
      wrong: "A chat is a number or an @name.",
    },
  ],
  labelOf: ({ chatId }) => `Chat ${chatId}`,
  placeOf: ({ chatId, token }) =>
    `the Telegram chat ${chatId} through the bot ${token.split(":")[0] ?? ""}`,
});

const base64Url = (bytes: number) =>
  z.string().check(z.regex(new RegExp(`^[A-Za-z0-9_-]{${Math.ceil((bytes * 4) / 3)}}$`)));

const push = defineChannel({
  kind: "push",
  title: "This browser",
  icon: "bell",
  shape: {
    endpoint: httpsAddress,
    p256dh: base64Url(65),
    auth: base64Url(16),
    browser: name(1, 60),
  },
  form: null,
  labelOf: ({ browser }) => browser,
  placeOf: ({ browser, endpoint }) =>
    `the browser ${quoteName(browser)} through ${hostOf(endpoint)}`,
  targetOf: ({ endpoint, p256dh, auth }) => ({ endpoint, p256dh, auth }),
});

const email = defineChannel({
  kind: "email",
  title: "E-mail",
  icon: "mail",
  shape: { address: z.email("Not an e-mail address.").check(z.maxLength(254)) },
  form: [
    {
      name: "address",
      label: "E-mail address",
      hint: "A code is sent there first, to confirm that it is yours.",
      placeholder: "you@example.com",
      wrong: "That is not an e-mail address.",
    },
  ],
  labelOf: ({ address }) => address.replace(/^(.).*(?=@)/, "$1…"),
  placeOf: ({ address }) => address,
  codeTo: ({ address }) => address,
});

const webhook = defineChannel({
  kind: "webhook",
  title: "Webhook",
  icon: "webhook",
  shape: { url: httpsAddress },
  form: [
    {
      name: "url",
      label: "Address",
      hint: "A public https address of yours. Our calls are signed; the secret is shown once after this.",
      placeholder: "https://…",
      wrong: "The address must begin with https://.",
    },
  ],
  hasSecret: true,
  labelOf: ({ url }) => hostOf(url),
  placeOf: ({ url }) => `the webhook at ${hostOf(url)}`,
});

/** Every way to tell an owner, in the order the page offers them. */
const CHANNELS = { push, telegram, email, webhook };

export type ChannelKind = keyof typeof CHANNELS;

export const CHANNEL_KINDS = Object.keys(CHANNELS) as [ChannelKind, ...ChannelKind[]];

type Body = (typeof CHANNELS)[ChannelKind]["body"];

/** Bodies of the call that adds a channel, one for each kind. */
export const CHANNEL_BODIES = CHANNEL_KINDS.map((kind) => CHANNELS[kind].body) as unknown as [
  Body,
  ...Body[],
];

/** A channel as the call that adds it sends it. */
export type NewChannel = z.infer<Body>;

export const channelOf = (kind: ChannelKind): Channel<ChannelKind, z.core.$ZodShape, NewChannel> =>
  CHANNELS[kind];
