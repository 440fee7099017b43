import { type Address, type Blockhash, type Instruction, isWritableRole } from "@solana/kit";
import { type Chain, ChainUnavailableError, type Simulation } from "./chain.ts";
import {
  readComputeUnitLimit,
  setComputeUnitLimit,
  COMPUTE_BUDGET_PROGRAM,
  readComputeUnitPrice,
} from "./programs/compute-budget.ts";
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

/** Returns why the fee payer must not accept these compute-budget instructions, or null when it may. */
export function refuseComputeBudget(instructions: readonly Required<Instruction>[]): string | null {
  const seen = new Set<number>();
  for (const instruction of instructions) {
    const { programAddress, accounts, data } = instruction;
    if (programAddress !== COMPUTE_BUDGET_PROGRAM) return "it is no compute budget";
    if (accounts.length > 0) return "a compute budget names accounts";
    const kind = data[0] ?? 0;
    if (seen.has(kind)) return "a compute budget is set twice";
    seen.add(kind);
    const units = readComputeUnitLimit(instruction);
    const price = readComputeUnitPrice(instruction);
    if (units === null && price === null) return "the compute budget is of an unknown kind";
    if ((units ?? 0) > MAX_COMPUTE_UNITS) return "the compute limit is too high";
    if ((price ?? 0n) > MAX_UNIT_PRICE_MICRO_LAMPORTS) return "the priority fee is too high";
  }
  return null;
}
