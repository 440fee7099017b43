import { type ChildProcess, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Config, loadConfig, sessionDigest } from "../config.ts";
import { ConfigError } from "../environment.ts";
import type { Role } from "../environment.ts";
import { LaunchError } from "../store/launch/account.ts";
import { NewerDatabaseError } from "../store/postgres/migrate.ts";
import type { ProcessName, ProcessUrls } from "../store/postgres/process-roles.ts";
import { isDatabaseUnavailable } from "../store/postgres/unavailable.ts";
import { createKillSwitch } from "../data-folder/kill-switch.ts";
import { confineWeb, type FilesMessage } from "./confine-web.ts";
import {
  keepProcess,
  portFault,
  type OpenedMessage,
  type SupervisedProcess,
  StartFailedError,
} from "./keep-process.ts";
import { type DatabaseHost, openDatabaseHost } from "./open-database-host.ts";
import type { SignerSocket } from "../custody/signer/frames.ts";
import { type AskedMessage, isAskedMessage } from "../pacing/asked-nodes.ts";
import { isSimulationAnswer, isSimulationAsk } from "../pacing/simulations.ts";
import {
  findLoneSigner,
  loneSignerSockets,
  makeSignerSockets,
  removeSignerSockets,
} from "./signer-sockets.ts";
import { once } from "node:events";
import { createServer } from "node:net";

/** Where the secrets of the trading keys are, which only the signer's process opens, and a signer by itself. */
const KEY_SECRETS = ["DELEGATE_SECRET_FILE", "SIGNER_SOCKETS", "SIGNER_WORD_FILE"];

/** Environment variables each role does not need. */
const ROLE_SECRETS = { web: KEY_SECRETS, trading: [...KEY_SECRETS, "SESSION_SECRET"] };

/**
 * Environment variables with passwords of the database, which no other process has in its environment: the owner's is
 * this process's alone, as it can rewrite the audit log; each other process is sent its own.
 */
const DATABASE_SECRETS = [
  "DATABASE_OWNER_URL",
  "DATABASE_OWNER_FILE",
  "DATABASE_URL",
  "DATABASE_TRADING_URL",
  "DATABASE_SIGNER_URL",
];

/** Environment variables the signer does not need. */
const SERVER_SECRETS = ["SESSION_SECRET", "METRICS_TOKEN", "JUPITER_API_KEY", "SMTP_URL"];

/**
 * Runtime options of each process. The young generation (in MiB) never shrinks after it has grown; processes that
 * acknowledge nothing get a quarter of the default.
 */
const RUNTIME_OPTIONS = {
  web: ["--enable-source-maps"],
  trading: ["--enable-source-maps", "--max-semi-space-size=4"],
  signer: ["--enable-source-maps", "--max-semi-space-size=4"],
  simulator: ["--enable-source-maps", "--max-semi-space-size=4"],
} as const satisfies Record<ProcessName | "simulator", readonly string[]>;

/** Without it SIGUSR1, which any process of the account can send, opens a debugger that runs whatever it is told. */
const NO_DEBUGGER = "--disable-sigusr1";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

const here = dirname(fileURLToPath(import.meta.url));

type MainConfig = ReturnType<typeof loadConfig>;

type Environment = Readonly<Record<string, string | undefined>>;

function start(
  name: keyof typeof RUNTIME_OPTIONS,
  opened: OpenedMessage,
  env: Environment,
  without: readonly string[],
  worker: readonly string[] = [],
): ChildProcess {
  const withheld = [...DATABASE_SECRETS, ...without];
  const kept = Object.entries(env).filter(([key]) => !withheld.includes(key));
  const child = fork(join(here, `${name}.js`), worker, {
    env: Object.fromEntries(kept),
    serialization: "advanced",
    execArgv: [
      ...RUNTIME_OPTIONS[name],
      ...(process.allowedNodeEnvironmentFlags.has(NO_DEBUGGER) ? [NO_DEBUGGER] : []),
      ...(name === "web" ? confineWeb(env) : []),
      ...(name === "simulator" ? confineWeb(env).filter((each) => each !== "--allow-net") : []),
    ],
  });
  // It may have died; its exit is heard then
  child.send(opened, () => {});
  return child;
}

