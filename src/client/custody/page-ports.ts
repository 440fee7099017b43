import { encodeBase58 } from "../../domain/base58.ts";
import type { Network } from "../../domain/network.ts";
import { fromBase64, toBase64 } from "../lib/base64.ts";
import { clock, wait } from "../lib/clock.ts";
import { describeProblem, isApiError, PLAIN_TITLE } from "../lib/problem.ts";
import { call } from "../lib/api.ts";
import { listOwnerFacts } from "../../contract/owner-facts.ts";
import {
  getTransaction,
  prepareTransaction,
  renewTransaction,
  reportSent,
  submitSigned,
} from "../../contract/tx.ts";
import { isAccountChange, isRefusal } from "../wallet/wallet-error.ts";
import { pinApproved, recallSignature, rememberSignature } from "./approval-memory.ts";
import type {
  NamedProblem,
  PreparedTransaction,
  RequestedApproval,
  Review,
} from "./approval-phase.ts";

/** Answer of a wallet to one request. */
export type WalletAnswer<T> =
  | { readonly kind: "ok"; readonly value: T }
  | { readonly kind: "refused" }
  /** The wallet's account changed before signing; the flow ends */
  | { readonly kind: "changed"; readonly error: unknown }
  | { readonly kind: "failed"; readonly reason: string };

/** Side effects of an approval: plain functions, so that tests control the answers. */
export type ApprovalPorts = ReturnType<typeof pagePorts>;

/** The connected wallet, as far as an approval needs it. */
export interface ApprovalWallet {
  /** Display name. */
  readonly name: string;
  /** Transaction versions it signs. */
  readonly transactionVersions: () => readonly ("legacy" | 0 | 1)[];
  readonly signTransaction: (
    transaction: Uint8Array,
    network: Network,
    as: string,
  ) => Promise<Uint8Array>;
  /** Returns the 64-byte signature. */
  readonly signAndSendTransaction: (
    transaction: Uint8Array,
    network: Network,
    as: string,
  ) => Promise<Uint8Array>;
}

// Loaded on demand: the chain code is only needed before signing
const chain = () => import("./check/check-prepared.ts");

/** Returns the ports of an approval: our server, the wallet and this browser's storage. */
export function pagePorts(asked: RequestedApproval, wallet: ApprovalWallet) {
  async function answer<T>(ask: () => Promise<T>): Promise<WalletAnswer<T>> {
    try {
      return { kind: "ok", value: await ask() };
    } catch (error) {
      if (isRefusal(error)) return { kind: "refused" };
      if (isAccountChange(error)) return { kind: "changed", error };
      return { kind: "failed", reason: describeProblem(error).message };
    }
  }
  return {
    walletName: wallet.name,
    async prepare(): Promise<PreparedTransaction | "done"> {
      const { intent, agentId, amount, asset } = asked;
      const prepared = await call(prepareTransaction, {
        body: {
          intent,
          agentId,
          versions: [...wallet.transactionVersions()],
          ...(amount !== null && { amount }),
          ...(asset !== null && { market: asset }),
        },
      });
      return prepared.done ? "done" : prepared.prepared;
    },
    /** Returns the same transaction with a fresh blockhash. */
    renew: (id: string) => call(renewTransaction, { params: { id } }),
    /** Decodes the bytes in this browser and compares them with the request and with what the owner signed. */
    async check(prepared: PreparedTransaction) {
      const [{ checkPrepared }, facts] = await Promise.all([
        chain(),
        // Without an answer the page says that it does not know the vault
        call(listOwnerFacts, { params: { agentId: asked.agentId } }).catch(() => []),
      ]);
      return checkPrepared(prepared, asked, facts);
    },
    sign: ({ transaction, network }: PreparedTransaction) =>
      answer(async () =>
        toBase64(await wallet.signTransaction(fromBase64(transaction), network, asked.wallet)),
      ),
    signAndSend: ({ transaction, network }: PreparedTransaction) =>
      answer(async () => {
        const bytes = fromBase64(transaction);
        return encodeBase58(await wallet.signAndSendTransaction(bytes, network, asked.wallet));
      }),
    /** Called once the wallet has returned the owner's signature, even after the dialog was left. */
    signed: (review: Review) => pinApproved(asked.agentId, review),
    postSigned: (id: string, transaction: string) =>
      call(submitSigned, { params: { id }, body: { transaction } }),
    postSent: (id: string, signature: string) =>
      call(reportSent, { params: { id }, body: { signature } }),
    read: (id: string) => call(getTransaction, { params: { id } }),
    remember: rememberSignature,
    recall: recallSignature,
    describe(error: unknown): { readonly reason: string; readonly problem?: NamedProblem } {
      const { title, message } = describeProblem(error);
      return {
        reason: message,
        problem: {
          code: isApiError(error) ? error.code : undefined,
          title: title === PLAIN_TITLE ? undefined : title,
          ...(isApiError(error, "transaction_landed") && {
            transactionId: error.fields["transaction"],
          }),
        },
      };
    },
    wait,
    now: () => clock.now(),
  };
}
