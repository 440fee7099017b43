import type { ErrorCode } from "../../contract/errors.ts";
import type { ResponseOf } from "../../contract/route.ts";
import type { getTransaction, prepareTransaction } from "../../contract/tx.ts";
import type { CustodyIntent } from "../../domain/custody-intent.ts";
import type { AgentId } from "../../domain/ids.ts";
import type { VenueId } from "../../domain/venue-id.ts";
import type { Effect } from "../../venues/effect.ts";
import type { SignedInWallet } from "../lib/session.ts";

/** The user's request, from the page's own data and never from the server's answer. */
export interface RequestedApproval {
  readonly intent: CustodyIntent;
  readonly agentId: AgentId;
  readonly venue: VenueId;
  readonly wallet: SignedInWallet;
  /** Market the agent trades, by the venue's id. */
  readonly market: string;
  /** Leverage of the agent's entries; absent: 1. */
  readonly leverage?: number | undefined;
  /** Asset to move; null when all are moved or none is. */
  readonly asset: string | null;
  /** Decimal text as it was typed; null when the intent has no amount. */
  readonly amount: string | null;
}

/** What an owner has to compare where the page cannot. */
export type Unvouched = "vault" | "trading key";

/** Summary of a prepared transaction, decoded in this browser. */
export interface TransactionSummary {
  readonly feePayer: string;
  readonly signers: readonly string[];
  readonly effects: readonly Effect[];
  /** Base fee of every signature plus the priority fee at the full compute limit. */
  readonly feeLamports: bigint;
  /** What neither a text of the owner nor this browser's memory knows; absent where all is known. */
  readonly unvouched?: readonly Unvouched[];
}

/** Result of comparing a prepared transaction with the request; a mismatch carries a sentence for the user. */
export type CheckResult =
  | { readonly kind: "matches"; readonly summary: TransactionSummary }
  | { readonly kind: "mismatch"; readonly reason: string };

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
