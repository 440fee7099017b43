import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../../domain/clock.ts";
import type { AgentId } from "../../domain/ids.ts";
import type { AccountState } from "../../domain/position.ts";
import type { VenueAccount, VenueFacts } from "../../venues/venue.ts";
import { readEachSince, toVenueAccount } from "../custody/account/venue-account.ts";
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
 * A reading that takes long is not waited for: the one before it is returned, unless that is too old. Null means the
 * venue could not be read or the agent has no custody yet, never that the account is empty.
 */
export interface AccountReader {
  read(agents: readonly CustodyAgent[]): Promise<readonly (AccountSnapshot | null)[]>;
  /** Shows no reading any more that began before now, because the agent's account has changed. */
  outdate(agentId: AgentId): void;
  /** Returns the last reading of an agent's account of any age, without a new read; null before the first. */
  latest(agentId: AgentId): AccountSnapshot | null;
  /**
   * Returns the time, in Unix milliseconds, since which an agent's account cannot be read; null while it can, and
   * before the first request.
   */
  unreadSince(agentId: AgentId): number | null;
}

/** Lifetime of a shared snapshot in milliseconds. */
const FRESH_MS = 1_000;

/** How long a call waits for a reading, in milliseconds: agents of other networks are shown with it. */
const PATIENCE_MS = 3_000;

/** Age up to which an earlier reading is shown while a later one takes long, in milliseconds. */
const STILL_SHOWN_MS = 15_000;

/** Time after which a reading that has not ended is made anew, in milliseconds. */
const GIVEN_UP_MS = 60_000;

const MAX_KEPT = 5_000;

interface Last {
  readonly snapshot: AccountSnapshot;
  isOutdated: boolean;
}

interface CachedReading {
  readonly askedAtMs: number;
  readonly snapshot: Promise<AccountSnapshot | null>;
  /** Whether the reading has ended. */
  isOver: boolean;
}

interface AccountReaderOptions {
  readonly networks: Networks;
  readonly clock: Clock;
  /** Returns the slots in which agents are known to have traded: nothing earlier is shown. */
  readonly landedSlots: (agentIds: readonly AgentId[]) => Promise<ReadonlyMap<AgentId, bigint>>;
  /** Adds figures from our own records; when absent, the venue's figures are shown unchanged. */
  readonly complete?: (
    venue: VenueFacts,
    agentId: AgentId,
    state: AccountState,
  ) => Promise<AccountState>;
  /** Called with the reason why a venue could not be read. */
  readonly onFailure?: (error: unknown) => void;
  readonly patienceMs?: number;
}

