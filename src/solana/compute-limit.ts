import type { Address, Blockhash, Instruction } from "@solana/kit";
import { type Chain, ChainUnavailableError, type Simulation } from "./chain.ts";
import { readComputeUnitLimit, setComputeUnitLimit } from "./programs/compute-budget.ts";
import type { LookupTables } from "./programs/squads-message.ts";
import { SYSTEM_PROGRAM } from "./programs/system.ts";
import { compileTransaction } from "./transaction.ts";

/**
 * What is asked for beside what a simulation consumed. A market that moved on, or another slot, takes a fifth more on the
 * exchange; a route that changed its pools takes more than a share of little.
 */
const MARGIN_PERCENT = 125n;
const MARGIN_UNITS = 20_000n;

/** Any valid value: the simulation runs with the node's own. */
const ANY_LIFETIME = {
  blockhash: SYSTEM_PROGRAM as string as Blockhash,
  slot: 0n,
  lastValidBlockHeight: 0n,
};

/** The compute limit to ask for, null for the one the instructions carry, and what the simulation said, if it said anything. */
export interface MeasuredCompute {
  readonly units: number | null;
  readonly simulation: Simulation | null;
}

/**
 * Measures what compute limit instructions need: what a simulation consumed and a margin. The priority fee is paid for the
 * limit, not for what is used.
 *
 * The limit the instructions carry is the most they are ever given. It stays where nothing answers or the simulation
 * fails: whether to send then is not decided here.
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
  const wanted = (simulation.unitsConsumed * MARGIN_PERCENT) / 100n + MARGIN_UNITS;
  const isFitting = simulation.unitsConsumed > 0n && wanted < BigInt(most);
  // oxlint-disable-next-line house/no-float-money -- compute units, not money
  return { units: isFitting ? Number(wanted) : null, simulation };
}

/** Returns the instructions with their compute limit set to what was measured. */
export function withComputeLimit(
  instructions: readonly Instruction[],
  { units }: MeasuredCompute,
): readonly Instruction[] {
  if (units === null) return instructions;
  const limit = setComputeUnitLimit(units);
  return instructions.map((each) => (readComputeUnitLimit(each) === null ? each : limit));
}
