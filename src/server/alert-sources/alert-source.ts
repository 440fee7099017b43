import type { ErrorCode } from "../../contract/errors.ts";

/** One arrival of an alert, as reported by its source. */
export interface AlertFired {
  /** As sent: nobody has proved yet that there is such an agent. */
  readonly agentId: string;
  readonly alertName: string;
  readonly token: string;
  readonly firedAt: FiredAt;
}

/** Time an alert fired in Unix milliseconds, or the reason why the source's text has none. */
export type FiredAt =
  | { readonly kind: "time"; readonly ms: number; readonly text: string }
  | {
      readonly kind: "unreadable";
      readonly code: Extract<ErrorCode, "timestamp_placeholder" | "timestamp_unreadable">;
    };

export interface AlertSource {
  readonly name: string;
  /** Says what a right message is. */
  readonly right: string;
  /** Parses a charting platform's message; returns what is wrong with anything else. */
  read(body: unknown): AlertFired | string;
}