/** Creates the reader: expired snapshots of one venue's agents are read together. */
export function createAccountReader(options: AccountReaderOptions): AccountReader {
  const { clock, onFailure, patienceMs = PATIENCE_MS } = options;
  const kept = new Map<string, CachedReading>();
  const latest = new Map<string, Last>();
  const unreadSince = new Map<string, number>();

  const noteReading = (agentId: AgentId, isRead: boolean, askedAtMs: number): void => {
    if (isRead) unreadSince.delete(agentId);
    else if (!unreadSince.has(agentId)) unreadSince.set(agentId, askedAtMs);
    forgetOldest(unreadSince);
  };

  const readTogether = (
    agents: readonly { agent: CustodyAgent; account: VenueAccount }[],
  ): void => {
    const askedAtMs = clock.now();
    const states = readStates(options, agents).catch((error: unknown) => {
      onFailure?.(error);
      return null;
    });
    agents.forEach(({ agent }, at) => {
      const reading: CachedReading = {
        askedAtMs,
        isOver: false,
        snapshot: states.then((all) => {
          reading.isOver = true;
          const state = all?.[at];
          const snapshot = state == null ? null : { state, readAtMs: clock.now() };
          // A later reading was begun, or the account has changed since
          if (kept.get(agent.agentId) !== reading) return snapshot;
          noteReading(agent.agentId, snapshot !== null, askedAtMs);
          if (snapshot === null) return null;
          latest.delete(agent.agentId);
          latest.set(agent.agentId, { snapshot, isOutdated: false });
          return snapshot;
        }),
      };
      kept.delete(agent.agentId);
      kept.set(agent.agentId, reading);
    });
  };

  /** Returns the last reading while it may still be shown. */
  const stillShown = (agentId: AgentId): AccountSnapshot | null => {
    const last = latest.get(agentId);
    if (last === undefined || last.isOutdated) return null;
    return clock.now() - last.snapshot.readAtMs <= STILL_SHOWN_MS ? last.snapshot : null;
  };

  return {
    read(agents) {
      const stale = new Map<string, { agent: CustodyAgent; account: VenueAccount }[]>();
      for (const agent of agents) {
        const known = kept.get(agent.agentId);
        if (known !== undefined && isShared(known, clock.now())) continue;
        const account = toVenueAccount(agent);
        if (account === null) {
          kept.delete(agent.agentId);
          continue;
        }
        const key = `${agent.network} ${agent.venue}`;
        stale.set(key, [...(stale.get(key) ?? []), { agent, account }]);
      }
      for (const group of stale.values()) readTogether(group);
      const readings = agents.map(
        ({ agentId }) => kept.get(agentId)?.snapshot ?? Promise.resolve(null),
      );
      forgetOldest(kept);
      forgetOldest(latest);
      const lastOf = agents.map(
        ({ agentId }) =>
          () =>
            stillShown(agentId),
      );
      return withinPatience(readings, patienceMs, (at) => lastOf[at]?.() ?? null);
    },
    outdate(agentId) {
      kept.delete(agentId);
      const last = latest.get(agentId);
      if (last !== undefined) last.isOutdated = true;
    },
    latest: (agentId) => latest.get(agentId)?.snapshot ?? null,
    unreadSince: (agentId) => unreadSince.get(agentId) ?? null,
  };
}

function forgetOldest(entries: Map<string, unknown>): void {
  for (const oldest of entries.keys()) {
    if (entries.size <= MAX_KEPT) return;
    entries.delete(oldest);
  }
}

/** Returns whether a reading is recent enough to share, or still under way. */
const isShared = ({ askedAtMs, isOver }: CachedReading, nowMs: number): boolean =>
  nowMs - askedAtMs < (isOver ? FRESH_MS : GIVEN_UP_MS);

/** Reads accounts of one venue; null for those that no node can show as they are since the agent traded. */
async function readStates(
  { networks, landedSlots, complete, onFailure }: AccountReaderOptions,
  agents: readonly { readonly agent: CustodyAgent; readonly account: VenueAccount }[],
): Promise<readonly (AccountState | null)[] | null> {
  const [first] = agents;
  const runtime = first && networks.get(first.agent.network);
  const venue = first && findVenue(networks, first.agent);
  if (runtime === undefined || venue === undefined) return null;
  const { chain } = runtime;
  const known = agents.map(({ agent: { agentId }, account }) => ({ agentId, account }));
  const states = await readEachSince({ venue, chain }, known, landedSlots, onFailure);
  return Promise.all(
    states.map(async (state, at) => {
      const agentId = known[at]?.agentId;
      return state === null || agentId === undefined
        ? state
        : ((await complete?.(venue, agentId, state)) ?? state);
    }),
  );
}

/** Waits for all readings, for no longer than so many milliseconds; `instead` answers for those that take longer. */
async function withinPatience<T>(
  readings: readonly Promise<T>[],
  ms: number,
  instead: (at: number) => T,
): Promise<readonly T[]> {
  const ending = new AbortController();
  const late = sleep(ms, undefined, { signal: ending.signal }).catch(() => undefined);
  try {
    return await Promise.all(
      readings.map((reading, at) => Promise.race([reading, late.then(() => instead(at))])),
    );
  } finally {
    ending.abort();
  }
}
