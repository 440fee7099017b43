import type { ErrorCode } from "../../../contract/errors.ts";
import { type AgentId, type EventId, parseEventId } from "../../../domain/ids.ts";
import type { FiredOn } from "../../store/alerts/alert-events.ts";
import { hash } from "node:crypto";

/** One alert, received with a webhook token or fired by a condition, before it is evaluated. */
export interface Delivery {
  readonly agentId: AgentId;
  /** Null for a condition, which needs no token. */
  readonly tokenVersion: number | null;
  /** Name as sent, truncated and stripped of control characters for display. */
  readonly alertName: string;
  readonly receivedAtMs: number;
  /** Request that brought the alert; absent for a condition. */
  readonly requestId?: string;
  readonly content: DeliveryContent;
}

export type DeliveryContent =
  | {
      readonly kind: "alert";
      readonly alertNameKey: string;
      readonly firedAtMs: number;
      /** Deduplication key: equal for all deliveries of one firing. */
      readonly dedupKey: string;
      /** Hash of the request body, 8 bytes in hex: equal for deliveries with identical text. */
      readonly bodyHash: string;
    }
  | {
      /** One of the agent's conditions was met when a bar closed. */
      readonly kind: "condition";
      /** Summary entry: stands for all bars of a downtime up to this one, which are not recorded individually. */
      readonly isUnlisted?: true;
      readonly alertId: string;
      /** Close time of the bar. */
      readonly firedAtMs: number;
      readonly dedupKey: string;
      /**
       * Time of the agent's last change when the condition was evaluated; the delivery is dropped if the agent changed
       * since.
       */
      readonly agentChangedAtMs: number;
      readonly fired: FiredOn;
    }
  /** Refused regardless of the agent's settings; recorded so that the owner sees it. */
  | { readonly kind: "refusal"; readonly code: ErrorCode };

/** Outcome of a delivery, known only after it is stored durably. */
export type DeliveryResult =
  | { readonly kind: "accepted" | "duplicate"; readonly eventId: EventId }
  | { readonly kind: "ignored"; readonly reason: "trading_off" }
  | { readonly kind: "refused"; readonly code: ErrorCode }
  /** The condition's bar closed too long ago to trade on; recorded. */
  | { readonly kind: "missed" }
  /** The agent changed after its condition was evaluated; nothing is recorded. */
  | { readonly kind: "outdated" }
  /** The agent does not exist, or the token is not its current one. */
  | { readonly kind: "unknown" };

/**
 * Returns the id of the event that records a firing: the same for all its deliveries, so that the primary key refuses
 * to record it twice.
 */
export const eventIdOf = (agentId: AgentId, dedupKey: string): EventId =>
  parseEventId(hash("sha256", `${agentId}\n${dedupKey}`, "hex").slice(0, 32));
