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

/** Instructions to sign, and what the simulation they were fitted to said; null when there was no answer. */
export interface FittedInstructions {
  readonly instructions: readonly Instruction[];
  readonly simulation: Simulation | null;
}

/**
 * Lowers the compute limit of instructions to what a simulation consumed and a margin: the priority fee is paid for the
 * limit, not for what is used.
 *
 * The limit the instructions carry is the most they are ever given. It stays where nothing answers or the simulation
 * fails: whether to send then is not decided here.
 */
export async function fitComputeLimit(
  chain: Pick<Chain, "simulate">,
  transaction: {
    readonly feePayer: Address;
    readonly instructions: readonly Instruction[];
    readonly tables?: LookupTables | undefined;
  },
): Promise<FittedInstructions> {
  const { feePayer, instructions, tables = {} } = transaction;
  const most = instructions.map(readComputeUnitLimit).find((limit) => limit !== null) ?? null;
  if (most === null) return { instructions, simulation: null };
  const wire = compileTransaction({ feePayer, lifetime: ANY_LIFETIME, instructions, tables });
  const simulation = await chain.simulate(wire).catch((error: unknown) => {
    if (error instanceof ChainUnavailableError) return null;
    throw error;
  });
  if (simulation === null || simulation.error !== null) return { instructions, simulation };
  const wanted = (simulation.unitsConsumed * MARGIN_PERCENT) / 100n + MARGIN_UNITS;
  if (simulation.unitsConsumed <= 0n || wanted >= BigInt(most)) return { instructions, simulation };
  // oxlint-disable-next-line house/no-float-money -- compute units, not money
  const fitted = setComputeUnitLimit(Number(wanted));
  return {
    instructions: instructions.map((each) => (readComputeUnitLimit(each) === null ? each : fitted)),
    simulation,
  };
}
