import type { Brand } from "./brand.ts";

/** The wallet that owns an agent: sole member of its multisig, base58. */
export type OwnerAddress = Brand<string, "OwnerAddress">;

/** Identifies an agent; made by the server, 128 bits in lower-case hex. */
export type AgentId = Brand<string, "AgentId">;

export type ChatId = Brand<string, "ChatId">;

export type OrderId = Brand<string, "OrderId">;

/** Identifies one accepted arrival of an alert. */
export type EventId = Brand<string, "EventId">;
