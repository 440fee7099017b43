import { createHash } from "node:crypto";
import type { Clock } from "../../domain/clock.ts";
import type { TradingState } from "../../domain/trading-state.ts";
import type { AgentId } from "../../domain/ids.ts";
import { beatTradingServer, leaveTradingServers } from "../store/lanes/trading-servers.ts";
import type { Db } from "../store/postgres/db.ts";
import { repeatTask } from "../pacing/repeat-task.ts";

/** Groups of agents, by the first byte of their ids, which are random. */
const BUCKETS = 256;

/** How long a server keeps its share without a beat, in milliseconds: after that the others look at its agents. */
export const SHARE_LEASE_MS = 10_000;
const BEAT_MS = 2_500;

const bucketOf = (agentId: AgentId): number => Number.parseInt(agentId.slice(0, 2), 16);

const rankOf = (name: string, bucket: number): number =>
  createHash("sha256").update(`${name} ${bucket}`).digest().readUIntBE(0, 6);

/** Returns the groups for which this server's rank is the highest: one that comes or goes moves only its own. */
function bucketsOf(name: string, others: readonly string[]): ReadonlySet<number> {
  const buckets = Array.from({ length: BUCKETS }, (_, bucket) => bucket);
  return new Set(
    buckets.filter((bucket) => {
      const own = rankOf(name, bucket);
      return others.every((other) => rankOf(other, bucket) < own);
    }),
  );
}

/**
 * Divides the agents among the servers of a database that trade. Each knows the others by their beats. Where two know
 * different ones for a moment, an agent is looked at twice or a beat later; what is found is stored once.
 */
export function createAgentShares(deps: {
  readonly db: Db;
  readonly clock: Clock;
  /** Of this server and of the next one that takes its place: that one begins with the same share. */
  readonly name: string;
  /** What this server's switch files say, which its beats tell pages. */
  readonly switchFiles: () => TradingState;
  readonly onFailure: (error: unknown) => void;
}) {
  const { db, clock, name, switchFiles, onFailure } = deps;
  let known: string | null = null;
  let buckets: ReadonlySet<number> = new Set();
  let untilMs = 0;
  let changes = 0;

  async function beat(): Promise<void> {
    const nowMs = clock.now();
    const until = nowMs + SHARE_LEASE_MS;
    const others = await beatTradingServer(db, {
      name,
      nowMs,
      untilMs: until,
      state: switchFiles(),
    });
    const found = others.toSorted().join("\n");
    if (found !== known || nowMs >= untilMs) {
      buckets = bucketsOf(name, others);
      changes += 1;
    }
    known = found;
    untilMs = until;
  }

  const beats = repeatTask({ task: beat, pauseMs: BEAT_MS, onFailure });
  return {
    name,
    owns: (agentId: AgentId) => clock.now() < untilMs && buckets.has(bucketOf(agentId)),
    changes: () => changes,
    /** Says that this server trades and learns of the others. */
    beat,
    start: beats.start,
    async stop() {
      await beats.stop();
      untilMs = 0;
      await leaveTradingServers(db, name).catch(onFailure);
    },
  };
}
