import type { FollowedTransaction, NamedProblem, PreparedTransaction } from "./approval-phase.ts";
import type { CheckResult } from "./transaction-summary.ts";

/** What a wallet said to one request. */
export type WalletAnswer<T> =
  | { readonly kind: "ok"; readonly value: T }
  | { readonly kind: "refused" }
  /** Another account than the one that was to sign; the flow ends. */
  | { readonly kind: "changed"; readonly error: unknown }
  | { readonly kind: "failed"; readonly reason: string };

/** Everything an approval needs from outside; each is a plain function so that tests decide the answers. */
export interface ApprovalPorts {
  prepare(): Promise<PreparedTransaction | "done">;
  /** Answers the same with a fresh blockhash. */
  renew(id: string): Promise<PreparedTransaction>;
  /** Decodes the bytes in this browser and compares them with the request. */
  check(prepared: PreparedTransaction): Promise<CheckResult>;
  sign(prepared: PreparedTransaction): Promise<WalletAnswer<string>>;
  signAndSend(prepared: PreparedTransaction): Promise<WalletAnswer<string>>;
  postSigned(id: string, transaction: string): Promise<FollowedTransaction>;
  postSent(id: string, signature: string): Promise<FollowedTransaction>;
  read(id: string): Promise<FollowedTransaction>;
  /** Keeps a signature until the server has been told of it, across reloads. */
  remember(id: string, signature: string | null): void;
  recall(id: string): string | null;
  describe(error: unknown): { readonly reason: string; readonly problem?: NamedProblem };
  walletName: string;
  wait(ms: number): Promise<void>;
  now(): number;
}
