import type { Server } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "../../contract/errors.ts";

/** A server's way out: it says that it takes no new calls while it still answers them, so that none meets a closed door. */
export interface Drain {
  /** Throws once this server is about to stop. */
  requireOpen(): void;
  /**
   * Waits until load balancers have turned to other servers. Calls are still answered, each on a connection that is
   * closed afterwards.
   */
  run(server: Server, seconds: number): Promise<void>;
}

export function createDrain(): Drain {
  let isDraining = false;
  return {
    requireOpen() {
      if (isDraining) throw new AppError("unavailable");
    },
    async run(server, seconds) {
      isDraining = true;
      server.prependListener("request", (_request, answer) =>
        answer.setHeader("connection", "close"),
      );
      await sleep(seconds * 1_000);
    },
  };
}
