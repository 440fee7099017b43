import { type Address, type Instruction, isWritableRole } from "@solana/kit";

/** Policy for raising the priority fee when a transaction's accounts are in demand. */
export interface PriorityFeePolicy {
  /** Percentile of the recent blocks' prices, 1 to 100. */
  readonly percentile: number;
  /** Highest unit price in micro-lamports per compute unit, whatever recent blocks required. */
  readonly capMicroLamports: bigint;
}

/** Default policy: the 75th percentile of recent blocks, at most 0.00006 SOL for 600,000 units. */
export const DEFAULT_PRIORITY_FEE: PriorityFeePolicy = {
  percentile: 75,
  capMicroLamports: 100_000n,
};

/**
 * Returns the unit price in micro-lamports: the percentile of recent blocks' prices, at least `floor`, and at most the
 * cap unless the floor is higher.
 */
export function unitPriceOf(
  recent: readonly bigint[],
  floor: bigint,
  { percentile, capMicroLamports }: PriorityFeePolicy,
): bigint {
  const sorted = recent.toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0));
  const rank = Math.ceil((sorted.length * percentile) / 100);
  const asked = sorted[Math.max(0, rank - 1)] ?? 0n;
  const capped = asked > capMicroLamports ? capMicroLamports : asked;
  return capped > floor ? capped : floor;
}

/** Returns the accounts the instructions write, each once: a transaction competes for these. */
export function writableAccounts(instructions: readonly Instruction[]): readonly Address[] {
  return [
    ...new Set(
      instructions.flatMap(({ accounts = [] }) =>
        accounts.filter(({ role }) => isWritableRole(role)).map(({ address }) => address),
      ),
    ),
  ];
}