/** The processes of this server: the signer, and one for each role. */
interface Processes {
  /** Null: it runs by itself. */
  readonly signer: SupervisedProcess | null;
  readonly roles: readonly SupervisedProcess[];
  /** Runs what assistants simulate, beside pages and alerts. */
  readonly simulator: ReturnType<typeof keepSimulator>;
}

/** Starts the signer and the roles' processes, which call it at its sockets. */
function startProcesses(
  { roles, dataDir, noticeKeys, loneSigner }: MainConfig,
  urls: ProcessUrls,
  sockets: readonly SignerSocket[],
): Processes {
  const { env } = process;
  const hung = (name: string) => () =>
    process.stderr.write(`The process ${name} does not answer: it is killed and started again\n`);
  const startSigner = () =>
    start(
      "signer",
      { databaseUrl: urls.signer, sockets },
      { ...env, ...sessionDigest(env) },
      SERVER_SECRETS,
    );
  const signer =
    loneSigner === undefined
      ? keepProcess(startSigner, { name: "signer", hung: hung("signer") })
      : null;
  // One name for all processes of a role, one after the other: the next takes over the lanes of one that died
  const worker = randomUUID();
  const startRole = (role: Role) => {
    const own = sockets.filter(({ caller }) => caller === role);
    const opened = { databaseUrl: urls[role], sockets: own, noticeKeys };
    return keepProcess(() => start(role, opened, env, ROLE_SECRETS[role], [worker]), {
      name: role,
      hung: hung(role),
      heard: (message) => {
        if (role !== "web") return;
        if (isSimulationAsk(message)) simulator.send(message);
        // Nothing else that pages' process says reaches trading
        else if (isAskedMessage(message)) {
          kept.get("trading")?.send({ asked: message.asked } satisfies AskedMessage);
        }
      },
    });
  };
  const simulator = keepSimulator(hung("simulator"), (answer) => kept.get("web")?.send(answer));
  const kept = new Map(roles.map((role) => [role, startRole(role)]));
  tellOfFiles(kept.get("web"), dataDir);
  return { signer, roles: [...kept.values()], simulator };
}

/** Keeps the process for simulations from the first one on: it knows no secret and reads nothing but the program. */
function keepSimulator(hung: () => void, heard: (answer: object) => void) {
  const { NODE_OPTIONS, PATH } = process.env;
  const env = { DATA_DIR: here, ...(NODE_OPTIONS && { NODE_OPTIONS }), ...(PATH && { PATH }) };
  const opened = { databaseUrl: "", sockets: [] };
  let kept: SupervisedProcess | null = null;
  const begin = () => {
    const begun = keepProcess(() => start("simulator", opened, env, []), {
      name: "simulator",
      hung,
      heard: (message) => isSimulationAnswer(message) && heard(message),
    });
    begun.started.catch(() => (kept = null));
    return begun;
  };
  return {
    send: (message: object) => (kept ??= begin()).send(message),
    end: async () => kept?.end("SIGKILL"),
  };
}

/** Pause between two readings of the switch files for the web process, in milliseconds. */
const FILES_MS = 500;

/** Tells the web process, which may not read the data folder, what the operator's switch files say: it shows that. */
function tellOfFiles(web: SupervisedProcess | undefined, dataDir: string): void {
  if (web === undefined) return;
  const switchFiles = createKillSwitch(dataDir);
  setInterval(
    () => web.send({ switchFiles: switchFiles() } satisfies FilesMessage),
    FILES_MS,
  ).unref();
}

/** Ends the roles' processes, then the signer, which they need to the end. Returns the exit code. */
async function endProcesses(
  { signer, roles, simulator }: Processes,
  signal: NodeJS.Signals | null,
): Promise<number> {
  const codes = await Promise.all(roles.map((role) => role.end(signal)));
  await Promise.all([signer?.end("SIGKILL"), simulator.end()]);
  return Math.max(...codes);
}

