import { randomBytes } from "node:crypto";
import closeWithGrace from "close-with-grace";
import { type Logger, type DestinationStream, pino } from "pino";
import { createPracticeMarket, type PracticeMarket } from "../../practice/practice-market.ts";
import type { Clock } from "../../domain/clock.ts";
import type { AgentId } from "../../domain/ids.ts";
import type { Network } from "../../domain/network.ts";
import { strictestOf, type TradingState } from "../../domain/trading-state.ts";
import {
  createSteadyClock,
  type ClockDifference,
  createClockDifference,
} from "../clock/steady-clock.ts";
import { loadServerConfig, type ServerConfig } from "../config.ts";
import { ConfigError } from "../environment.ts";
import { createRecent, type Recent } from "../custody/account/recent.ts";
import { openRemoteSigner, type RemoteSigner } from "../custody/signer/remote-signer.ts";
import { openSignerChannel } from "../custody/signer/signer-channel.ts";
import type { SignerSocket } from "../custody/signer/frames.ts";
import type { Networks } from "../networks.ts";
import { type Asker, PAGES_SHARE } from "../../solana/request-budget.ts";
import {
  type AskedMessage,
  type AskedNodes,
  isAskedMessage,
  spendAsked,
  tellAsked,
} from "../pacing/asked-nodes.ts";
import type { RandomBytes } from "../crypto/new-id.ts";
import type { Role } from "../environment.ts";
import { hasLivePrices, openLivePrices } from "../market-data/prices/price-feed.ts";
import { createStalePublisher } from "../push/create-stale-publisher.ts";
import type { StalePublisher } from "../stale-publisher.ts";
import type { Db } from "../store/postgres/db.ts";
import { isDatabaseUnavailable } from "../store/postgres/unavailable.ts";
import { readTradersState } from "../store/operator/trading-state.ts";
import { createKillSwitch } from "../data-folder/kill-switch.ts";
import type { NoticeKeys } from "../notices/encrypt-target.ts";
import { answerBeats, hearOpened, LOST_DATABASE, type UpMessage } from "./keep-process.ts";
import { closeDoors } from "./close-doors.ts";
import { isFilesMessage } from "./confine-web.ts";
import { openNetworks, type OpenNetworksDeps } from "./open-networks.ts";
import { openStore, type Store } from "./open-store.ts";
import { openSwitch } from "./open-switch.ts";
import type { ReportedDifference } from "../store/reconcile/recorded-holding.ts";
import { readTime } from "../store/postgres/installation.ts";
import { databaseSockets } from "../store/postgres/pool.ts";

/** Logs one line when a node fails and one when it recovers. Nodes are identified by their position in the list. */
function logNodeTrouble(log: {
  warn(detail: object, message: string): void;
  info(detail: object, message: string): void;
}): NonNullable<OpenNetworksDeps["onNodeTrouble"]> {
  return (at, trouble) => {
    if (trouble === null) log.info(at, "node is well again");
    else log.warn({ ...at, trouble }, "something is wrong with a node: the next one is asked");
  };
}

function sayUnreachable(logger: Logger, network: Network): void {
  logger.error(
    { network },
    `${network} does not answer: nothing is traded or shown there until it does. The rest is served.`,
  );
}

/** Dependencies of every role's process. */
export interface OpenedProcess {
  readonly config: ServerConfig;
  readonly noticeKeys: NoticeKeys;
  readonly logger: Logger;
  readonly store: Store;
  readonly keys: RemoteSigner;
  readonly prices: PracticeMarket;
  readonly clockDifference: ClockDifference;
  /** Called with errors of background work. */
  readonly onFailure: (error: unknown) => void;
  /** Dependencies that nearly every part takes. */
  readonly shared: {
    readonly db: Db;
    readonly clock: Clock;
    readonly random: RandomBytes;
    readonly networks: Networks;
    readonly publisher: StalePublisher;
    readonly publicUrl: URL;
    readonly tradingState: () => TradingState;
    /** What of it the switch files say. */
    readonly switchFiles: () => TradingState;
    readonly toldByNode?: Recent<AgentId, ReportedDifference>;
  };
  close(): Promise<void>;
}

/** The work of a process. */
export interface ProcessWork {
  start(): Promise<void>;
  /** Goes on working until others have taken over; called before `stop` when there is time for it. */
  drain?(): Promise<void>;
  stop(): Promise<void>;
}

/** Returns what the parent last told of the switch files: this process may not list the data folder. */
function toldOfFiles(): () => TradingState {
  let told: TradingState = "active";
  process.on("message", (message) => {
    if (isFilesMessage(message)) told = message.switchFiles;
  });
  return () => told;
}

