import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SETTING_NAMES } from "../../src/server/environment.ts";
import { onlyAlerts } from "../judge/actions.ts";
import { readSnapshot } from "../judge/evidence.ts";
import { type Finding, judge } from "../judge/judge.ts";
import { createRandom } from "../random.ts";
import { writeKeyFile } from "../key-file.ts";
import { freePort } from "../server-process.ts";
import { type AlertSenders, startSenders } from "./alert-senders.ts";
import { disturb } from "./disturb.ts";
import { keepServer, type SupervisedServer } from "./supervised-server.ts";
import type { ProofOptions } from "./options.ts";
import { judgePositions } from "./positions.ts";
import { createOwners } from "./practice-agents.ts";
import {
  embeddedDatabase,
  givenDatabase,
  type ProofDatabase,
  sharedDatabase,
} from "./proof-database.ts";
import { type OpenWork, waitForRest } from "./rest.ts";

export interface ProofSettings extends Omit<ProofOptions, "stops"> {
  readonly seed: number;
  /** The built program, `dist/server/main.js`. */
  readonly main: string;
  /** An empty folder that the run may fill. */
  readonly folder: string;
  /** The user's own PostgreSQL; absent: an embedded one. */
  readonly given: { readonly url: string; readonly ownerUrl: string | undefined } | null;
  readonly owners: number;
  readonly agentsOfEach: number;
  /** Pause of a sender after an acknowledged alert. */
  readonly pauseMs: { readonly least: number; readonly most: number };
  /** Longest time between recovery and the next kill. */
  readonly momentMs: number;
  readonly say: (line: string) => void;
  /** Ends the run early; it then rejects. */
  readonly signal: AbortSignal;
}

export interface Proof {
  readonly kills: number;
  readonly acknowledged: number;
  readonly findings: readonly Finding[];
  /** Where the database of a failed run is, when it is not in the folder. */
  readonly keptDatabase: string | null;
}

/** Number of kills between two progress lines. */
const TOLD_EVERY = 10;

const LOOK_MS = 20;

/** Time for open orders to end and books to read what became final, in milliseconds. */
export const REST_MS = 240_000;

/** Runs the product under alerts and kills, waits for rest and compares. Leaves no process behind. */
export async function runProof(settings: ProofSettings): Promise<Proof> {
  const { folder, signal } = settings;
  const database = await openDatabase(settings);
  const servers: SupervisedServer[] = [];
  let senders: AlertSenders | null = null;
  let isRight = false;
  let keptDatabase: string | null = null;
  let judged: Pick<Proof, "kills" | "acknowledged" | "findings"> | null = null;
  try {
    settings.say(`Database: ${database.description}. Seed ${settings.seed}.`);
    const [first, ...others] = await startServers(settings, database, servers);
    const owners = await createOwners(first.url, settings.owners, settings.agentsOfEach);
    const targets = owners.flatMap(({ agents }) => agents);
    settings.say(
      `${targets.length} agents of ${owners.length} owners are funded; the kills begin.`,
    );
    const started = performance.now();
    const sending = startSenders({
      targets,
      servers: [first.url, ...others.map(({ url }) => url)],
      pauseMs: settings.pauseMs,
      // Moments and victims are the seed's alone, whatever the senders draw
      random: createRandom(settings.seed, 1),
    });
    senders = sending;
    const { kills } = await disturb({
      servers: [first, ...others],
      database,
      kills: settings.kills,
      momentMs: settings.momentMs,
      recovered: async () => {
        const before = sending.acknowledged.length;
        await Promise.all(servers.map((server) => server.ready()));
        while (sending.acknowledged.length === before && !signal.aborted) {
          for (const server of servers) server.requireUsable();
          await sleep(LOOK_MS);
        }
      },
      random: createRandom(settings.seed),
      signal,
      onKill: ({ kills: done, pauses }) => {
        if (done % TOLD_EVERY !== 0 && done !== settings.kills) return;
        const seconds = Math.round((performance.now() - started) / 1_000);
        settings.say(
          `${done} kills and ${pauses} pauses in ${seconds} s, ${count(sending.acknowledged.length)} alerts acknowledged, ${count(sending.repeats())} deliveries repeated`,
        );
      },
    });
    await Promise.all(servers.map((server) => server.ready()));
    await sending.stop();
    const { acknowledged } = sending;
    settings.say("The kills are over; waiting for rest.");
    const open = await waitForRest(database.url, { ms: REST_MS, signal });
    const evidence = await readSnapshot(database.url() ?? "");
    const findings = [
      ...sending.refused.map((text): Finding => ({ kind: "lost", text })),
      ...describeOpen(open),
      ...judge(onlyAlerts(acknowledged), evidence),
      ...(await judgePositions(first.url, owners, evidence)),
    ];
    isRight = findings.length === 0;
    writeFileSync(join(folder, "acknowledged.json"), JSON.stringify(acknowledged));
    judged = { kills, acknowledged: acknowledged.length, findings };
  } finally {
    senders?.abandon();
    await Promise.all(servers.map((server) => server.stop()));
    keptDatabase = await database.close(!isRight && !signal.aborted);
  }
  return { ...judged, keptDatabase };
}

