import type { Server } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "../../contract/errors.ts";

/** A server's way out: it says that it takes no new calls while it still answers them, so that none meets a closed door. */
export function createDrain() {
  let isDraining = false;
  return {
    /** Throws once this server is about to stop. */
    requireOpen(): void {
      if (isDraining) throw new AppError("unavailable");
    },
    /**
     * Waits until load balancers have turned to other servers. Calls are still answered, each on a connection that is
     * closed afterwards.
     */
    async run(server: Server, seconds: number): Promise<void> {
      isDraining = true;
      server.prependListener("request", (_request, answer) =>
        answer.setHeader("connection", "close"),
      );
      await sleep(seconds * 1_000);
    },
  };
}