/** Resolves to the signal that stops this server; null when its processes have got it too. */
function waitForSignal(): Promise<NodeJS.Signals | null> {
  return new Promise((resolve) => {
    for (const signal of SIGNALS) {
      // A terminal signals the whole process group itself
      process.on(signal, () =>
        resolve(signal === "SIGTERM" || !process.stdin.isTTY ? signal : null),
      );
    }
  });
}

/** Returns what an operator is told whose processes all have one role in the database; nothing otherwise. */
const oneRoleLine = ({ databaseUrl, processUrls }: Config, host: DatabaseHost): string =>
  databaseUrl === undefined || processUrls !== undefined || host.isPreparedElsewhere
    ? ""
    : "All processes share one role of the database; DATABASE_TRADING_URL and DATABASE_SIGNER_URL give each its own (docs/operating.md).\n";

function readyLine({ roles, publicUrl }: Config): string {
  if (!roles.includes("web")) return `Wheelhouse is ready to trade for ${publicUrl}\n`;
  return `Wheelhouse is ready at ${publicUrl}\n`;
}

/** Runs the processes until a signal stops them; resolves to the exit code. */
async function serve(
  config: MainConfig,
  sockets: readonly SignerSocket[],
  stopped: Promise<NodeJS.Signals | null>,
): Promise<number> {
  const database = await openDatabaseHost(config, { isForServer: true, roles: config.roles });
  try {
    if (database.isPreparedElsewhere && config.loneSigner === undefined) {
      throw new ConfigError(
        "SIGNER_SOCKETS: needed by a server without the owner's address; a signer of its own has no role in the database.",
      );
    }
    const processes = startProcesses(config, database.urls, sockets);
    const all = [...(processes.signer === null ? [] : [processes.signer]), ...processes.roles];
    const started = Promise.all(all.map((each) => each.started));
    try {
      await Promise.race([started, stopped]);
    } catch (error) {
      await endProcesses(processes, "SIGTERM");
      throw error;
    }
    void started
      .then(() => process.stdout.write(readyLine(config) + oneRoleLine(config, database)))
      .catch(() => {});
    return await endProcesses(processes, await stopped);
  } finally {
    await database.close();
  }
}

async function run(): Promise<number> {
  const config = loadConfig(process.env);
  if (config.roles.includes("web")) await requireFreePort(config);
  const stopped = waitForSignal();
  const { loneSigner, roles } = config;
  if (loneSigner !== undefined) {
    const known = loneSignerSockets(loneSigner, roles);
    await Promise.race([findLoneSigner(known), stopped]);
    return serve(config, known, stopped);
  }
  const sockets = makeSignerSockets(roles);
  try {
    return await serve(config, sockets, stopped);
  } finally {
    removeSignerSockets(sockets);
  }
}

const OUT_OF_FILES = new Set(["EMFILE", "ENFILE"]);

function sentenceOf(error: unknown): string {
  const { code, message, stack } = error as NodeJS.ErrnoException;
  if (OUT_OF_FILES.has(code ?? "") || /\bspawn \S+ E[MN]FILE\b/.test(message)) {
    return "Too many files are open: let this account open at least 128 (ulimit -n, LimitNOFILE= of the service).";
  }
  if (isDatabaseUnavailable(error)) return `The database was lost during the start (${message}).`;
  const isForUser =
    error instanceof ConfigError ||
    error instanceof LaunchError ||
    error instanceof StartFailedError ||
    error instanceof NewerDatabaseError;
  return isForUser ? message : String(stack ?? error);
}

function exitCodeOf(error: unknown): number {
  const isFailure = error instanceof StartFailedError;
  if (!isFailure || !error.isSaid) process.stderr.write(`${sentenceOf(error)}\n`);
  return isFailure ? error.exitCode : 1;
}

// As NO_DEBUGGER, for this process, which others start
process.on("SIGUSR1", () => {});
process.exitCode = await run().catch(exitCodeOf);

/** Throws `ConfigError` when the address cannot be listened on; called before anything is created. */
async function requireFreePort(address: {
  readonly host: string;
  readonly port: number;
}): Promise<void> {
  const { host, port } = address;
  const probe = createServer();
  probe.listen(port, host);
  try {
    await once(probe, "listening");
  } catch (error) {
    throw portFault(error, address);
  }
  probe.close();
  await once(probe, "close");
}