function openDatabase(settings: ProofSettings): Promise<ProofDatabase> {
  if (settings.given !== null) return givenDatabase(settings.given);
  if (settings.servers > 1) return sharedDatabase(join(settings.folder, "database"));
  return Promise.resolve(embeddedDatabase(dataDirOf(settings, 0)));
}

const dataDirOf = ({ folder }: ProofSettings, index: number) => join(folder, `server-${index + 1}`);

/** Starts the servers, the first one alone: it migrates. Each is in `started` before it is ready. */
async function startServers(
  settings: ProofSettings,
  database: ProofDatabase,
  started: SupervisedServer[],
): Promise<[SupervisedServer, ...SupervisedServer[]]> {
  const ports: number[] = [];
  while (ports.length < settings.servers) ports.push(await freePort());
  const urls = ports.map((port) => `http://127.0.0.1:${port}`);
  const env = serverEnv(settings, database, urls[0] ?? "");
  const start = async (index: number): Promise<SupervisedServer> => {
    const dataDir = dataDirOf(settings, index);
    const server = keepServer(
      settings.main,
      urls[index] ?? "",
      { ...env, DATA_DIR: dataDir, PORT: String(ports[index]) },
      `${dataDir}.log`,
    );
    started.push(server);
    await server.ready();
    return server;
  };
  const first = await start(0);
  const others = await Promise.all(ports.slice(1).map((_, at) => start(at + 1)));
  return [first, ...others];
}

/** Returns the settings of a server on the practice network alone. */
export const serverEnv = (
  { folder }: Pick<ProofSettings, "folder">,
  database: ProofDatabase,
  publicUrl: string,
): NodeJS.ProcessEnv => ({
  ...withoutSettings(process.env),
  ...database.settings,
  NODE_ENV: "production",
  NETWORKS: "practice",
  HOST: "127.0.0.1",
  PUBLIC_URL: publicUrl,
  LOG_LEVEL: "warn",
  DELEGATE_SECRET_FILE: writeKeyFile(folder),
  SESSION_SECRET: randomBytes(32).toString("hex"),
});

/** Returns the environment without any setting of the user's own deployment: no network, no secret, no mail server. */
const withoutSettings = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !SETTING_NAMES.includes(name)));

export function describeOpen(open: OpenWork | null): readonly Finding[] {
  if (open === null) return [];
  const { orders, exits, books } = open;
  const text = `no rest after ${REST_MS / 1_000} s: ${orders} orders, ${exits} exits and ${books} books are open`;
  return [{ kind: "open", text }];
}

const count = (of: number): string => of.toLocaleString("en-US");

/** Returns the one line a run ends with. */
export function summarise({ kills, acknowledged, findings }: Proof): string {
  const of = (kind: Finding["kind"]) => findings.filter((each) => each.kind === kind).length;
  const isEqual = of("differs") + of("open") === 0;
  return [
    `${count(kills)} kills`,
    `${count(acknowledged)} alerts acknowledged`,
    `${count(of("lost"))} lost`,
    `${count(of("doubled"))} doubled`,
    ...(of("counter") === 0 ? [] : [`${count(of("counter"))} counters wrong`]),
    isEqual ? "log and book equal the chain" : "log or book differs from the chain",
  ].join(", ");
}
