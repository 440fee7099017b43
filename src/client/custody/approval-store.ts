import { createStore, type StoreApi } from "zustand/vanilla";
import type { CustodyIntent } from "../../domain/custody-intent.ts";
import {
  followingProgress,
  type ApprovalPhase,
  type FollowedTransaction,
  type NamedProblem,
  type PreparedTransaction,
} from "./approval-phase.ts";
import type { TransactionSummary } from "./transaction-summary.ts";

/** How often the chain is asked while a transaction is under way. Spec: agents §9 */
const POLL_MS = 1_000;

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
  check(
    prepared: PreparedTransaction,
  ): Promise<
    | { readonly kind: "matches"; readonly summary: TransactionSummary }
    | { readonly kind: "mismatch"; readonly reason: string }
  >;
  sign(prepared: PreparedTransaction): Promise<WalletAnswer<string>>;
  signAndSend(prepared: PreparedTransaction): Promise<WalletAnswer<string>>;
  postSigned(id: string, transaction: string): Promise<FollowedTransaction>;
  postSent(id: string, signature: string): Promise<FollowedTransaction>;
  read(id: string): Promise<FollowedTransaction>;
  /** Keeps a signature until the server has been told of it, across reloads. */
  remember(id: string, signature: string | null): void;
  recall(id: string): string | null;
  /** Called once the owner's signature for a step is out of the wallet. */
  signed(prepared: PreparedTransaction, summary: TransactionSummary): void;
  describe(error: unknown): { readonly reason: string; readonly problem?: NamedProblem };
  walletName: string;
  wait(ms: number): Promise<void>;
  now(): number;
}

export interface Approval {
  readonly phase: StoreApi<ApprovalPhase>;
  readonly intent: CustodyIntent;
  /** Starts, or resumes a transaction that was already sent. */
  start(openTransactionId?: string | null): Promise<void>;
  /** Opens the wallet for the transaction under review: one prompt per call. */
  approve(): Promise<void>;
  /** Takes up again what `leave` stopped. */
  enter(): void;
  /** Stops following; what was sent stays sent. */
  leave(): void;
}

/** What the user looks at before the wallet opens. */
interface Review {
  readonly prepared: PreparedTransaction;
  readonly summary: TransactionSummary;
}

function isSameSummary(one: TransactionSummary, other: TransactionSummary): boolean {
  const text = (summary: TransactionSummary) =>
    JSON.stringify(summary, (_key, value: unknown) =>
      typeof value === "bigint" ? `${value}n` : value,
    );
  return text(one) === text(other);
}

