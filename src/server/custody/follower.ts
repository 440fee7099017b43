import type { AgentId } from "../../domain/ids.ts";
import type { Network } from "../../domain/network.ts";
import { type Chain, ChainUnavailableError } from "../../solana/chain.ts";
import { type CustodyRow, findNewestExpectation, listUnsettled } from "../store/custody/custody.ts";
import { findCustodyAgent } from "../store/custody/multisigs.ts";
import type { NetworkRuntime } from "../networks.ts";
import { decodeExpectation } from "./account/expectation.ts";
import { beginRound } from "./chain-round.ts";
import { followTransaction } from "./follow-transaction.ts";
import { forgetClosedAccounts } from "./landed-effects.ts";
import type { SettleDeps } from "./settle-transaction.ts";

/** Tracks every transaction the chain may still execute until it is settled. */
export interface CustodyFollower {
  /**
   * Queries every unsettled transaction once, of one agent when given; failures are reported and retried at the next
   * interval. Of one agent, accounts that its newest transaction closed are believed to be gone from then on.
   */
  follow(agentId?: AgentId): Promise<void>;
  /** Starts tracking at intervals, beginning with what an earlier process left open. */
  start(): void;
  /** Stops tracking and waits for the current round. */
  stop(): Promise<void>;
}

const INTERVAL_MS = 1_000;

/** Creates the follower of a process. Several processes may track the same transactions: each is settled once. */
export function createCustodyFollower(
  deps: SettleDeps & { readonly onFailure?: (error: unknown) => void },
): CustodyFollower {
  const timers = new Map<Network, NodeJS.Timeout>();
  const rounds = new Map<Network, Promise<void>>();
  let isStopped = true;

  /** Queries one node about all of them; unanswered ones are queried on the next node. */
  const followOn = async (chain: Chain, rows: readonly CustodyRow[]): Promise<void> => {
    const open = new Set(rows);
    await chain.withOneNode(async (node) => {
      const round = beginRound(node, rows);
      let unavailable: ChainUnavailableError | undefined;
      for (const row of open) {
        try {
          await followTransaction(deps, row, round);
          open.delete(row);
        } catch (error) {
          if (error instanceof ChainUnavailableError) {
            unavailable = error;
          } else {
            open.delete(row);
            deps.onFailure?.(error);
          }
        }
      }
      if (unavailable !== undefined) throw unavailable;
    });
  };

  const followNetwork = async ({ network, chain }: NetworkRuntime, agentId?: AgentId) => {
    const rows = await listUnsettled(deps.db, agentId);
    const ours = rows.filter((row) => row.network === network);
    if (ours.length === 0) return;
    await followOn(chain, ours).catch((error: unknown) => deps.onFailure?.(error));
  };

  /** What another process followed is news to this one. */
  const forgetClosedOf = async (agentId: AgentId): Promise<void> => {
    const expects = await findNewestExpectation(deps.db, agentId);
    const agent = expects === null ? null : await findCustodyAgent(deps.db, agentId);
    if (agent === null) return;
    forgetClosedAccounts(deps.networks.get(agent.network), decodeExpectation(expects).effects);
  };

  // Each network has its own rounds, so that one that hangs does not delay the others
  const run = (runtime: NetworkRuntime): void => {
    const round = followNetwork(runtime)
      .catch((error: unknown) => deps.onFailure?.(error))
      .then(() => {
        if (isStopped) return;
        timers.set(runtime.network, setTimeout(() => run(runtime), INTERVAL_MS).unref());
      });
    rounds.set(runtime.network, round);
  };

  return {
    async follow(agentId) {
      await Promise.all(
        [...deps.networks.values()].map((runtime) => followNetwork(runtime, agentId)),
      );
      if (agentId !== undefined) await forgetClosedOf(agentId);
    },
    start() {
      if (!isStopped) return;
      isStopped = false;
      for (const runtime of deps.networks.values()) run(runtime);
    },
    async stop() {
      isStopped = true;
      for (const timer of timers.values()) clearTimeout(timer);
      await Promise.all(rounds.values());
    },
  };
}
