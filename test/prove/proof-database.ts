import { chmodSync, existsSync, mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import {
  findRunningDatabase,
  launchPostgres,
} from "../../src/server/store/launch/launch-postgres.ts";
import { findPostmaster } from "../../src/server/store/launch/process-identity.ts";
import { createScratchDatabase } from "./scratch-database.ts";
import { descendantsOf, signalAll } from "./process-tree.ts";

/** The servers' database, with what is needed to disturb and judge it. */
export interface ProofDatabase {
  /** One line for the reader: what it is and what a kill of it means. */
  readonly description: string;
  /** Settings of the servers that lead to it. */
  readonly settings: Readonly<Record<string, string>>;
  /** URL of a role that reads everything; null while no server is up. */
  url(): string | null;
  /** Returns whether there was something to kill. */
  kill(): Promise<boolean>;
  /** Its processes, for pausing them; none where they belong to somebody else. */
  processes(): readonly number[];
  /** Closes the database. `isKept` keeps it after a failed run; returns its place when that is outside the run's folder. */
  close(isKept: boolean): Promise<string | null>;
}

/** Returns the database that a single server starts in its own data folder. */
export function embeddedDatabase(dataDir: string): ProofDatabase {
  const live = () => {
    const holder = join(dataDir, "postgres");
    return existsSync(holder) ? findPostmaster(join(realpathSync(holder), "cluster")) : null;
  };
  const processes = () => {
    const postmaster = live();
    return postmaster === null ? [] : [postmaster.pid, ...descendantsOf(postmaster.pid)];
  };
  return {
    description: "the server's own database, killed with SIGKILL",
    settings: {},
    url: () => findRunningDatabase(dataDir),
    kill: async () => signalAll(processes().slice(0, 1), "SIGKILL"),
    processes,
    close: async () => {
      // A server that ended without a shutdown leaves it running
      signalAll(processes(), "SIGKILL");
      return null;
    },
  };
}

/** Starts a PostgreSQL for several servers. */
export async function sharedDatabase(folder: string): Promise<ProofDatabase> {
  mkdirSync(folder);
  // Under root the database runs as another account
  chmodSync(folder, 0o711);
  const postgres = await launchPostgres({
    dataDir: folder,
    settings: { max_connections: "300" },
  });
  return {
    description: "one PostgreSQL for all servers, killed with SIGKILL",
    settings: {
      DATABASE_URL: postgres.processUrls.web,
      DATABASE_TRADING_URL: postgres.processUrls.trading,
      DATABASE_SIGNER_URL: postgres.processUrls.signer,
      DATABASE_OWNER_URL: postgres.url,
    },
    url: () => postgres.url,
    kill: async () => signalAll([postgres.pid], "SIGKILL"),
    processes: () => [postgres.pid, ...descendantsOf(postgres.pid)],
    close: async () => {
      await postgres.stop();
      return null;
    },
  };
}

/** Creates a database of its own on the user's server, and nothing beside it. */
export async function givenDatabase(urls: {
  readonly url: string;
  readonly ownerUrl: string | undefined;
}): Promise<ProofDatabase> {
  const scratch = await createScratchDatabase(urls);
  return {
    description: `${scratch.name} on the server of DATABASE_URL, whose sessions are ended instead of the server being killed`,
    settings: {
      DATABASE_URL: scratch.url,
      ...(scratch.ownerUrl === undefined ? {} : { DATABASE_OWNER_URL: scratch.ownerUrl }),
    },
    url: () => scratch.ownerUrl ?? scratch.url,
    kill: scratch.endSessions,
    processes: () => [],
    close: async (isKept) => {
      if (isKept) return `database ${scratch.name}`;
      await scratch.drop();
      return null;
    },
  };
}
