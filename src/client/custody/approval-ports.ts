import type { FollowedTransaction, NamedProblem, PreparedTransaction } from "./approval-phase.ts";
import type { CheckResult } from "./transaction-summary.ts";

/** Answer of a wallet to one request. */
export type WalletAnswer<T> =
  | { readonly kind: "ok"; readonly value: T }
  | { readonly kind: "refused" }
  /** The wallet's account changed before signing; the flow ends */
  | { readonly kind: "changed"; readonly error: unknown }
  | { readonly kind: "failed"; readonly reason: string };

/** Side effects of an approval, passed in as plain functions so that tests control the answers. */
export interface ApprovalPorts {
  prepare(): Promise<PreparedTransaction | "done">;
  /** Returns the same transaction with a fresh blockhash. */
  renew(id: string): Promise<PreparedTransaction>;
  /** Decodes the bytes in this browser and compares them with the request. */
  check(prepared: PreparedTransaction): Promise<CheckResult>;
  sign(prepared: PreparedTransaction): Promise<WalletAnswer<string>>;
  signAndSend(prepared: PreparedTransaction): Promise<WalletAnswer<string>>;
  postSigned(id: string, transaction: string): Promise<FollowedTransaction>;
  postSent(id: string, signature: string): Promise<FollowedTransaction>;
  read(id: string): Promise<FollowedTransaction>;
  /** Stores a signature across reloads until the server knows it; null deletes it. */
  remember(id: string, signature: string | null): void;
  recall(id: string): string | null;
  describe(error: unknown): { readonly reason: string; readonly problem?: NamedProblem };
  walletName: string;
  wait(ms: number): Promise<void>;
  now(): number;
}
