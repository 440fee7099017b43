import type { Server } from "node:http";
import { createDrain } from "../http/drain.ts";
import { type DatabaseProbe, openProbe } from "../store/postgres/probe.ts";

/** Whether this server should be handed calls. */
export interface Readiness {
  /** Throws while no alert can be stored, or once this server is about to stop. */
  readonly requireReady: DatabaseProbe["requireWritable"];
  /** Reports that the server is about to stop, and waits while it still answers calls. */
  drain(server: Server, seconds: number): Promise<void>;
  close(): Promise<void>;
}

export function openReadiness(databaseUrl: string): Readiness {
  const probe = openProbe(databaseUrl);
  const drain = createDrain();
  return {
    async requireReady() {
      drain.requireOpen();
      return probe.requireWritable();
    },
    drain: drain.run,
    close: probe.close,
  };
}
