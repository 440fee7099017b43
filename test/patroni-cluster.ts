import { execFileSync, spawn, spawnSync } from "node:child_process";
import { chownSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { scratchRoot } from "./scratch-folder.ts";
import { signalAll } from "./prove/process-tree.ts";

const DEPLOY = join(import.meta.dirname, "../deploy/patroni");
const BINARIES = "/usr/lib/postgresql/15/bin";
const NODES = [1, 2, 3] as const;
const PASSWORD = "only-in-this-test";

/** What happens to the machine of the node in charge. */
export type LeaderFault = "killed" | "paused" | "cut off";

/** Three machines with etcd, Patroni and PostgreSQL by the settings in `deploy/patroni`, behind HAProxy. */
export interface PatroniCluster {
  /** Address of the node in charge, for the superuser. */
  readonly url: string;
  /** Does to the leader's whole machine what the fault says; resolves to the function that brings it back. */
  strike(fault: LeaderFault): Promise<() => Promise<void>>;
  /** Resolves when a leader, its synchronous standby and the third node are there. */
  whole(): Promise<void>;
  close(): void;
}

/** Says what this machine lacks for such a cluster; null when nothing. */
export function missingForPatroni(): string | null {
  const lacks = ["patroni", "etcd", "haproxy", "ip", "setpriv"].filter(
    (name) => spawnSync("which", [name]).status !== 0,
  );
  if (spawnSync(join(BINARIES, "postgres"), ["--version"]).status !== 0)
    lacks.push("PostgreSQL 15");
  if (lacks.length > 0) return `not installed: ${lacks.join(", ")}`;
  const name = `wh${process.pid}try`;
  if (spawnSync("ip", ["netns", "add", name]).status !== 0) return "no right to make networks";
  run("ip netns del", name);
  return null;
}

/** Runs a command whose words are separated by spaces, followed by further arguments. */
function run(words: string, ...more: readonly string[]): string {
  const [command = "", ...rest] = words.split(" ");
  return execFileSync(command, [...rest, ...more], { encoding: "utf8", stdio: "pipe" });
}

/** Starts the cluster; each node is a machine with a network of its own. */
export async function openPatroniCluster(): Promise<PatroniCluster> {
  const folder = mkdtempSync(join(scratchRoot(), "wheelhouse-patroni-"));
  execFileSync("chmod", ["711", folder]);
  const id = process.pid % 25_000;
  const subnet = `10.${100 + (id % 100)}.${Math.floor(id / 100)}`;
  const bridge = `wh${id}b`;
  const name = (node: number) => `wh${id}n${node}`;
  const address = (node: number) => `${subnet}.${10 + node}`;
  run("ip link add", bridge, "type", "bridge");
  run("ip addr add", `${subnet}.1/24`, "dev", bridge);
  run("ip link set", bridge, "up");
  for (const node of NODES) addMachine({ name: name(node), bridge, address: address(node) });

  const [user = 0, group = 0] = run("getent passwd postgres").split(":").slice(2, 4).map(Number);
  for (const node of NODES) {
    const own = join(folder, `node${node}`);
    mkdirSync(own, { mode: 0o700 });
    chownSync(own, user, group);
    start(node);
  }
  const url = `postgres://postgres:${PASSWORD}@${subnet}.1:5432`;
  const proxy = spawn("haproxy", ["-f", join(DEPLOY, "haproxy.cfg")], {
    env: {
      ...process.env,
      LISTEN: `${subnet}.1:5432`,
      ...Object.fromEntries(NODES.map((node) => [`NODE${node}`, address(node)])),
    },
    stdio: ["ignore", "ignore", openSync(join(folder, "haproxy.log"), "a")],
  });

  /** Starts what a machine starts with: etcd and Patroni, which starts PostgreSQL. */
  function start(node: number): void {
    const own = join(folder, `node${node}`);
    const here = address(node);
    const peers = NODES.map((each) => `node${each}=http://${address(each)}:2380`).join(",");
    spawnIn(
      node,
      "etcd",
      [
        ["--enable-v2", "--name", `node${node}`],
        ["--data-dir", join(own, "etcd")],
        ["--listen-client-urls", `http://${here}:2379`],
        ["--advertise-client-urls", `http://${here}:2379`],
        ["--listen-peer-urls", `http://${here}:2380`],
        ["--initial-advertise-peer-urls", `http://${here}:2380`],
        ["--initial-cluster", peers],
      ].flat(),
    );
    spawnIn(node, "patroni", [join(DEPLOY, "patroni.yml")], environmentOf(here, node, own));
  }

  function environmentOf(here: string, node: number, own: string) {
    const example = readFileSync(join(DEPLOY, "node.env.example"), "utf8");
    const set = example.matchAll(/^(PATRONI_\w+)=(.*)$/gm);
    const values = Object.fromEntries(
      [...set].map(([, key = "", value = ""]) => [
        key,
        value === ""
          ? PASSWORD
          : value.replaceAll(/10\.0\.0\.(\d)/g, (_, each) =>
              key === "PATRONI_ETCD_HOSTS" ? address(Number(each)) : here,
            ),
      ]),
    );
    return {
      ...values,
      PATRONI_NAME: `node${node}`,
      PATRONI_POSTGRESQL_DATA_DIR: join(own, "postgres"),
      PATRONI_POSTGRESQL_BIN_DIR: BINARIES,
    };
  }

  function spawnIn(
    node: number,
    command: string,
    options: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): void {
    const log = openSync(join(folder, `${command}${node}.log`), "a");
    // Sockets of PostgreSQL lie at one path, which is another folder on each machine
    const machine = `mount -t tmpfs -o mode=1777 tmpfs /run/postgresql && exec setpriv --reuid=postgres --regid=postgres --init-groups "$@"`;
    spawn("ip", ["netns", "exec", name(node), "sh", "-c", machine, "sh", command, ...options], {
      cwd: join(folder, `node${node}`),
      env: { ...process.env, HOME: join(folder, `node${node}`), ...env },
      stdio: ["ignore", log, log],
    });
  }

  const processesOf = (node: number) =>
    run("ip netns pids", name(node)).split("\n").filter(Boolean).map(Number);

  /** Returns a node's role as its Patroni tells it; null while it tells none. */
  const roleOf = async (node: number): Promise<string | null> => {
    const answer = await fetch(`http://${address(node)}:8008/patroni`, {
      signal: AbortSignal.timeout(2_000),
    }).catch(() => null);
    if (answer === null) return null;
    const {
      role,
      state,
      sync_standby: isSync,
    } = (await answer.json()) as {
      role: string;
      state: string;
      sync_standby?: boolean;
    };
    return state !== "running" ? null : isSync === true ? "sync" : role;
  };
  const roles = () => Promise.all(NODES.map(roleOf));
  const wait = async (isDone: (found: readonly (string | null)[]) => boolean) => {
    for (let tries = 0; tries < 600; tries += 1) {
      if (isDone(await roles())) return;
      await sleep(500);
    }
    const logs = NODES.map((node) => readFileSync(join(folder, `patroni${node}.log`), "utf8"));
    throw new Error(
      `No whole cluster: ${JSON.stringify(await roles())}\n${logs.map((log) => log.slice(-2_000)).join("\n")}`,
    );
  };
  const whole = () =>
    wait((found) => {
      const has = (role: string) => found.some((each) => each === role);
      return (
        (has("master") || has("primary")) && has("sync") && found.every((each) => each !== null)
      );
    });

  return {
    url,
    whole,
    async strike(fault) {
      const found = await roles();
      const leader = NODES.find((_, at) => /^(?:master|primary)$/.test(found[at] ?? ""));
      if (leader === undefined) throw new Error("No node is in charge");
      switch (fault) {
        case "killed":
          signalAll(processesOf(leader), "SIGKILL");
          return async () => start(leader);
        case "paused": {
          const all = processesOf(leader);
          signalAll(all, "SIGSTOP");
          return async () => void signalAll(all, "SIGCONT");
        }
        case "cut off":
          run("ip link set", `${name(leader)}h`, "down");
          return async () => void run("ip link set", `${name(leader)}h`, "up");
      }
    },
    close() {
      proxy.kill("SIGKILL");
      for (const node of NODES) {
        const all = processesOf(node);
        signalAll(all, "SIGKILL");
        run("ip netns del", name(node));
      }
      run("ip link del", bridge);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Makes a network namespace with one address on a bridge. */
function addMachine(machine: {
  readonly name: string;
  readonly bridge: string;
  readonly address: string;
}): void {
  const { name, bridge, address } = machine;
  run("ip netns add", name);
  run(`ip link add ${name}h type veth peer name eth0 netns ${name}`);
  run(`ip link set ${name}h master ${bridge} up`);
  run(`ip -n ${name} addr add ${address}/24 dev eth0`);
  run(`ip -n ${name} link set eth0 up`);
  run(`ip -n ${name} link set lo up`);
}
