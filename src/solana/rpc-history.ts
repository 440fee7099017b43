import type { NodeRpc } from "./node-rpc.ts";
import type { Signature } from "@solana/kit";
import { type Chain, ChainUnavailableError, type SignatureStatus } from "./chain.ts";
import { isU64, requireAnswer } from "./check-answer.ts";
import { transactionErrorFromRpc } from "./rpc-error.ts";
import { ask } from "./rpc-ask.ts";
import { outcomeFromRpc } from "./rpc-outcome.ts";

/** Newest transaction version this product reads. */
const NEWEST_VERSION = 1;

/** Returns the calls of a node about signatures and landed transactions. */
export function rpcHistory(
  rpc: NodeRpc,
): Pick<Chain, "signatureStatuses" | "transaction" | "signaturesFor"> {
  return {
    async signatureStatuses(signatures, { minSlot = 0n } = {}) {
      const answer = await ask(() =>
        rpc.getSignatureStatuses([...signatures], { searchTransactionHistory: true }).send(),
      );
      const { slot } = answer.context;
      requireAnswer(isU64(slot) && answer.value.length === signatures.length, "statuses");
      if (slot < minSlot) {
        throw new ChainUnavailableError("The node is behind.", { trouble: "behind" });
      }
      return {
        slot,
        statuses: answer.value.map((status): SignatureStatus | null => {
          if (status === null) return null;
          requireAnswer(isU64(status.slot) && status.slot <= slot, "a status without its slot");
          return {
            slot: status.slot,
            // Older nodes report a commitment only while it is not final
            commitment:
              status.confirmationStatus ??
              (status.confirmations === null ? "finalized" : "processed"),
            error: transactionErrorFromRpc(status.err),
          };
        }),
      };
    },

    async transaction(signature: Signature) {
      const answer = await ask(() =>
        rpc
          .getTransaction(signature, {
            encoding: "json",
            commitment: "confirmed",
            // Kit's type does not include the newest version yet; nodes answer it in the same form
            maxSupportedTransactionVersion: NEWEST_VERSION as 0,
          })
          .send(),
      );
      if (answer === null) return null;
      requireAnswer(answer.transaction.signatures[0] === signature, "another transaction");
      return outcomeFromRpc(signature, answer);
    },

    async signaturesFor(address, limit, { minSlot, sinceSlot = 0n, before } = {}) {
      const rows = await ask(() =>
        rpc
          .getSignaturesForAddress(address, {
            limit,
            commitment: "confirmed",
            ...(before === undefined ? {} : { before }),
            ...(minSlot === undefined ? {} : { minContextSlot: minSlot }),
          })
          .send(),
      );
      requireAnswer(
        rows.every((row) => isU64(row.slot) && typeof row.signature === "string"),
        "a signature without its slot",
      );
      return rows.filter(({ slot }) => slot >= sinceSlot).map(({ signature }) => signature);
    },
  };
}
