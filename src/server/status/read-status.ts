import { HEALTH_LIMITS_MS } from "../../domain/agent-health.ts";
import type { Clock } from "../../domain/clock.ts";
import type { TradingState } from "../../domain/trading-state.ts";
import type { NodeState } from "../../solana/node-record.ts";
import type { Networks } from "../networks.ts";
import { readFeedTroubles } from "../store/alerts/feed-troubles.ts";
import { type NetworkHealth, readHealthByNetwork } from "../store/health/agent-health.ts";
import { type FillTimes, readFillTimes } from "../store/health/fill-times.ts";
import { listProcesses, type ProcessSeen } from "../store/health/process-figures.ts";
import { listFailingReadings, type FailingReading } from "../store/reconcile/last-readings.ts";
import { type RoundRecord, readRounds } from "../store/reconcile/rounds.ts";
import type { Db } from "../store/postgres/db.ts";

/** Agents named one by one; the others are counted. */
const NAMED_AGENTS = 100;

export interface StatusDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly networks: Networks;
  readonly tradingState: () => TradingState;
}

/** State of the deployment as its processes last saw it. */
export interface Status {
  readonly nowMs: number;
  readonly tradingState: TradingState;
  readonly networks: readonly NetworkStatus[];
  /** Candle sources that do not answer, by feed. */
  readonly feeds: readonly {
    readonly feed: string;
    readonly text: string;
    readonly sinceMs: number;
  }[];
  /** Agents whose chain or venue did not answer the last reading, longest first. */
  readonly failing: readonly FailingReading[];
  readonly processes: readonly ProcessSeen[];
}

export interface NetworkStatus {
  readonly network: string;
  readonly round: RoundRecord | null;
  readonly health: NetworkHealth | null;
  readonly fills: FillTimes | null;
  readonly nodes: readonly NodeState[];
}

/** Reads the status from the store and from this process's own nodes; asks no chain. */
export async function readStatus({
  db,
  clock,
  networks,
  tradingState,
}: StatusDeps): Promise<Status> {
  const nowMs = clock.now();
  const [rounds, health, fills, feeds, failing, processes] = await Promise.all([
    readRounds(db),
    readHealthByNetwork(db, new Date(nowMs - HEALTH_LIMITS_MS.silent)),
    readFillTimes(db, { since: new Date(nowMs - HEALTH_LIMITS_MS.fills) }),
    readFeedTroubles(db),
    listFailingReadings(db, NAMED_AGENTS),
    listProcesses(db),
  ]);
  return {
    nowMs,
    tradingState: tradingState(),
    networks: [...networks.values()].map(({ network, nodes }) => ({
      network,
      round: rounds.find((each) => each.network === network) ?? null,
      health: health.find((each) => each.network === network) ?? null,
      fills: fills.find((each) => each.network === network) ?? null,
      nodes: nodes?.() ?? [],
    })),
    feeds: [...feeds].map(([feed, trouble]) => ({ feed, ...trouble })),
    failing,
    processes,
  };
}
