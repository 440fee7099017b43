import { setTimeout as sleep } from "node:timers/promises";
import type { AgentId } from "../../domain/ids.ts";
import type { Network } from "../../domain/network.ts";
import { ChainUnavailableError } from "../../solana/chain.ts";
import { toVenueAccount } from "../custody/account/venue-account.ts";
import type { Networks } from "../networks.ts";
import { repeatEach } from "../pacing/repeat-task.ts";
import type { Clock } from "../../domain/clock.ts";
import type { StalePublisher } from "../stale-publisher.ts";
import { clearCustodyFlag, insertCustodyFlag } from "../store/custody/custody-notices.ts";
import { listStoppedAgents, type StoppedAgent } from "../store/reconcile/stopped-agents.ts";
import type { Db } from "../store/postgres/db.ts";

/** Pause between two looks at all of a network's agents, and between their pages, in milliseconds. */
const LAP_MS = 20_000;
const PAGE_MS = 1_000;

/** Agents that are read together, in one request for their accounts. */
const PAGE = 100;

/** Time for which a position lacks its stop before its owner is told, in milliseconds: a stop follows a fill or an add. */
const TOLD_AFTER_MS = 60_000;

interface StopWatchDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly networks: Networks;
  readonly publisher: StalePublisher;
  readonly onFailure: (error: unknown) => void;
}

/**
 * Tells owners of positions without the stop that their plan asks for, as the chain shows them: in the process that
 * answers pages, so that they read it whatever the process that trades says, or when it says nothing.
 */
export function createStopWatch(deps: StopWatchDeps) {
  const { db, clock, publisher } = deps;
  const lackedSince = new Map<AgentId, number>();

  const note = async ({ agent, isFlagged }: StoppedAgent, isLacking: boolean): Promise<void> => {
    const { id: agentId, owner, marketId } = agent;
    const atMs = clock.now();
    if (!isLacking) lackedSince.delete(agentId);
    const sinceMs = lackedSince.get(agentId) ?? atMs;
    if (isLacking) lackedSince.set(agentId, sinceMs);
    if (isLacking ? isFlagged || atMs - sinceMs < TOLD_AFTER_MS : !isFlagged) return;
    const text = `${marketId} is held without the stop of its plan: for over a minute none has rested at the exchange that closes the whole position where the plan says.`;
    const flag = { agentId, owner, atMs };
    const isNew = isLacking
      ? await insertCustodyFlag(db, "stop_missing", { ...flag, key: marketId, text })
      : await clearCustodyFlag(db, "stop_missing", flag);
    if (isNew) publisher.publish(owner, { topic: "custody", id: agentId });
  };

  const look = async (network: Network, page: readonly StoppedAgent[]): Promise<void> => {
    const lacking = new Set<AgentId>();
    for (const venue of deps.networks.get(network)?.venues.values() ?? []) {
      const wanted = page.flatMap(({ agent, isOver }) => {
        const at = isOver || agent.venue !== venue.id ? undefined : agent.plan?.stop?.at;
        const account = toVenueAccount(agent);
        return at === undefined || account === null ? [] : { id: agent.id, account, at };
      });
      if (wanted.length === 0 || venue.lackStops === undefined) continue;
      const lacks = await venue.lackStops(wanted);
      for (const [place, { id }] of wanted.entries()) if (lacks[place] === true) lacking.add(id);
    }
    for (const stopped of page) await note(stopped, lacking.has(stopped.agent.id));
  };

  const runOn = async (network: Network, isStopped: () => boolean): Promise<void> => {
    for (let after = "", isMore = true; isMore && !isStopped();) {
      const page = await listStoppedAgents(db, { network, after, most: PAGE });
      // Of what no node answers nothing is known
      await look(network, page).catch((error: unknown) => {
        if (!(error instanceof ChainUnavailableError)) throw error;
      });
      isMore = page.length === PAGE;
      after = page.at(-1)?.agent.id ?? "";
      if (isMore) await sleep(PAGE_MS);
    }
  };

  const laps = repeatEach(() => deps.networks.keys(), runOn, {
    pauseMs: LAP_MS,
    onFailure: deps.onFailure,
  });
  return {
    /** Looks once at every agent. */
    run: async () => {
      for (const network of deps.networks.keys()) await runOn(network, () => false);
    },
    start: laps.start,
    stop: laps.stop,
  };
}
