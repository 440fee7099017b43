import { type Chain, ChainUnavailableError } from "../../solana/chain.ts";
import { type CustodyRow, listUnsettled } from "../store/custody.ts";
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
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<void> | undefined;
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

  const follow = async (agentId?: string): Promise<void> => {
    const rows = await listUnsettled(deps.db, agentId);
    const rounds = [...deps.networks.values()].map(async ({ network, chain }) => {
      const ours = rows.filter((row) => row.network === network);
      if (ours.length === 0) return;
      await followOn(chain, ours).catch((error: unknown) => deps.onFailure?.(error));
    });
    await Promise.all(rounds);
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
