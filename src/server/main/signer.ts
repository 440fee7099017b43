import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../../domain/clock.ts";
import { type BuiltInNetwork, isBuiltIn, type Network } from "../../domain/network.ts";
import { createPracticeChain } from "../../practice/practice-chain.ts";
import { createPracticeMarket } from "../../practice/practice-market.ts";
import type { PriceSource } from "../../practice/price-source.ts";
import { createPracticeSpotPrices } from "../../practice/programs/swap/practice-swap-router.ts";
import { batchedReads, type Gathering, readPauseMs } from "../../solana/batched-reads.ts";
import { linkChain, timeLimit } from "../../solana/chain-links.ts";
import { GENESIS_HASHES, openRpcNetwork } from "../../solana/rpc-network.ts";
import { readTables } from "../../solana/programs/address-lookup-table.ts";
import { type Chain, ChainUnavailableError } from "../../solana/chain.ts";
import { loadLoneSigner, loadSignerConfig, type SignerConfig } from "../config.ts";
import { createCustodyKeys, type CustodyKeys } from "../custody/account/custody-keys.ts";
import type { TradingKeySigner } from "../custody/account/trading-key-signer.ts";
import { createCallAnswers, type SignerWork } from "../custody/signer/answer-calls.ts";
import {
  createTradingKeySigner,
  SIGNER_CONNECTIONS,
} from "../custody/signer/create-trading-key-signer.ts";
import { openSignerServer, SocketError } from "../custody/signer/signer-server.ts";
import { createSwitchReader } from "../custody/signer/hold-switch.ts";
import { createSigningLedger } from "../custody/signer/signing-ledger.ts";
import { createSigningAgents, type RulesOf } from "../custody/signer/read-signing-agent.ts";
import { ConfigError, ROLES } from "../environment.ts";
import { openLivePrices, runPriceBoard } from "../market-data/prices/price-feed.ts";
import { createSpotPrices } from "../market-data/prices/spot-prices.ts";
import { countAsked } from "../pacing/asked-nodes.ts";
import { getText, postJson } from "./http-client.ts";
import { createSteadyClock } from "../clock/steady-clock.ts";
import { readTime } from "../store/postgres/installation.ts";
import { findAgent } from "../store/agents/agents.ts";
import { openDatabase } from "../store/postgres/pool.ts";
import { createPracticeLedger } from "../store/practice/practice-ledger.ts";
import { verifyEd25519 } from "../crypto/verify-ed25519.ts";
import { answerBeats, hearOpened, type OpenedMessage, type UpMessage } from "./keep-process.ts";
import { createKillSwitch } from "../data-folder/kill-switch.ts";
import { readOperatorCheck } from "../data-folder/operator-key.ts";
import { openSwitch } from "./open-switch.ts";
import { loneSignerSockets, removeSignerSockets } from "./signer-sockets.ts";
import { createSigningRules } from "./signing-rules.ts";
import { PRICE_DIALECTS } from "../../venues/price-dialects.ts";

/** Longest reading of a chain for a signature, in milliseconds; whoever asked may ask again. */
const READ_MS = 8_000;

/** What this process asked of nodes and has not told yet. */
const asked = countAsked();

type Database = ReturnType<typeof openDatabase>;

interface Surroundings {
  readonly config: SignerConfig;
  readonly database: Database;
  readonly clock: Clock;
}

/** Returns the prices of a built-in network; those of paper are as a process of the server published them. */
const builtInPrices = (network: BuiltInNetwork, { database }: Surroundings): Promise<PriceSource> =>
  network === "paper"
    ? openLivePrices({ db: database.db, onFailure() {} })
    : Promise.resolve(createPracticeMarket());

/** Opens a chain of its own, so that accounts, and prices of other networks than paper, do not come from another process. */
async function openChain(
  network: Network,
  prices: PriceSource | undefined,
  { config, database, clock }: Surroundings,
  gathering: Gathering,
): Promise<{ readonly chain: Chain; readonly entries: Chain }> {
  if (isBuiltIn(network)) {
    if (prices === undefined) throw new Error(`${network} was opened without prices`);
    const ledger = createPracticeLedger(database.pool, network);
    const around = { network, ledger, clock, prices, verifySignature: verifyEd25519 };
    const chain = await createPracticeChain(around);
    return { chain, entries: chain };
  }
  const wait = (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal });
  const pool = openRpcNetwork(network, config.rpcUrls[network], {
    clock,
    genesisHash: GENESIS_HASHES[network],
    post(...request) {
      asked.add(network);
      return postJson(...request);
    },
    sleep: (ms) => sleep(ms),
    statuses: gathering,
  });
  const limit = timeLimit(network, { owner: READ_MS }, wait);
  return {
    // Exits that come at once share what they read; without a pause none waits for others
    chain: linkChain(
      pool.forCalls("exit").chain,
      limit,
      batchedReads({ endOfTick: gathering.endOfTick }),
    ),
    entries: linkChain(pool.forCalls("entry").chain, limit),
  };
}

/**
 * Asks the sources of prices for itself, the chain's own first: nothing is taken from a process that has orders signed,
 * nor from the router whose quotes are held against them.
 */
function askPrices(chain: Chain, { config, clock }: Surroundings) {
  const configured = config.priceSources.filter(({ name }) => !PRICE_DIALECTS[name].isRouter);
  const transport = { get: getText, accounts: chain.accounts };
  const { board } = runPriceBoard({ ...transport, configured, clock }, (own) => own.publish());
  return createSpotPrices({ bulletin: board.publish }, clock);
}

