import { AppError, type ErrorCode } from "../../contract/errors.ts";

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

/** Parses a charting platform's message. Throws what `unreadable` returns for anything else. */
export interface AlertSource {
  readonly name: string;
  /** Says what a right message is. */
  readonly right: string;
  read(body: unknown): AlertFired;
}

/** Why a delivery could not be read, as the end of a sentence for the agent's owner. */
export class UnreadableDelivery extends Error {
  override readonly name = "UnreadableDelivery";
  /** Whether the text may hold the secret of another agent. */
  readonly hidesText: boolean;

  constructor(problem: string, { hidesText = false } = {}) {
    super(problem);
    this.hidesText = hidesText;
  }
}

/** Returns the answer to the sender of a delivery that could not be read: what is wrong, and what is right. */
export const unreadable = (wrong: string, right: string): AppError => {
  const problem = `${wrong} ${right}`;
  const cause = new UnreadableDelivery(problem);
  return new AppError("bad_request", { message: `The alert could not be read: ${problem}`, cause });
};