/** Opens the switches: pages also know the files of the servers that trade, under another account too. */
async function openSwitches(role: Role, dataDir: string, url: string, logger: Logger) {
  const say = (said: string) => logger.warn(said);
  const own = role === "web" ? toldOfFiles() : createKillSwitch(dataDir, say);
  let ofTraders: TradingState = "active";
  const switchFiles = () => strictestOf(own(), ofTraders);
  const read = async (db: Db) => {
    const { stored, files } = await readTradersState(db);
    if (role === "web") ofTraders = files;
    return stored;
  };
  const { tradingState, close } = await openSwitch(url, switchFiles, { say, read });
  return { shown: { switchFiles, tradingState }, close };
}

/**
 * Returns the requests a second that the process sends to each real network's nodes, at least one; trading may send all
 * but what the other processes tell that they have sent.
 */
const requestsOf = (role: Role, { roles, rpcRequestsPerSecond }: ServerConfig): number =>
  role === "trading" || roles.length === 1
    ? rpcRequestsPerSecond
    : Math.max(1, Math.floor(rpcRequestsPerSecond * PAGES_SHARE));

/** Tells the parent, which passes it on to trading. */
const tellParent = (message: AskedMessage): void => {
  if (process.connected) process.send?.(message);
};

/** Connects to the signer and counts what it, and pages, asked of the nodes among this process's own requests. */
async function openKeys(
  socket: SignerSocket,
  networks: () => Networks | undefined,
): Promise<RemoteSigner> {
  const hear = (asked: AskedNodes, by: Asker) => spendAsked(networks() ?? [], asked, by);
  process.on("message", (message) => {
    if (isAskedMessage(message)) hear(message.asked, "pages");
  });
  return openRemoteSigner(openSignerChannel(socket), { onAsked: (asked) => hear(asked, "signer") });
}

/** Returns what hears of leftovers on trading keys. */
const sayLeftover =
  (logger: Logger): OpenNetworksDeps["onLeftover"] =>
  ({ vault }, { mint }, amount) =>
    logger.error({ vault, mint, amount: amount.toString() }, "trading key was not empty: swept");

/** Returns the live prices; undefined where no network goes by them. */
const openEnabledPrices = async (
  { networks }: ServerConfig,
  { main, notifier: hints }: Store,
  onFailure: (error: unknown) => void,
) => (hasLivePrices(networks) ? openLivePrices({ db: main.db, hints, onFailure }) : undefined);

/** Agents of which web remembers what an only node told: it is stored with the lanes, which are trading's. */
const MAX_TOLD = 10_000;

