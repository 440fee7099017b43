import type { NodeRpc } from "./node-rpc.ts";
import { isBlockhash } from "@solana/kit";
import { type Chain, ChainUnavailableError } from "./chain.ts";
import { isU64, requireAnswer } from "./check-answer.ts";
import { ask } from "./rpc-ask.ts";

/** Number of performance samples averaged; one sample covers a minute. */
const SLOT_SAMPLES = 5;

/** Largest number of accounts a node accepts for recent prices. */
const PRICED_ACCOUNTS = 128;

/** Returns the calls of a node about slots, heights, fees and rent. */
export function rpcProgress(
  rpc: NodeRpc,
): Pick<
  Chain,
  | "genesisHash"
  | "latestBlockhash"
  | "progress"
  | "historyStart"
  | "slotDurationMs"
  | "recentUnitPrices"
> {
  return {
    genesisHash: () => ask(() => rpc.getGenesisHash().send()),

    async latestBlockhash() {
      const { context, value } = await ask(() =>
        rpc.getLatestBlockhash({ commitment: "confirmed" }).send(),
      );
      const { blockhash, lastValidBlockHeight } = value;
      requireAnswer(isBlockhash(blockhash), "a blockhash");
      requireAnswer(isU64(context.slot) && isU64(lastValidBlockHeight), "a blockhash's lifetime");
      return { blockhash, lastValidBlockHeight, slot: context.slot };
    },

    async progress(commitment) {
      const { absoluteSlot, blockHeight } = await ask(() =>
        rpc.getEpochInfo({ commitment }).send(),
      );
      requireAnswer(
        isU64(absoluteSlot) && isU64(blockHeight) && blockHeight <= absoluteSlot,
        "a block height beside its slot",
      );
      return { slot: absoluteSlot, blockHeight };
    },

    historyStart: () => ask(() => rpc.getFirstAvailableBlock().send()),

    async slotDurationMs() {
      const samples = await ask(() => rpc.getRecentPerformanceSamples(SLOT_SAMPLES).send());
      const seconds = samples.reduce((sum, { samplePeriodSecs }) => sum + samplePeriodSecs, 0);
      const slots = samples.reduce((sum, { numSlots }) => sum + numSlots, 0n);
      if (slots === 0n) throw new ChainUnavailableError("The node has measured no slots.");
      return (seconds * 1_000) / Number.parseInt(String(slots), 10);
    },

    async recentUnitPrices(writable) {
      const rows = await ask(() =>
        rpc.getRecentPrioritizationFees(writable.slice(0, PRICED_ACCOUNTS)).send(),
      );
      return rows.map(({ prioritizationFee }) => prioritizationFee);
    },
  };
}
