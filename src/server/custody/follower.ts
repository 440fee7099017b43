import { listUnsettled } from "../store/custody.ts";
import type { Network } from "../../domain/network.ts";
import { beginRound, type ChainRound } from "./chain-round.ts";
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
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<void> | undefined;
  let isStopped = true;

  const follow = async (agentId?: string): Promise<void> => {
    const rounds = new Map<Network, ChainRound>();
    const rows = await listUnsettled(deps.db, agentId);
    for (const row of rows) {
      const chain = deps.networks.get(row.network)?.chain;
      if (chain === undefined) continue;
      const round = rounds.get(row.network) ?? beginRound(chain, rows);
      rounds.set(row.network, round);
      try {
        await followTransaction(deps, row, round);
      } catch (error) {
        deps.onFailure?.(error);
      }
    }
  };

  const run = (): void => {
    round = follow()
      .catch((error: unknown) => deps.onFailure?.(error))
      .then(() => {
        if (!isStopped) timer = setTimeout(run, INTERVAL_MS).unref();
      });
  };

  return {
    follow,
    start() {
      if (!isStopped) return;
      isStopped = false;
      run();
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await round;
    },
  };
}