/** Opens a network's chain with the rules of its venues. */
async function openNetwork(network: Network, around: Surroundings) {
  const { clock } = around;
  const prices = isBuiltIn(network) ? await builtInPrices(network, around) : undefined;
  const pauseMs = readPauseMs(around.config.rpcRequestsPerSecond);
  const gathering = {
    endOfTick: () => setImmediate(),
    ...(!isBuiltIn(network) && { pause: () => sleep(pauseMs) }),
  };
  const { chain, entries } = await openChain(network, prices, around, gathering);
  const shared = linkChain(entries, batchedReads(gathering));
  // Of a node an entry's second reading follows its first, which others share: one answer must not vouch for itself
  const readings = [
    shared,
    isBuiltIn(network) ? linkChain(entries, batchedReads(gathering)) : shared,
  ] as const;
  return {
    network,
    chain,
    readings,
    rules: createSigningRules(network, {
      chain,
      entries,
      readings,
      clock,
      prices:
        prices === undefined ? askPrices(entries, around) : createPracticeSpotPrices(prices, clock),
    }),
  };
}

/** The same clock source as the server's, which itself reports when it is behind, as far as this machine's clock allows. */
const createClock = ({ db }: Database) =>
  createSteadyClock({
    read: () => readTime(db),
    monotonicMs: () => performance.now(),
    onBehind: () => {},
    machine: {
      nowMs: () => Date.now(),
      onAhead: (aheadMs) =>
        process.stderr.write(
          `The database's clock is ${Math.round(aheadMs / 1_000)} seconds ahead of this machine's, which the signer goes by: set the wrong one right (docs/operating.md, Clocks)\n`,
        ),
    },
  });

function openSigner(config: SignerConfig, keys: CustodyKeys): SignerWork {
  const database = openDatabase({
    url: config.databaseUrl,
    maxConnections: SIGNER_CONNECTIONS,
    keptConnections: 1,
    // What a signed order is stored with is durable only together with what the signer wrote before (decision 191)
    sessionSettings: "-c synchronous_commit=off",
  });
  const clock = createClock(database);
  const open = async () => {
    await clock.sync();
    const opened = await Promise.all(
      config.networks.map((network) => openNetwork(network, { config, database, clock })),
    );
    const rulesOf: RulesOf = (network, venue) =>
      opened.find((each) => each.network === network)?.rules.get(venue);
    const main = opened.find(({ network }) => network === "mainnet")?.chain;
    // Last, because earlier steps may be retried and these are started only once
    const { tradingState } = await openSwitch(
      config.databaseUrl,
      createKillSwitch(config.dataDir),
      { read: createSwitchReader(() => readOperatorCheck(config.dataDir)) },
    );
    clock.start();
    return createTradingKeySigner({
      keys,
      ledger: createSigningLedger({ pool: database.pool, clock }),
      agents: createSigningAgents({
        pool: database.pool,
        rulesOf,
        tradingState,
        keys,
        clock,
        host: new URL(config.publicUrl).hostname,
        async readAccount(network, address) {
          const [chain] = opened.find((each) => each.network === network)?.readings ?? [];
          return (await chain?.accounts([address]))?.accounts[0] ?? null;
        },
      }),
      ...(main === undefined ? {} : { readTables: (tables) => readTables(main, tables) }),
    });
  };
  let opening: Promise<TradingKeySigner> | undefined;
  const opened = () =>
    (opening ??= open().catch((cause: unknown) => {
      opening = undefined;
      throw new ChainUnavailableError("The signer could not open its chains", { cause });
    }));
  // Opened now, so that the first order does not wait for it; a failure is retried then
  opened().catch(() => {});
  return {
    sign: async (request) => (await opened()).sign(request),
    ownerOf: async (agentId) => (await findAgent(database.db, agentId))?.owner ?? null,
  };
}

/** Ends this process with one line when it cannot work. */
function fail(error: unknown): never {
  const isForUser = error instanceof ConfigError || error instanceof SocketError;
  const text = isForUser ? error.message : (error as Error).stack;
  process.stderr.write(`${text ?? String(error)}\n`);
  process.exit(1);
}

interface Opened extends OpenedMessage {
  /** Mode of the sockets' files. */
  readonly mode: number;
}

/** Returns what a signer that was started by itself listens at; its group may connect, which the servers belong to. */
function openAlone(): Opened {
  const { databaseUrl, ...signer } = loadLoneSigner(process.env);
  process.on("SIGTERM", () => process.exit(0));
  process.on("SIGINT", () => process.exit(0));
  return { databaseUrl, sockets: loneSignerSockets(signer, ROLES), mode: 0o660 };
}

/** Resolves to what the server that started this process gives it; the process ends with that server. */
async function openBelow(): Promise<Opened> {
  const heard = hearOpened();
  answerBeats();
  const opened = await heard;
  // A terminal signals every process of the group: this one ends with its parent, after all orders
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
  process.on("disconnect", () => {
    removeSignerSockets(opened.sockets);
    process.exit(0);
  });
  return { ...opened, mode: 0o600 };
}

async function run(): Promise<void> {
  const isAlone = process.send === undefined;
  const { databaseUrl, sockets, mode } = isAlone ? openAlone() : await openBelow();
  const config = loadSignerConfig({ ...process.env, DATABASE_URL: databaseUrl });
  const keys = createCustodyKeys(
    Buffer.from(config.tradingKeySecret),
    config.retiredTradingKeySecrets.map((secret) => Buffer.from(secret)),
  );
  const answers = createCallAnswers(keys, openSigner(config, keys), { takeAsked: asked.take });
  await openSignerServer(sockets, answers, mode);
  if (isAlone) process.stdout.write("The signer listens.\n");
  process.send?.({ up: true } satisfies UpMessage);
}

run().catch(fail);
