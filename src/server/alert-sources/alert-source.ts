import type { ErrorCode } from "../../contract/errors.ts";

/** One arrival of an alert, as its source told it. */
export interface AlertFired {
  readonly agentId: string;
  readonly alertName: string;
  readonly token: string;
  readonly firedAt: FiredAt;
}

/** When an alert fired, in Unix milliseconds, or why the source's text does not say. */
export type FiredAt =
  | { readonly kind: "time"; readonly ms: number; readonly text: string }
  | {
      readonly kind: "unreadable";
      readonly code: Extract<ErrorCode, "timestamp_placeholder" | "validation_failed">;
    };

/** Reads what a charting platform sends. Throws `AppError` of code `bad_request` when it is not its message at all. */
export interface AlertSource {
  readonly name: string;
  read(body: unknown): AlertFired;
}
