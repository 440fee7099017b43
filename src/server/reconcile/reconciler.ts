import type { AgentId } from "../../domain/ids.ts";
import type { Network } from "../../domain/network.ts";
import { ChainUnavailableError } from "../../solana/chain.ts";
import {
  type CustodyAgent,
  findCustodyAgents,
  listAttachedAgents,
} from "../store/custody/multisigs.ts";
import { saveFailedRound, saveWholeRound } from "../store/reconcile/rounds.ts";
import type { AgentShares } from "../pacing/agent-shares.ts";
import { createConcurrencyLimit, type ConcurrencyLimit } from "../pacing/big-reads.ts";
import { repeatEach } from "../pacing/repeat-task.ts";
import { type LastReadings, createLastReadings } from "./last-readings.ts";
import { type ReconcileDeps, reconcileAgent } from "./reconcile-agent.ts";

/** Reconciles every agent with custody with the chain, at start and at intervals. */
export interface Reconciler {
  /** Runs one round over every agent; an agent whose chain cannot be read is retried in the next round. */
  run(): Promise<void>;
  start(): void;
  /** Stops after the agents in progress. */
  stop(): Promise<void>;
}

/** Interval in milliseconds, shorter than the lifetime of the guard's cached result. */
export const RECONCILE_INTERVAL_MS = 40_000;

/** Number of a network's agents that are read concurrently, so that they share requests. */
const AT_ONCE = 50;

/**
 * Number of them whose records are then compared at a time, and how long one of them keeps its place in milliseconds. All
 * at once would leave orders neither processor nor connections for as long as the page takes.
 */
const COMPARED_AT_ONCE = 2;
const TURN_MS = 1_000;

/** Creates the reconciler of a process, which looks at its share of the agents. Every flag is stored once. */
export function createReconciler(
  given: Omit<ReconcileDeps, "powersRead" | "looks"> & {
    /** Receives the result of each reading. */
    readonly looks?: LastReadings;
    /** Further reads of a network's chain, started at the same time. */
    readonly alongside?: (network: Network) => Promise<void>;
    /** Reads an agent's ledger on, at the same time. */
    readonly book?: (agent: CustodyAgent, inTurn: ConcurrencyLimit) => Promise<void>;
    readonly onFailure?: (error: unknown) => void;
    /** Absent: all agents are this server's. */
    readonly shares?: AgentShares;
  },
): Reconciler {
  const { looks = createLastReadings(given), shares } = given;
  const deps = { ...given, looks, powersRead: new Map() };

  const look = async (agent: CustodyAgent, inTurn: ConcurrencyLimit): Promise<void> => {
    try {
      await reconcileAgent(deps, agent, inTurn);
      looks.done(agent);
    } catch (error) {
      if (error instanceof ChainUnavailableError) looks.failed(agent, error.message);
      throw error;
    }
  };

  /** Reconciles some agents together and returns for each why the chain did not answer, or null. */
  const reconcileTogether = async (
    agentIds: readonly AgentId[],
    alongside: () => Promise<void> = async () => {},
  ): Promise<readonly (string | null)[]> => {
    const agents = await findCustodyAgents(deps.db, agentIds);
    const beside = alongside();
    const inTurn = createConcurrencyLimit(COMPARED_AT_ONCE, TURN_MS);
    const answers = await Promise.all(
      agents.map(async (agent) => {
        const [looked, booked] = await Promise.all([
          silenceOf(look(agent, inTurn), deps.onFailure),
          silenceOf(deps.book?.(agent, inTurn), deps.onFailure),
        ]);
        return looked ?? booked;
      }),
    );
    await beside;
    await looks.save();
    return answers;
  };

  const runOn = async (network: Network, isEnding: () => boolean): Promise<void> => {
    const attached = await listAttachedAgents(deps.db);
    const ids = attached.flatMap((agent) => (agent.network === network ? [agent.agentId] : []));
    await looks.keepOnly(network, ids);
    const own = ids.filter((agentId) => shares?.owns(agentId) ?? true);
    const [first = [], ...others] = pagesOf(own);
    const silences = [...(await reconcileTogether(first, async () => deps.alongside?.(network)))];
    let newest: readonly (string | null)[] = silences;
    for (const page of others) {
      if (isEnding()) return;
      // A chain that answered for none of them is not queried for the rest
      if (newest.length > 0 && !newest.includes(null)) break;
      newest = await reconcileTogether(page);
      silences.push(...newest);
    }
    const at = { network, server: shares?.name ?? "" };
    await endRound(deps, at, silences, own.length - silences.length);
  };

  const rounds = repeatEach(() => deps.networks.keys(), runOn, {
    pauseMs: RECONCILE_INTERVAL_MS,
    onFailure: (error) => deps.onFailure?.(error),
  });

  return {
    async run() {
      await Promise.all([...deps.networks.keys()].map((network) => runOn(network, () => false)));
    },
    start: rounds.start,
    stop: rounds.stop,
  };
}

/** Returns why the chain did not answer, or null; any other failure concerns one agent only. */
async function silenceOf(
  work: Promise<void> | undefined,
  onFailure: ((error: unknown) => void) | undefined,
): Promise<string | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (error instanceof ChainUnavailableError) return error.message;
    onFailure?.(error);
    return null;
  }
}

/** Stores how a round ended that read some agents, each with why it was not read or null, and left others unread. */
async function endRound(
  { db, clock }: Pick<ReconcileDeps, "db" | "clock">,
  at: { readonly network: Network; readonly server: string },
  silences: readonly (string | null)[],
  unread: number,
): Promise<void> {
  const atMs = clock.now();
  const failures = silences.filter((silence) => silence !== null);
  const reason = failures.at(-1);
  if (reason === undefined) {
    return saveWholeRound(db, { ...at, atMs, agents: silences.length });
  }
  const missed = failures.length + unread;
  const agents = `${missed} of ${silences.length + unread} agents were not read`;
  return saveFailedRound(db, { ...at, atMs, reason: `${agents}: ${reason}` });
}

function pagesOf<Id>(ids: readonly Id[]): readonly (readonly Id[])[] {
  return Array.from({ length: Math.ceil(ids.length / AT_ONCE) }, (_, page) =>
    ids.slice(page * AT_ONCE, (page + 1) * AT_ONCE),
  );
}
