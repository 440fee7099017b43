import { type Address, type Instruction, isWritableRole } from "@solana/kit";

/** How much more than its usual price a transaction offers when its accounts are in demand. */
export interface PriorityFeePolicy {
  /** 1 to 100: as much as this share of the recent blocks asked for at most. */
  readonly percentile: number;
  /** Most micro-lamports per compute unit, whatever recent blocks asked for. */
  readonly capMicroLamports: bigint;
}

/** What holds where an operator sets nothing: three of four recent blocks, at most 0.00006 SOL at 600,000 units. */
export const DEFAULT_PRIORITY_FEE: PriorityFeePolicy = {
  percentile: 75,
  capMicroLamports: 100_000n,
};

/**
 * Returns the price of a compute unit in micro-lamports: the percentile of what recent blocks asked for, never below
 * `floor`, and above it never more than the cap.
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

/** Returns the accounts the instructions change, each once: what a transaction has to compete for. */
export function writableAccounts(instructions: readonly Instruction[]): readonly Address[] {
  return [
    ...new Set(
      instructions.flatMap(({ accounts = [] }) =>
        accounts.filter(({ role }) => isWritableRole(role)).map(({ address }) => address),
      ),
    ),
  ];
}
