import type { Address, Blockhash, Instruction } from "@solana/kit";
import { type Chain, ChainUnavailableError, type Simulation } from "./chain.ts";
import { readComputeUnitLimit, setComputeUnitLimit } from "./programs/compute-budget.ts";
import type { LookupTables } from "./programs/squads-message.ts";
import { SYSTEM_PROGRAM } from "./programs/system.ts";
import { compileTransaction } from "./transaction.ts";

/**
 * Margin over the compute units a simulation consumed. Consumption rises by up to a fifth when the market moves or the
 * slot changes; a swap route that changes its pools needs more than a percentage of a small number.
 */
const MARGIN_PERCENT = 125n;
const MARGIN_UNITS = 20_000n;

/** Placeholder: the simulation replaces it by the node's latest blockhash. */
const ANY_LIFETIME = {
  blockhash: SYSTEM_PROGRAM as string as Blockhash,
  slot: 0n,
  lastValidBlockHeight: 0n,
};

/**
 * The compute limit to request, null to keep the instructions' own limit, and the simulation's result if there was one.
 */
export interface MeasuredCompute {
  readonly units: number | null;
  readonly simulation: Simulation | null;
}

/**
 * Simulates instructions and returns the compute limit they need: the consumed units plus a margin. The priority fee is
 * charged on the limit, not on the consumed units.
 *
 * The instructions' own limit is the upper bound. It is kept when no node answers or the simulation fails: whether to
 * send is decided elsewhere.
 */
export async function measureCompute(
  chain: Pick<Chain, "simulate">,
  transaction: {
    readonly feePayer: Address;
    readonly instructions: readonly Instruction[];
    readonly tables?: LookupTables | undefined;
  },
): Promise<MeasuredCompute> {
  const { feePayer, instructions, tables = {} } = transaction;
  const most = instructions.map(readComputeUnitLimit).find((limit) => limit !== null) ?? null;
  if (most === null) return { units: null, simulation: null };
  const wire = compileTransaction({ feePayer, lifetime: ANY_LIFETIME, instructions, tables });
  const simulation = await chain.simulate(wire).catch((error: unknown) => {
    if (error instanceof ChainUnavailableError) return null;
    throw error;
  });
  if (simulation === null || simulation.error !== null) return { units: null, simulation };
  return { units: limitFor(simulation.unitsConsumed, most), simulation };
}

/**
 * Returns the compute limit for consumed units: with the margin and what else is added, `extra`; null when that is not
 * less than `most` or nothing is known to be consumed.
 */
export function limitFor(unitsConsumed: bigint, most: number, extra = 0n): number | null {
  const wanted = (unitsConsumed * MARGIN_PERCENT) / 100n + MARGIN_UNITS + extra;
  const isFitting = unitsConsumed > 0n && wanted < BigInt(most);
  // oxlint-disable-next-line house/no-float-money -- compute units, not money
  return isFitting ? Number(wanted) : null;
}

/** Returns the instructions with the measured compute limit. */
export function withComputeLimit(
  instructions: readonly Instruction[],
  { units }: MeasuredCompute,
): readonly Instruction[] {
  if (units === null) return instructions;
  const limit = setComputeUnitLimit(units);
  return instructions.map((each) => (readComputeUnitLimit(each) === null ? each : limit));
}

/** Largest number of compute units per transaction. */
export const MAX_COMPUTE_UNITS = 1_400_000;

/**
 * Highest unit price our fee payer accepts, in micro-lamports per compute unit: at most 280,000 lamports per
 * transaction.
 */
export const MAX_UNIT_PRICE_MICRO_LAMPORTS = 200_000n;
