import type { NodeRpc } from "./node-rpc.ts";
import { getBase64Decoder } from "@solana/kit";
import { type Chain, ChainUnavailableError } from "./chain.ts";
import { transactionErrorFromRpc } from "./rpc-error.ts";
import { ask, refusalOf } from "./rpc-ask.ts";
import { signatureOf } from "./signing.ts";

const toWire = getBase64Decoder();

/** Simulates and sends transactions through a node. */
export function rpcSending(rpc: NodeRpc): Pick<Chain, "simulate" | "send"> {
  const wire = (transaction: Uint8Array) => toWire.decode(transaction) as never;
  return {
    async simulate(transaction, { replaceBlockhash = true } = {}) {
      const { value } = await ask(() =>
        rpc
          .simulateTransaction(wire(transaction), {
            encoding: "base64",
            commitment: "confirmed",
            sigVerify: false,
            replaceRecentBlockhash: replaceBlockhash,
          })
          .send(),
      );
      return {
        error: transactionErrorFromRpc(value.err),
        logs: value.logs ?? [],
        unitsConsumed: value.unitsConsumed ?? 0n,
      };
    },

    async send(transaction) {
      try {
        return await rpc
          .sendTransaction(wire(transaction), {
            encoding: "base64",
            preflightCommitment: "confirmed",
            maxRetries: 0n,
          })
          .send();
      } catch (error) {
        if (error instanceof ChainUnavailableError) throw error;
        const refusal = refusalOf(error);
        if (refusal?.error.name === "AlreadyProcessed") return signatureOf(transaction);
        if (refusal !== null) throw refusal;
        throw new ChainUnavailableError("The node did not take the transaction.", {
          cause: error,
          trouble: "unreachable",
        });
      }
    },
  };
}
