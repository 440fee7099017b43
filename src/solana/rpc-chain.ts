import {
  type Address,
  createSolanaRpcFromTransport,
  getBase64Decoder,
  getBase64Encoder,
  isSolanaError,
  type RpcTransport,
  type Signature,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_UNSUPPORTED_TRANSACTION_VERSION,
} from "@solana/kit";
import type { Network } from "../domain/network.ts";
import {
  type Account,
  type Chain,
  ChainUnavailableError,
  type SignatureStatus,
  TransactionRefusedError,
  UnreadableTransactionError,
} from "./chain.ts";
import { createForwardChain } from "./forward-chain.ts";
import { transactionErrorFromRpc } from "./rpc-error.ts";
import { outcomeFromRpc } from "./rpc-outcome.ts";
import { signatureOf } from "./signing.ts";

/** Most accounts a node returns for one request. */
const ACCOUNTS_PER_REQUEST = 100;

/** Newest transaction version that is read. */
const NEWEST_VERSION = 1;

/** Minutes of slots that are measured: one sample is a minute. */
const SLOT_SAMPLES = 5;

/** Most accounts a node takes into account for recent prices. */
const PRICED_ACCOUNTS = 128;

const toWire = getBase64Decoder();
const fromWire = getBase64Encoder();

/** Runs the call and turns every failure that is not ours into `ChainUnavailableError`. */
async function ask<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof ChainUnavailableError) throw error;
    if (
      isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_UNSUPPORTED_TRANSACTION_VERSION)
    ) {
      throw new UnreadableTransactionError("The transaction's version is not known here.");
    }
    throw new ChainUnavailableError("The node answered with an error.", { cause: error });
  }
}

/** Returns the chain behind Solana's JSON-RPC over HTTP: polling only, reads at `confirmed`, never from before what it told. */
export function createRpcChain(network: Network, transport: RpcTransport): Chain {
  const rpc = createSolanaRpcFromTransport(transport);
  const wire = (transaction: Uint8Array) => toWire.decode(transaction) as never;

  const node: Chain = {
    network,
    genesisHash: () => ask(() => rpc.getGenesisHash().send()),

    async accounts(addresses, options = {}) {
      const found: (Account | null)[] = [];
      let slot: bigint | undefined;
      for (let from = 0; from < Math.max(1, addresses.length); from += ACCOUNTS_PER_REQUEST) {
        const part = addresses.slice(from, from + ACCOUNTS_PER_REQUEST);
        const answer = await ask(() =>
          rpc
            .getMultipleAccounts(part, {
              encoding: "base64",
              commitment: "confirmed",
              ...(options.minContextSlot === undefined
                ? {}
                : { minContextSlot: options.minContextSlot }),
            })
            .send(),
        );
        slot = slot === undefined || answer.context.slot < slot ? answer.context.slot : slot;
        answer.value.forEach((account, index) => {
          const address = part[index] as Address;
          found.push(
            account === null
              ? null
              : {
                  address,
                  lamports: account.lamports,
                  owner: account.owner,
                  data: Uint8Array.from(fromWire.encode(account.data[0])),
                  executable: account.executable,
                },
          );
        });
      }
      return { slot: slot ?? 0n, accounts: found };
    },

    async latestBlockhash() {
      const { context, value } = await ask(() =>
        rpc.getLatestBlockhash({ commitment: "confirmed" }).send(),
      );
      const { blockhash, lastValidBlockHeight } = value;
      return { blockhash, lastValidBlockHeight, slot: context.slot };
    },

    async progress(commitment) {
      const { absoluteSlot, blockHeight } = await ask(() =>
        rpc.getEpochInfo({ commitment }).send(),
      );
      return { slot: absoluteSlot, blockHeight };
    },

    historyStart: () => ask(() => rpc.getFirstAvailableBlock().send()),

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
        if (
          isSolanaError(
            error,
            SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
          )
        ) {
          const reason = transactionErrorFromRpc(error.cause ?? null);
          if (reason?.name === "AlreadyProcessed") return signatureOf(transaction);
          if (reason !== null) throw new TransactionRefusedError(reason, error.context.logs ?? []);
        }
        throw new ChainUnavailableError("The node did not take the transaction.", { cause: error });
      }
    },

    async signatureStatuses(signatures, { minSlot = 0n } = {}) {
      const answer = await ask(() =>
        rpc.getSignatureStatuses([...signatures], { searchTransactionHistory: true }).send(),
      );
      if (answer.context.slot < minSlot) throw new ChainUnavailableError("The node is behind.");
      return {
        slot: answer.context.slot,
        statuses: answer.value.map((status): SignatureStatus | null =>
          status === null
            ? null
            : {
                slot: status.slot,
                commitment: status.confirmationStatus ?? "finalized",
                error: transactionErrorFromRpc(status.err),
              },
        ),
      };
    },

    async transaction(signature: Signature) {
      const answer = await ask(() =>
        rpc
          .getTransaction(signature, {
            encoding: "json",
            commitment: "confirmed",
            // Kit does not name the newest version here yet; nodes answer it the same way
            maxSupportedTransactionVersion: NEWEST_VERSION as 0,
          })
          .send(),
      );
      return answer === null ? null : outcomeFromRpc(signature, answer);
    },

    async recentUnitPrices(writable) {
      const rows = await ask(() =>
        rpc.getRecentPrioritizationFees(writable.slice(0, PRICED_ACCOUNTS)).send(),
      );
      return rows.map(({ prioritizationFee }) => prioritizationFee);
    },

    minimumBalance: (size) => ask(() => rpc.getMinimumBalanceForRentExemption(BigInt(size)).send()),

    async slotDurationMs() {
      const samples = await ask(() => rpc.getRecentPerformanceSamples(SLOT_SAMPLES).send());
      const seconds = samples.reduce((sum, { samplePeriodSecs }) => sum + samplePeriodSecs, 0);
      const slots = samples.reduce((sum, { numSlots }) => sum + numSlots, 0n);
      if (slots === 0n) throw new ChainUnavailableError("The node has measured no slots.");
      return (seconds * 1_000) / Number.parseInt(String(slots), 10);
    },

    async signaturesFor(address, limit, { minSlot, sinceSlot = 0n } = {}) {
      const rows = await ask(() =>
        rpc
          .getSignaturesForAddress(address, {
            limit,
            commitment: "confirmed",
            ...(minSlot === undefined ? {} : { minContextSlot: minSlot }),
          })
          .send(),
      );
      return rows.filter(({ slot }) => slot >= sinceSlot).map(({ signature }) => signature);
    },

    withOneNode: (work) => work(node),
  };
  return createForwardChain(node);
}
