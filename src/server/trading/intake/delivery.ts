import type { ErrorCode } from "../../../contract/errors.ts";
import type { FiredOn } from "../../store/alerts/alert-events.ts";

/** One alert that arrived with a token of ours or fired by a condition, ready to be counted or only to be recorded. */
export interface Delivery {
  readonly agentId: string;
  /** Null for a condition, which needs no token. */
  readonly tokenVersion: number | null;
  /** As it was sent, cut and cleaned for display. */
  readonly alertName: string;
  readonly receivedAtMs: number;
  readonly content: DeliveryContent;
}

export type DeliveryContent =
  | {
      readonly kind: "alert";
      readonly alertNameKey: string;
      readonly firedAtMs: number;
      /** The same for two deliveries of one firing. */
      readonly dedupKey: string;
      /** The same for two deliveries that say the same word for word. */
      readonly bodyHash: string;
    }
  | {
      /** A condition of the agent held when a bar closed. */
      readonly kind: "condition";
      /** It stands for all bars of a downtime up to this one instead, which are not listed one by one. */
      readonly isUnlisted?: true;
      readonly alertId: string;
      /** When the bar closed. */
      readonly firedAtMs: number;
      readonly dedupKey: string;
      /** The agent as it was evaluated; nothing fires on one that changed since. */
      readonly agentChangedAtMs: number;
      readonly fired: FiredOn;
    }
  /** Cannot be counted whatever the agent is set to; recorded so that the owner sees it. */
  | { readonly kind: "refusal"; readonly code: ErrorCode };

/** What became of a delivery, known only after it is stored durably. */
export type DeliveryResult =
  | { readonly kind: "accepted" | "duplicate"; readonly eventId: string }
  | { readonly kind: "ignored"; readonly reason: "trading_off" }
  | { readonly kind: "refused"; readonly code: ErrorCode }
  /** A condition's bar closed too long ago to trade on; recorded. */
  | { readonly kind: "missed" }
  /** The agent changed after its condition was evaluated; nothing is recorded. */
  | { readonly kind: "outdated" }
  /** No such agent, or the token is no longer its own. */
  | { readonly kind: "unknown" };
