import type { Stopped } from "../../domain/agent-health.ts";
import type { Handlers } from "../http/handler.ts";

/** Answers how this server is: HEAD when it is reachable, GET when it can also receive alerts. */
export function healthHandlers(deps: {
  /** Throws while no alert can be stored; resolves to whether any server of the database trades, and what stops it. */
  readonly requireReady: () => Promise<{
    readonly isTraded: boolean;
    readonly stopped: readonly Stopped[];
  }>;
  /** How far this machine's clock is wrong, in seconds; null when it is not. */
  readonly wrongSeconds: () => number | null;
}) {
  return {
    async getHealth() {
      const { isTraded, stopped } = await deps.requireReady();
      const wrongSeconds = deps.wrongSeconds();
      const fault =
        stopped.length > 0 ? "cannot_trade" : wrongSeconds === null ? "ok" : "clock_wrong";
      return {
        status: isTraded ? fault : ("nobody_trades" as const),
        ...(stopped.length > 0 && {
          stopped: stopped.map(({ network, reason, sinceMs }) => ({
            network,
            reason,
            since: new Date(sinceMs).toISOString(),
          })),
        }),
        ...(wrongSeconds === null ? {} : { clockDifferenceSeconds: wrongSeconds }),
      };
    },
    headHealth: async () => {},
  } satisfies Partial<Handlers>;
}
