import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  appendFileSync,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type EmbeddedPostgres,
  launchPostgres,
} from "../src/server/store/launch/launch-postgres.ts";
import { inSession } from "../src/server/store/postgres/in-session.ts";
import { descendantsOf, signalAll } from "./prove/process-tree.ts";

/** A PostgreSQL primary and its standby, at one address that always leads to the one in charge. */
export interface DatabasePair {
  readonly url: string;
  /** Cuts the standby off, so that it certainly lacks what is confirmed from now on. */
  detachStandby(): Promise<void>;
  /** Kills the primary with everything it runs, and puts the standby in its place. */
  losePrimary(): Promise<void>;
  close(): Promise<void>;
}

const SETTINGS = {
  max_connections: "200",
  wal_level: "replica",
  max_wal_senders: "4",
  hot_standby: "on",
};

const setting = ({ url }: EmbeddedPostgres, name: "host" | "password"): string =>
  new URL(url.replace("postgres:///", "postgres://unused/")).searchParams.get(name) ?? "";

/** Starts both and resolves when the standby follows; with `isSynchronous` each commit waits for it. */
export async function openDatabasePair(isSynchronous: boolean): Promise<DatabasePair> {
  const folders = [newFolder(), newFolder()] as const;
  const launch = (dataDir: string) =>
    launchPostgres({ dataDir, settings: SETTINGS, isKeptRunning: false });
  // Made, then copied while it is stopped: the copy needs no tool for a base backup
  await (await launch(folders[0])).stop();
  const files = ["postgres", "database.secret"].map((name) => join(folders[0], name));
  execFileSync("cp", ["-a", ...files, folders[1]]);
  const primary = await launch(folders[0]);
  makeStandby(join(folders[1], "postgres", "cluster"), primary);
  const standby = await launch(folders[1]);
  await until(primary, "select 1 from pg_stat_replication where state = 'streaming'");
  if (isSynchronous) {
    await administer(primary, "alter system set synchronous_standby_names = '*'");
    await administer(primary, "select pg_reload_conf()");
    await until(primary, "select 1 from pg_stat_replication where sync_state = 'sync'");
  }
  const address = await openAddress(setting(primary, "host"));
  let isPrimaryLost = false;
  return {
    url: `postgres://postgres:${setting(primary, "password")}@127.0.0.1:${address.port}/wheelhouse`,
    async detachStandby() {
      await administer(standby, "alter system set primary_conninfo = ''");
      await administer(standby, "select pg_reload_conf()");
      await until(primary, "select 1 where not exists (select from pg_stat_replication)");
    },
    async losePrimary() {
      isPrimaryLost = true;
      signalAll([primary.pid, ...descendantsOf(primary.pid)], "SIGKILL");
      address.cut();
      await administer(standby, "select pg_promote()");
      address.leadTo(setting(standby, "host"));
    },
    async close() {
      await address.close();
      if (!isPrimaryLost) await primary.stop();
      await standby.stop();
      if (isPrimaryLost) await primary.stop();
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    },
  };
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "wheelhouse-pair-"));
  chmodSync(folder, 0o711);
  return folder;
}

function makeStandby(cluster: string, primary: EmbeddedPostgres): void {
  const { uid, gid } = statSync(cluster);
  const signal = join(cluster, "standby.signal");
  writeFileSync(signal, "");
  chownSync(signal, uid, gid);
  appendFileSync(
    join(cluster, "postgresql.auto.conf"),
    `primary_conninfo = 'host=${setting(primary, "host")} user=postgres password=${setting(primary, "password")}'\n`,
  );
}

async function administer(server: EmbeddedPostgres, statement: string): Promise<number> {
  return inSession(server.url, async (client) => (await client.query(statement)).rowCount ?? 0);
}

async function until(server: EmbeddedPostgres, statement: string): Promise<void> {
  while ((await administer(server, statement)) === 0) await sleep(50);
}

/** Listens on a port and passes connections on to a database's socket, as an address does that can be moved. */
async function openAddress(firstFolder: string) {
  let folder: string | null = firstFolder;
  const open = new Set<Socket>();
  const server = createServer((incoming) => {
    if (folder === null) {
      incoming.destroy();
      return;
    }
    const outgoing = connect(join(folder, ".s.PGSQL.5432"));
    for (const [socket, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      open.add(socket);
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        open.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const cut = () => {
    folder = null;
    for (const socket of open) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    leadTo: (next: string) => void (folder = next),
    async close() {
      cut();
      server.close();
      await once(server, "close");
    },
  };
}