/** Walks one custody intent through prepare, review, wallet and chain until nothing is left to sign. */
export function createApproval(intent: CustodyIntent, ports: ApprovalPorts): Approval {
  const phase = createStore<ApprovalPhase>(() => ({ kind: "preparing" }));
  let left = false;
  let starts = 0;
  const show = (next: ApprovalPhase): void => {
    if (!left) phase.setState(next, true);
  };

  const stop = (error: unknown): void =>
    show({ kind: "stopped", outcome: "error", ...ports.describe(error) });

  async function prepareNext(last?: FollowedTransaction, note?: string): Promise<void> {
    const mine = starts;
    show({ kind: "preparing" });
    try {
      const prepared = await ports.prepare();
      if (mine !== starts) return;
      if (prepared === "done") {
        show(last === undefined ? { kind: "done" } : { kind: "done", transaction: last });
        return;
      }
      const checked = await ports.check(prepared);
      show(
        checked.kind === "matches"
          ? { kind: "review", prepared, summary: checked.summary, ...(note && { note }) }
          : { kind: "blocked", prepared, reason: checked.reason },
      );
    } catch (error) {
      stop(error);
    }
  }

  async function settle(transaction: FollowedTransaction): Promise<boolean> {
    switch (transaction.state) {
      case "confirmed":
        // One of another intent may have been on its way when this was asked for
        if (transaction.hasNext || transaction.intent !== intent) await prepareNext(transaction);
        else show({ kind: "done", transaction });
        return true;
      case "failed":
        show({
          kind: "stopped",
          outcome: "failed",
          reason: transaction.reason ?? "The chain refused the transaction. No funds moved.",
          transaction,
        });
        return true;
      case "expired":
        // Nobody signed it, so nothing was lost but its time
        if (transaction.signature === undefined) {
          await prepareNext();
          return true;
        }
        show({
          kind: "stopped",
          outcome: "expired",
          reason: "The transaction expired before it was confirmed. No funds moved. Try again.",
          transaction,
        });
        return true;
      case "prepared":
      case "abandoned":
        await prepareNext();
        return true;
      case "sent":
        return false;
    }
  }

  async function follow(first: FollowedTransaction): Promise<void> {
    const startedAt = first.sentAt === undefined ? ports.now() : Date.parse(first.sentAt);
    let transaction = first;
    for (let asked = 0; !left; asked += 1) {
      if (await settle(transaction)) return;
      const progress = followingProgress(ports.now() - startedAt, asked);
      show({ kind: "following", transaction, progress });
      await ports.wait(POLL_MS);
      if (left) return;
      transaction = await ports.read(transaction.id).catch(() => transaction);
    }
  }

  /** The wallet already sent it: the server has to learn of the signature, however long that takes. */
  async function report(id: string, signature: string): Promise<void> {
    ports.remember(id, signature);
    for (;;) {
      try {
        const followed = await ports.postSent(id, signature);
        ports.remember(id, null);
        return await follow(followed);
      } catch {
        if (left) return;
        show({ kind: "unreported", signature });
        await ports.wait(POLL_MS);
      }
    }
  }

  async function start(openTransactionId?: string | null): Promise<void> {
    starts += 1;
    if (openTransactionId === undefined || openTransactionId === null) return prepareNext();
    const unreported = ports.recall(openTransactionId);
    if (unreported !== null) return report(openTransactionId, unreported);
    try {
      await follow(await ports.read(openTransactionId));
    } catch (error) {
      stop(error);
    }
  }

  /** The same with a blockhash of now, checked again; null where something else is shown instead. */
  async function renew({ prepared, summary }: Review): Promise<Review | null> {
    const mine = starts;
    show({ kind: "renewing", prepared, summary });
    try {
      const renewed = await ports.renew(prepared.id);
      const checked = await ports.check(renewed);
      if (mine !== starts || left) return null;
      if (checked.kind === "matches" && isSameSummary(checked.summary, summary)) {
        return { prepared: renewed, summary };
      }
      const reason =
        checked.kind === "mismatch" ? checked.reason : "It is no longer what you looked at.";
      show({ kind: "blocked", prepared: renewed, reason });
      return null;
    } catch (error) {
      if (mine !== starts || left) return null;
      const { reason, problem } = ports.describe(error);
      // What the chain or another tab moved on from is prepared again, to be looked at again
      if (problem?.code === "conflict" || problem?.code === "transaction_refused") {
        await prepareNext(undefined, `It had to be prepared again. ${reason}`);
      } else show({ kind: "review", prepared, summary, note: reason });
      return null;
    }
  }

  async function approve(): Promise<void> {
    const current = phase.getState();
    if (current.kind !== "review") return;
    const ready = await renew(current);
    if (ready === null) return;
    const { prepared, summary } = ready;
    show({ kind: "wallet", prepared, summary });
    const answer = await (prepared.method === "sign"
      ? ports.sign(prepared)
      : ports.signAndSend(prepared));
    if (answer.kind === "changed") return stop(answer.error);
    if (answer.kind !== "ok") {
      const note =
        answer.kind === "refused"
          ? `You refused the request in ${ports.walletName}. Nothing was sent.`
          : answer.reason;
      show({ kind: "review", prepared, summary, note });
      return;
    }
    ports.signed(prepared, summary);
    if (prepared.method === "signAndSend") return report(prepared.id, answer.value);
    try {
      await follow(await ports.postSigned(prepared.id, answer.value));
    } catch (error) {
      stop(error);
    }
  }

  return {
    phase,
    intent,
    start,
    approve,
    enter: () => {
      left = false;
    },
    leave: () => {
      left = true;
    },
  };
}
