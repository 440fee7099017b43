import * as z from "zod/mini";
import { agent } from "./agent.ts";
import { renamed } from "./codec.ts";
import {
  chatId,
  clientId,
  isoTime,
  line,
  ownerAddress,
  text,
  ownChat,
  ownWallet,
} from "./fields.ts";
import { READS, free, route } from "./route.ts";

const chat = renamed(
  z.strictObject({
    _id: chatId,
    title: z.string(),
    walletAddress: ownerAddress,
    /** Time of the last message. */
    updatedAt: isoTime,
    agent: z.optional(agent),
  }),
  { _id: "id", walletAddress: "owner" },
);

export type Chat = z.infer<typeof chat>;

const messageNames = { _id: "id", timestamp: "at" } as const;

/** A chat message; its id is made by the client that wrote it. */
export const message = renamed(
  z.strictObject({
    _id: clientId,
    type: z.enum(["user", "ai"]),
    content: z.string(),
    timestamp: isoTime,
  }),
  messageNames,
);

export type Message = z.infer<typeof message>;

/** A chat with a message that contains the searched text, and an excerpt of the newest such message. */
export const foundChat = z.strictObject({ chatId, excerpt: z.string() });

export const addChat = route("POST", "/api/chats/add-chat", {
  ...free("An empty chat trades nothing."),
  access: { kind: "owner", of: "wallet", id: "body.walletAddress" },
  changes: ["chats"],
  body: z.strictObject({
    title: z._default(line(1, 200), "New Chat"),
    walletAddress: ownerAddress,
  }),
  status: 201,
  response: renamed(z.strictObject({ _id: chatId }), { _id: "id" }),
});

/** Most chats in one answer. */
export const CHATS_PAGE = 200;

/**
 * A page of chats, last used first; fewer than 200 are the last page. `before` is the id of the previous page's last
 * chat.
 */
export const listChats = route("GET", "/api/chats/wallet/:walletAddress/agents", {
  ...READS,
  ...ownWallet,
  staleOn: ["chats", "agent", "custody"],
  freshMs: 30_000,
  query: z.strictObject({ before: z.optional(chatId) }),
  response: z.array(chat),
});

export const deleteChat = route("DELETE", "/api/chats/:chatId", {
  ...free("It is refused while the chat's agent holds anything on chain."),
  ...ownChat,
  changes: ["chats"],
});

export const renameChat = route("PATCH", "/api/chats/:chatId", {
  ...free("A title trades nothing."),
  ...ownChat,
  changes: ["chats"],
  body: z.strictObject({ title: line(1, 200) }),
});

/** Adds a message; posting the same `_id` with the same text twice stores one message and returns the same response. */
export const addMessage = route("POST", "/api/chats/:chatId/messages", {
  ...free("A message trades nothing."),
  ...ownChat,
  body: renamed(
    z.strictObject({
      _id: clientId,
      type: z.enum(["user", "ai"]),
      content: text(100_000),
      timestamp: isoTime,
    }),
    messageNames,
  ),
  status: 201,
  response: message,
});

/** Deletes one message permanently. */
export const deleteMessage = route("DELETE", "/api/chats/:chatId/messages/:messageId", {
  ...free("A message trades nothing."),
  ...ownChat,
  params: z.strictObject({ chatId, messageId: clientId }),
});

/** Largest number of messages in one response, and the number of characters after which it ends. */
export const MESSAGE_PAGE = 200;
export const MESSAGE_PAGE_CHARACTERS = 256 * 1_024;

/**
 * A page of messages, oldest first: the newest 200, or fewer, at least one, once they hold 262,144 characters.
 * `before` is the id of the next page's first message; an empty page has nothing older.
 */
export const listMessages = route("GET", "/api/chats/:chatId/messages", {
  ...READS,
  ...ownChat,
  staleOn: ["messages"],
  freshMs: 30_000,
  query: z.strictObject({ before: z.optional(clientId) }),
  response: z.array(message),
});

/**
 * Chats of the wallet with messages that contain the text (case-insensitive), most recently written first. At most 50.
 */
export const searchMessages = route("GET", "/api/chats/wallet/:walletAddress/messages", {
  ...READS,
  isBig: true,
  ...ownWallet,
  freshMs: 10_000,
  query: z.strictObject({ text: line(2, 100) }),
  response: z.array(foundChat),
});
