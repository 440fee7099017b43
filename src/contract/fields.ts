import * as z from "zod/mini";
import {
  ADDRESS,
  type AgentId,
  type ChatId,
  type EventId,
  type OrderId,
  type OwnerAddress,
  SERVER_ID,
} from "../domain/ids.ts";
import { hasInvisible } from "../domain/name-key.ts";
import { NETWORKS } from "../domain/network.ts";
import { SIGNALS } from "../domain/signal.ts";
import { VENUE_IDS } from "../domain/venue-id.ts";
import { renamed } from "./codec.ts";
import { OWNER_LIMIT_RANGES } from "../domain/owner-limits.ts";

/** Largest body of an alert in bytes. */
export const WEBHOOK_BODY_LIMIT_BYTES = 16 * 1024;

/** Printable text on one line: no control characters, no lone surrogates. Lengths in UTF-16 units. */
export function line(minLength: number, maxLength: number) {
  return z.string().check(
    z.minLength(minLength),
    z.maxLength(maxLength),
    z.refine((text) => text.isWellFormed() && !/[\p{Cc}\u2028\u2029]/u.test(text), {
      error: "Control characters are not allowed.",
    }),
  );
}

/** A name, which a person reads in what his wallet signs: a line without invisible characters and direction marks. */
export function name(minLength: number, maxLength: number) {
  return line(minLength, maxLength).check(
    z.refine((text) => !hasInvisible(text), {
      error: "Invisible characters are not allowed.",
    }),
  );
}

/** Free text of several lines: tabs and line breaks allowed, other control characters not. */
export function text(maxLength: number) {
  return z.string().check(
    z.maxLength(maxLength),
    z.refine((value) => value.isWellFormed() && !/[^\P{Cc}\t\n\r]/u.test(value), {
      error: "Control characters are not allowed.",
    }),
  );
}

/** Id made by the server: 128 random bits in lower-case hex. */
export const serverId = z.string().check(z.regex(SERVER_ID));

/** Returns a schema as that of one kind of id; parsing with it is what makes a branded id. */
const idOf = <Id extends string>(form: z.ZodMiniType<string, string>) =>
  form as unknown as z.ZodMiniType<Id, string>;
export const agentId = idOf<AgentId>(serverId);
export const chatId = idOf<ChatId>(serverId);
export const eventId = idOf<EventId>(serverId);
export const orderId = idOf<OrderId>(serverId);

/** Id made by a client for its own message. */
export const clientId = z.string().check(
  z.regex(/^[A-Za-z0-9_-]{8,64}$/),
  // Names of `Object.prototype` are refused: a page that keys messages by id in an object would find inherited
  // functions
  z.refine((id) => !(id in Object.prototype), { error: "Not allowed." }),
);

/** Base58 address of 32 bytes, checked by alphabet and length; the server decodes it strictly. */
export const walletAddress = z.string().check(z.regex(ADDRESS));

export const ownerAddress = idOf<OwnerAddress>(walletAddress);

/** Base58 of 64 bytes. */
export const signature = z.string().check(z.regex(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/));

export const base64 = z
  .string()
  .check(
    z.maxLength(4096),
    z.regex(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/),
  );

/** An amount as typed by a user: digits with at most one point. Parsed exactly, never as a float. */
export const decimalText = z.string().check(z.maxLength(40), z.regex(/^(?:\d+\.?\d*|\.\d+)$/));

/** A signed figure for display, for instance -12.50. */
export const signedDecimalText = z.string().check(z.regex(/^-?\d+(?:\.\d+)?$/));

export const isoTime = z.iso.datetime();

export const network = z.enum(NETWORKS);
export const venue = z.enum(VENUE_IDS);
export const action = z.enum(SIGNALS);
export const onOff = z.enum(["on", "off"]);
export const side = z.enum(["long", "short"]);

/** Access to what the caller owns, and the parameters of a path that names it. */
export const ownAgent = {
  access: { kind: "owner", of: "agent", id: "params.agentId" },
  params: renamed(z.strictObject({ botId: agentId }), { botId: "agentId" }),
} as const;
export const ownChat = {
  access: { kind: "owner", of: "chat", id: "params.chatId" },
  params: z.strictObject({ chatId }),
} as const;
export const ownWallet = {
  access: { kind: "owner", of: "wallet", id: "params.walletAddress" },
  params: z.strictObject({ walletAddress: ownerAddress }),
} as const;

/** Percent of the position that a closing rule or the owner closes; absent: all of it. */
export const portion = z.int().check(z.minimum(1), z.maximum(100));

/** Returns the access to an agent that a query names beside other fields. */
export const ownAgentQuery = <Shape extends z.core.$ZodShape>(fields: Shape) =>
  ({
    access: { kind: "owner", of: "agent", id: "query.agentId" },
    query: z.strictObject({ agentId, ...fields }),
  }) as const;

/** Returns the access to a wallet that a query names beside other fields. */
export const ownWalletQuery = <Shape extends z.core.$ZodShape>(fields: Shape) =>
  ({
    access: { kind: "owner", of: "wallet", id: "query.owner" },
    query: renamed(z.strictObject({ pubkey: ownerAddress, ...fields }), { pubkey: "owner" }),
  }) as const;

const within = ({ least, most }: { readonly least: number; readonly most: number }) =>
  z.optional(z.int().check(z.minimum(least), z.maximum(most)));

/** Limits an owner sets for an agent; an absent limit is not set. Shares in basis points. */
export const ownerLimits = z.strictObject({
  dayLossBps: within(OWNER_LIMIT_RANGES.dayLossBps),
  fallBps: within(OWNER_LIMIT_RANGES.fallBps),
  tradesPerDay: within(OWNER_LIMIT_RANGES.tradesPerDay),
  lossesInRow: within(OWNER_LIMIT_RANGES.lossesInRow),
  assetShareBps: within(OWNER_LIMIT_RANGES.assetShareBps),
});

export type SentOwnerLimits = z.infer<typeof ownerLimits>;

/** What became of an alert that was received. */
export const alertAnswer = z.union([
  z.strictObject({ status: z.enum(["accepted", "duplicate"]), eventId }),
  z.strictObject({ status: z.literal("ignored"), reason: z.string() }),
]);
