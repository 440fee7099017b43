import type * as z from "zod/mini";
import type { Channel } from "./channel.ts";
import { email } from "./email.ts";
import { push } from "./push.ts";
import { telegram } from "./telegram.ts";
import { webhook } from "./webhook.ts";

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
