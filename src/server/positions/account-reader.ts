import type { Clock } from "../../domain/clock.ts";
import type { AccountState } from "../../domain/position.ts";
import type { Venue, VenueAccount } from "../../venues/venue.ts";
import { toVenueAccount } from "../custody/account/venue-account.ts";
import type { CustodyAgent } from "../store/custody/multisigs.ts";
import { findVenue, type Networks } from "../networks.ts";

/** A venue's figures of one agent with their reading time. */
export interface AccountSnapshot {
  readonly state: AccountState;
  readonly readAtMs: number;
}

/**
 * Reads agents' venue accounts for display, at most once a second each, shared by all browsers.
 *
 * Null means the venue could not be read or the agent has no custody yet, never that the account is empty.
 */
export interface AccountReader {
  read(agents: readonly CustodyAgent[]): Promise<readonly (AccountSnapshot | null)[]>;
  /** Returns the last reading of an agent's account of any age, without a new read; null before the first. */
  latest(agentId: string): AccountSnapshot | null;
  /**
   * Returns the time, in Unix milliseconds, since which an agent's account cannot be read; null while it can, and
   * before the first request.
   */
  unreadSince(agentId: string): number | null;
}

/** Lifetime of a shared snapshot in milliseconds. */
const FRESH_MS = 1_000;

const MAX_KEPT = 5_000;

interface Kept {
  readonly askedAtMs: number;
  readonly snapshot: Promise<AccountSnapshot | null>;
}

/** Creates the reader: expired snapshots of one venue's agents are read together. */
export function createAccountReader(options: {
  readonly networks: Networks;
  readonly clock: Clock;
  /** Adds figures from our own records; when absent, the venue's figures are shown unchanged. */
  readonly complete?: (venue: Venue, agentId: string, state: AccountState) => Promise<AccountState>;
  /** Called with the reason why a venue could not be read. */
  readonly onFailure?: (error: unknown) => void;
}): AccountReader {
  const { networks, clock, onFailure, complete } = options;
  const kept = new Map<string, Kept>();
  const latest = new Map<string, AccountSnapshot>();
  const unreadSince = new Map<string, number>();

  const noteReading = (agentId: string, isRead: boolean, askedAtMs: number): void => {
    if (isRead) unreadSince.delete(agentId);
    else if (!unreadSince.has(agentId)) unreadSince.set(agentId, askedAtMs);
    forgetOldest(unreadSince);
  };

  const completeAll = async (
    venue: Venue,
    agents: readonly { agent: CustodyAgent }[],
    states: readonly AccountState[],
  ): Promise<readonly AccountState[]> => {
    if (complete === undefined) return states;
    return Promise.all(
      states.map(async (state, at) => {
        const agentId = agents[at]?.agent.agentId;
        return agentId === undefined ? state : complete(venue, agentId, state);
      }),
    );
  };

  const readTogether = (
    agents: readonly { agent: CustodyAgent; account: VenueAccount }[],
  ): void => {
    const [first] = agents;
    if (first === undefined) return;
    const venue = findVenue(networks, first.agent);
    const askedAtMs = clock.now();
    const states =
      venue === undefined
        ? Promise.resolve(null)
        : venue
            .accountStates(agents.map(({ account }) => account))
            .then((read) => completeAll(venue, agents, read))
            .catch((error: unknown) => {
              onFailure?.(error);
              return null;
            });
    agents.forEach(({ agent }, at) => {
      kept.delete(agent.agentId);
      kept.set(agent.agentId, {
        askedAtMs,
        snapshot: states.then((all) => {
          const state = all?.[at];
          noteReading(agent.agentId, state !== undefined, askedAtMs);
          if (state === undefined) return null;
          const snapshot = { state, readAtMs: clock.now() };
          latest.delete(agent.agentId);
          latest.set(agent.agentId, snapshot);
          return snapshot;
        }),
      });
    });
  };

  return {
    read(agents) {
      const stale = new Map<string, { agent: CustodyAgent; account: VenueAccount }[]>();
      for (const agent of agents) {
        const known = kept.get(agent.agentId);
        if (known !== undefined && clock.now() - known.askedAtMs < FRESH_MS) continue;
        const account = toVenueAccount(agent);
        if (account === null) {
          kept.delete(agent.agentId);
          continue;
        }
        const key = `${agent.network} ${agent.venue}`;
        stale.set(key, [...(stale.get(key) ?? []), { agent, account }]);
      }
      for (const group of stale.values()) readTogether(group);
      const snapshots = agents.map(
        (agent) => kept.get(agent.agentId)?.snapshot ?? Promise.resolve(null),
      );
      forgetOldest(kept);
      forgetOldest(latest);
      return Promise.all(snapshots);
    },
    latest: (agentId) => latest.get(agentId) ?? null,
    unreadSince: (agentId) => unreadSince.get(agentId) ?? null,
  };
}

function forgetOldest(entries: Map<string, unknown>): void {
  for (const oldest of entries.keys()) {
    if (entries.size <= MAX_KEPT) return;
    entries.delete(oldest);
  }
}
