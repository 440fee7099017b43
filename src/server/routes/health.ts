import type { Handlers } from "../http/handler.ts";

/** Answers how this server is: HEAD when it is reachable, GET when it can also receive alerts. */
export function healthHandlers(deps: {
  /** Throws while no alert can be stored. */
  readonly requireReady: () => Promise<void>;
}): Pick<Handlers, "getHealth" | "headHealth"> {
  return {
    async getHealth() {
      await deps.requireReady();
      return { status: "ok" as const };
    },
    headHealth: async () => null,
  };
}