async function openProcess(
  role: Role,
  config: ServerConfig,
  socket: SignerSocket,
): Promise<Omit<OpenedProcess, "noticeKeys">> {
  const logger = createLogger(config.logLevel);
  const onFailure = (error: unknown) => logger.warn({ err: error }, "background work failed");
  const prices = createPracticeMarket();
  const store = await openStore(config.databaseUrl, role, onFailure);
  try {
    const { clock, difference } = await openClock(store.main.db, logger);
    const switches = await openSwitches(role, config.dataDir, store.url, logger);
    let opened: Networks | undefined;
    const keys = await openKeys(socket, () => opened);
    const livePrices = await openEnabledPrices(config, store, onFailure);
    const networks = (opened = await openNetworks({
      config: { ...config, rpcRequestsPerSecond: requestsOf(role, config) },
      store,
      keys,
      clock,
      prices,
      livePrices,
      onLeftover: sayLeftover(logger),
      ...(role === "web" && { onAsked: tellAsked(tellParent) }),
      onNodeTrouble: logNodeTrouble(logger),
      // Said once for all processes of this server
      onUnreachable: (network) => role === config.roles[0] && sayUnreachable(logger, network),
    }));
    return {
      config,
      logger,
      store,
      keys,
      prices,
      clockDifference: difference,
      onFailure,
      shared: {
        db: store.main.db,
        clock,
        random: poolRandom(randomBytes),
        networks,
        publisher: createStalePublisher(store.notifier),
        publicUrl: new URL(config.publicUrl),
        ...switches.shown,
        ...(role === "web" && { toldByNode: createRecent(MAX_TOLD) }),
      },
      async close() {
        await livePrices?.stop();
        await clock.stop();
        await switches.close();
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Runs a role's process: opens what it needs, tells the parent when it works, and stops in order on a signal. */
export function runProcess(
  role: Role,
  createWork: (opened: OpenedProcess) => ProcessWork | Promise<ProcessWork>,
): void {
  // Killed immediately, as if this process itself had been killed
  process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
  const heard = hearOpened();
  answerBeats();
  const run = async () => {
    const { databaseUrl, sockets, noticeKeys } = await heard;
    const [socket] = sockets;
    if (socket === undefined || noticeKeys === undefined)
      throw new Error("This process is started by the server's main one");
    if (role === "web") closeDoors([socket.path, ...databaseSockets(databaseUrl)]);
    const env = { ...process.env, DATABASE_URL: databaseUrl };
    const opened = { ...(await openProcess(role, loadServerConfig(env), socket)), noticeKeys };
    const work = await createWork(opened);
    const stop = async () => {
      await work.stop();
      await opened.close();
    };
    const delay = 15_000 + opened.config.drainSeconds * 1_000;
    closeWithGrace({ delay, logger: false }, async ({ err, signal }) => {
      if (err !== undefined) opened.logger.fatal({ err }, "stopping after an unexpected error");
      // A person at a terminal sends SIGINT and does not wait
      if (signal === "SIGTERM") await work.drain?.();
      await stop();
    });
    await work.start().catch(async (error: unknown) => {
      await stop();
      throw error;
    });
    process.send?.({ up: true } satisfies UpMessage);
  };
  run().catch((error: unknown) => {
    if (isDatabaseUnavailable(error)) process.exit(LOST_DATABASE);
    const text = error instanceof ConfigError ? error.message : (error as Error).stack;
    process.stderr.write(`${text ?? String(error)}\n`);
    // The channel to the parent would keep this process alive
    process.exit(1);
  });
}

/** Bytes requested from the system at once: the call costs ten times as much as copying a few bytes. */
const POOL_BYTES = 4_096;

/** Returns a generator of random bytes from a prefetched pool; no byte is returned twice or kept after use. */
export function poolRandom(fetch: (length: number) => Uint8Array): (length: number) => Uint8Array {
  let pool = new Uint8Array(0);
  let used = 0;
  return (length) => {
    if (length > POOL_BYTES) return fetch(length);
    if (used + length > pool.length) {
      pool = Uint8Array.from(fetch(POOL_BYTES));
      used = 0;
    }
    const given = pool.slice(used, used + length);
    pool.fill(0, used, used + length);
    used += length;
    return given;
  };
}

/** Opens the clock of a process, which follows the database's, and returns how far the machine's own is from it too. */
async function openClock(db: Db, logger: Logger) {
  const difference = createClockDifference((seconds) =>
    logger.warn(
      { machineAheadSeconds: seconds },
      "this machine's clock differs from the database's, by which everything goes; docs/operating.md, Clocks",
    ),
  );
  const clock = createSteadyClock({
    async read() {
      const reading = await readTime(db);
      difference.note(Date.now(), Math.max(reading.shownMs, reading.latestMs));
      return reading;
    },
    monotonicMs: () => performance.now(),
    onBehind: (behindMs) =>
      logger.error(
        { behindSeconds: Math.round(behindMs / 1_000) },
        "the database's clock is behind the time it showed before: going by the later one; docs/operating.md, Clocks",
      ),
  });
  await clock.sync();
  clock.start();
  return { clock, difference };
}

/** Maximum number of logged causes; a longer chain is cut. */
const MAX_CAUSES = 5;

/** Logged fields of an error. Other properties are omitted, because drivers attach whole connections and requests. */
interface ErrorRecord {
  readonly type: string;
  readonly message: string;
  readonly code?: string | number;
  readonly stack?: string;
  readonly cause?: ErrorRecord;
}

/** Returns the logged fields of a thrown value: type, message, code, stack and causes. */
function errorRecord(thrown: unknown, depth = 0): ErrorRecord {
  if (!(thrown instanceof Error)) return { type: typeof thrown, message: String(thrown) };
  const { message, stack, cause } = thrown;
  const code: unknown = Reflect.get(thrown, "code");
  const hasCause = cause !== undefined && cause !== null && depth < MAX_CAUSES;
  return {
    type: thrown.constructor.name,
    message,
    ...((typeof code === "string" || typeof code === "number") && { code }),
    ...(stack !== undefined && { stack }),
    ...(hasCause && { cause: errorRecord(cause, depth + 1) }),
  };
}

/** Field names that are never logged, in any object. */
const REDACTED = [
  "*.token",
  "*.signature",
  "*.authorization",
  "*.cookie",
  "*.secret",
  "req.headers",
];

/** Creates the server's logger: one JSON line per message, to standard output unless a destination is given. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = { level, redact: REDACTED, serializers: { err: errorRecord } };
  return destination === undefined ? pino(options) : pino(options, destination);
}
