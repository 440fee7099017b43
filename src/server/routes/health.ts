import type { Handlers } from "../http/handler.ts";

/** Answers how this server is: HEAD when it is reachable, GET when it can also receive alerts. */
export function healthHandlers(deps: {
  /** Throws while no alert can be stored; resolves to whether any server of the database trades. */
  readonly requireReady: () => Promise<{ readonly isTraded: boolean }>;
  /** How far this machine's clock is wrong, in seconds; null when it is not. */
  readonly wrongSeconds: () => number | null;
}) {
  return {
    async getHealth() {
      const { isTraded } = await deps.requireReady();
      const wrongSeconds = deps.wrongSeconds();
      return {
        status: isTraded ? ("ok" as const) : ("nobody_trades" as const),
        ...(wrongSeconds === null ? {} : { clockDifferenceSeconds: wrongSeconds }),
      };
    },
    headHealth: async () => {},
  } satisfies Partial<Handlers>;
}
