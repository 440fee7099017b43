import type { ErrorCode } from "../../../contract/errors.ts";

/** One alert that arrived with a token of ours, ready to be counted or only to be recorded. */
export interface Delivery {
  readonly agentId: string;
  readonly tokenVersion: number;
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
  /** Cannot be counted whatever the agent is set to; recorded so that the owner sees it. */
  | { readonly kind: "refusal"; readonly code: ErrorCode };

/** What became of a delivery, known only after it is stored durably. */
export type DeliveryResult =
  | { readonly kind: "accepted" | "duplicate"; readonly eventId: string }
  | { readonly kind: "ignored"; readonly reason: "trading_off" }
  | { readonly kind: "refused"; readonly code: ErrorCode }
  /** No such agent, or the token is no longer its own. */
  | { readonly kind: "unknown" };
