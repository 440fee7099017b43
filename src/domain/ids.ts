/** The wallet that owns an agent: sole member of its multisig, base58. */
export type OwnerAddress = Brand<string, "OwnerAddress">;

/** Identifies an agent; made by the server, 128 bits in lower-case hex. */
export type AgentId = Brand<string, "AgentId">;

export type ChatId = Brand<string, "ChatId">;

export type OrderId = Brand<string, "OrderId">;

/** Identifies one accepted arrival of an alert. */
export type EventId = Brand<string, "EventId">;

/** How an id made by the server is written: 128 bits in lower-case hex. */
export const SERVER_ID = /^[0-9a-f]{32}$/;

/** How an address is written, by alphabet and length: base58 of 32 bytes. */
export const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

const parserOf =
  <Id extends string>(what: string, form: RegExp) =>
  (text: string): Id => {
    if (!form.test(text)) throw new RangeError(`${what} cannot be "${text.slice(0, 64)}".`);
    return text as Id;
  };

/** Return a text as what it names; throw a RangeError where it cannot name that. */
export const parseAgentId = parserOf<AgentId>("An agent's id", SERVER_ID);
export const parseChatId = parserOf<ChatId>("A chat's id", SERVER_ID);
export const parseOrderId = parserOf<OrderId>("An order's id", SERVER_ID);
export const parseEventId = parserOf<EventId>("An event's id", SERVER_ID);
export const parseOwner = parserOf<OwnerAddress>("An owner's address", ADDRESS);

declare const brand: unique symbol;

/** A primitive type that only its own constructor creates. It costs nothing at run time. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };
