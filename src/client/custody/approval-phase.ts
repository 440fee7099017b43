import type { ErrorCode } from "../../contract/errors.ts";
import type { ResponseOf } from "../../contract/route.ts";
import type { getTransaction, prepareTransaction } from "../../contract/tx.ts";
import type { TransactionSummary } from "./transaction-summary.ts";

export type FollowedTransaction = ResponseOf<typeof getTransaction>;
export type PreparedTransaction = Extract<
  ResponseOf<typeof prepareTransaction>,
  { done: false }
>["prepared"];

/** After this long without an answer from the chain the wording changes. */
export const PENDING_AFTER_MS = 30_000;

/** What our server says of a refusal. */
export interface NamedProblem {
  readonly code?: ErrorCode | undefined;
  /** Absent where the catalogue has none of its own. */
  readonly title?: string | undefined;
}

/** What the user looks at before the wallet opens. */
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

/** Where one approval stands, from the question to the chain's answer. */
export type ApprovalPhase =
  | { readonly kind: "preparing" }
  | (Review & {
      readonly kind: "review";
      /** What happened to the last try, for instance a refusal in the wallet. */
      readonly note?: string;
    })
  /** Approved: it gets a blockhash of now before the wallet opens. */
  | (Review & { readonly kind: "renewing" })
  | (Review & { readonly kind: "wallet" })
  | {
      readonly kind: "following";
      readonly transaction: FollowedTransaction;
      readonly progress: "sent" | "confirming" | "pending";
    }
  | {
      /** The wallet sent it but the server does not know yet; nothing may be repeated. */
      readonly kind: "unreported";
      readonly signature: string;
    }
  | { readonly kind: "blocked"; readonly prepared: PreparedTransaction; readonly reason: string }
  | StoppedPhase
  | { readonly kind: "done"; readonly transaction?: FollowedTransaction };

/** Says how to word a sent transaction: just sent, being confirmed, or pending for too long. */
export function followingProgress(
  followedForMs: number,
  asked: number,
): "sent" | "confirming" | "pending" {
  if (followedForMs >= PENDING_AFTER_MS) return "pending";
  return asked === 0 ? "sent" : "confirming";
}
