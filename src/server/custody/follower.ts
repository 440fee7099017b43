import type { Network } from "../../domain/network.ts";
import { type Chain, ChainUnavailableError } from "../../solana/chain.ts";
import { type CustodyRow, listUnsettled } from "../store/custody/custody.ts";
import type { NetworkRuntime } from "../networks.ts";
import { beginRound } from "./chain-round.ts";
import { followTransaction } from "./follow-transaction.ts";
import type { SettleDeps } from "./settle-transaction.ts";

/** Follows every transaction the chain may still execute until it is settled. */
export interface CustodyFollower {
  /** Asks once for every unsettled transaction, of one agent when given; failures are heard and left for the next time. */
  follow(agentId?: string): Promise<void>;
  /** Begins to follow at intervals; what an earlier process left behind is taken up at once. */
  start(): void;
  /** Ends following and waits for the round under way. */
  stop(): Promise<void>;
}

const INTERVAL_MS = 1_000;

/** Makes the follower of a process. Several processes may follow the same transactions: each settles once. */
export function createCustodyFollower(
  deps: SettleDeps & { readonly onFailure?: (error: unknown) => void },
): CustodyFollower {
  const timers = new Map<Network, NodeJS.Timeout>();
  const rounds = new Map<Network, Promise<void>>();
  let isStopped = true;

  /** Asks one node about all of them; what it cannot tell is asked of the next. */
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

  const followNetwork = async ({ network, chain }: NetworkRuntime, agentId?: string) => {
    const rows = await listUnsettled(deps.db, agentId);
    const ours = rows.filter((row) => row.network === network);
    if (ours.length === 0) return;
    await followOn(chain, ours).catch((error: unknown) => deps.onFailure?.(error));
  };

  // Each network has rounds of its own: one that hangs holds nobody else up
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
