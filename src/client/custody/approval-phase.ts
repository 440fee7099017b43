import type { ErrorCode } from "../../contract/errors.ts";
import type { ResponseOf } from "../../contract/route.ts";
import type { getTransaction, prepareTransaction } from "../../contract/tx.ts";
import type { TransactionSummary } from "./transaction-summary.ts";

export type FollowedTransaction = ResponseOf<typeof getTransaction>;
export type PreparedTransaction = Extract<
  ResponseOf<typeof prepareTransaction>,
  { done: false }
>["prepared"];

/** Time without confirmation after which the wording changes, in milliseconds. */
export const PENDING_AFTER_MS = 30_000;

/** Error answer of the server in catalogue texts. */
export interface NamedProblem {
  readonly code?: ErrorCode | undefined;
  /** Absent when the catalogue has no title for the code. */
  readonly title?: string | undefined;
  /** The landed transaction of `transaction_landed`. */
  readonly transactionId?: string | undefined;
}

/** A prepared transaction and its summary, shown before the wallet opens. */
export interface Review {
  readonly prepared: PreparedTransaction;
  readonly summary: TransactionSummary;
}

export interface StoppedPhase {
  readonly kind: "stopped";
  readonly outcome: "failed" | "expired" | "error";
  readonly reason: string;
  readonly problem?: NamedProblem;
  readonly transaction?: FollowedTransaction;
}

/** Phase of one approval, from preparation to confirmation. */
export type ApprovalPhase =
  | {
      readonly kind: "preparing";
      /** What the exchange has to do before there is a transaction to sign. */
      readonly waitsFor?: string;
    }
  | (Review & {
      readonly kind: "review";
      /** Outcome of the last attempt, for instance a refusal in the wallet. */
      readonly note?: string;
    })
  /** Approved by the user: the blockhash is renewed before the wallet opens */
  | (Review & { readonly kind: "renewing" })
  | (Review & { readonly kind: "wallet" })
  | {
      readonly kind: "following";
      readonly transaction: FollowedTransaction;
      readonly progress: "sent" | "confirming" | "pending";
    }
  | {
      /** The wallet sent it but the server does not know yet; sending again could execute it twice. */
      readonly kind: "unreported";
      readonly signature: string;
    }
  | { readonly kind: "blocked"; readonly prepared: PreparedTransaction; readonly reason: string }
  | StoppedPhase
  | { readonly kind: "done"; readonly transaction?: FollowedTransaction };

/** Returns the progress of a sent transaction: just sent, being confirmed, or pending for too long. */
export function followingProgress(
  followedForMs: number,
  asked: number,
): "sent" | "confirming" | "pending" {
  if (followedForMs >= PENDING_AFTER_MS) return "pending";
  return asked === 0 ? "sent" : "confirming";
}
