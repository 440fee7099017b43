import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../../domain/clock.ts";
import {
  type BuiltInNetwork,
  isBuiltIn,
  type Network,
  type RealNetwork,
} from "../../domain/network.ts";
import { createPracticeChain } from "../../practice/practice-chain.ts";
import { createKeeper } from "../../practice/programs/drift/keeper.ts";
import { PRACTICE_LOOKUP_TABLE } from "../../practice/practice-table.ts";
import type { PriceSource } from "../../practice/price-source.ts";
import {
  createPracticeSpotPrices,
  createPracticeSwapRouter,
} from "../../practice/programs/swap/practice-swap-router.ts";
import { parseAddress } from "../../solana/encoding/address-codec.ts";
import { createDriftVenue } from "../../venues/drift/drift-venue.ts";
import { otherQuoteToken } from "../../venues/drift/other-quote-token.ts";
import { DRIFT_INSTANCES } from "../../venues/drift/instance.ts";
import type { LeftoverAlarm } from "../../venues/jupiter/build-order.ts";
import { createHttpRouter } from "../../venues/jupiter/http-router.ts";
import { createJupiterVenue } from "../../venues/jupiter/jupiter-venue.ts";
import { JUPITER_PRACTICE_INSTANCE, JUPITER_INSTANCE } from "../../venues/jupiter/instance.ts";
import type { NodeTrouble } from "../../domain/agent-health.ts";
import { type Chain, ChainUnavailableError, sinceSlot } from "../../solana/chain.ts";
import { batchedReads, readPauseMs } from "../../solana/batched-reads.ts";
import { linkChain, timeLimit } from "../../solana/chain-links.ts";
import { createRequestBudget, type CallClass } from "../../solana/request-budget.ts";
import { GENESIS_HASHES, openRpcNetwork, type RpcNetwork } from "../../solana/rpc-network.ts";
import type { Venue } from "../../venues/ports.ts";
import { type ServerConfig } from "../config.ts";
import { ConfigError } from "../environment.ts";
import type { PublicKeys } from "../custody/account/custody-keys.ts";
import { getText, postJson } from "./http-client.ts";
import type { NetworkRuntime, Networks } from "../networks.ts";
import { type LivePrices, NO_BULLETIN } from "../market-data/prices/price-feed.ts";
import { createSpotPrices } from "../market-data/prices/spot-prices.ts";
import type { Store } from "./open-store.ts";
import { createPracticeLedger } from "../store/practice/practice-ledger.ts";
import { verifyEd25519 } from "../crypto/verify-ed25519.ts";

/** Longest wait for a network's first answer, in milliseconds; the others are served after it. */
const START_WAIT_MS = 10_000;

/** Balance the practice fee payer is topped up to, and the balance below which that happens at start, in lamports. */
const FEE_PAYER_LAMPORTS = 1_000_000_000_000n;
const FEE_PAYER_LOW_LAMPORTS = 100_000_000_000n;

export interface OpenNetworksDeps {
  readonly config: Pick<
    ServerConfig,
    "networks" | "rpcUrls" | "rpcRequestsPerSecond" | "lookupTables" | "priorityFee" | "swapApiKey"
  >;
  readonly store: Store;
  readonly keys: PublicKeys;
  readonly clock: Clock;
  readonly prices: PriceSource;
  /** Absent: neither paper nor mainnet is enabled. */
  readonly livePrices: LivePrices | undefined;
  readonly onLeftover: LeftoverAlarm;
  /** Called when a real network did not answer at the start. */
  readonly onUnreachable: (network: Network) => void;
  /** Called with each request to a node of a network. */
  readonly onAsked?: (network: RealNetwork) => void;
  /** Called when a node of a network fails, and with `null` when it recovers. */
  readonly onNodeTrouble?: (at: object, trouble: NodeTrouble | null) => void;
}

const sleepUntil = (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal });

const surroundings = (clock: Clock) => ({
  get: getText,
  sleep: (ms: number) => sleep(ms),
  clock,
});

async function openBuiltIn(
  network: BuiltInNetwork,
  deps: OpenNetworksDeps,
): Promise<NetworkRuntime> {
  const { store, keys, clock, livePrices, onLeftover } = deps;
  const prices = network === "paper" ? livePrices : deps.prices;
  if (prices === undefined) throw new Error(`${network} was opened without prices`);
  const ledger = createPracticeLedger(store.main.pool, network);
  const chain = await createPracticeChain({
    network,
    ledger,
    clock,
    prices,
    verifySignature: verifyEd25519,
  });
  const feePayer = keys.feePayer.address;
  const [account] = (await chain.accounts([feePayer])).accounts;
  if ((account?.lamports ?? 0n) < FEE_PAYER_LOW_LAMPORTS) {
    await chain.fund(feePayer, { lamports: FEE_PAYER_LAMPORTS, quoteUnits: 0n });
  }
  // One query of the ledger for all reads of a tick, as one request of a node
  const batched = linkChain(chain, batchedReads({ endOfTick: () => setImmediate() }));
  const drift = createDriftVenue({ chain: batched, instance: DRIFT_INSTANCES[network], clock });
  const jupiter = createJupiterVenue({
    chain: batched,
    router: createPracticeSwapRouter(batched),
    prices: createPracticeSpotPrices(prices, clock),
    instance: JUPITER_PRACTICE_INSTANCE,
    clock,
    onLeftover,
  });
  return {
    network,
    ...(network === "paper" && livePrices !== undefined ? { livePrices } : {}),
    ...(network === "practice" && {
      priceAt: (asset: string, atMs: number) => prices.quote(asset, atMs)?.price,
    }),
    chain: batched,
    venues: new Map([drift, jupiter].map((venue) => [venue.id, venue])),
    explorerUrl: null,
    lookupTable: PRACTICE_LOOKUP_TABLE,
    keep: createKeeper(chain, DRIFT_INSTANCES[network]),
    faucet: {
      give: (owner, lamports, quoteUnits) =>
        chain.faucet(parseAddress(owner), { lamports, quoteUnits }),
    },
  };
}

/** A network that may not answer yet. */
interface Cluster {
  readonly runtime: NetworkRuntime;
  /** Throws `ChainUnavailableError` when no node answers, `ConfigError` when the chain is not the configured one. */
  requireAnswer(): Promise<void>;
}

type ClusterDeps = Pick<OpenNetworksDeps, "config" | "clock"> & Partial<OpenNetworksDeps>;

/** Name of the setting with the addresses of a network's nodes. */
const settingOf = (network: Network): string => `RPC_URL_${network.toUpperCase()}`;

async function requireAnswerOf(network: Network, pool: RpcNetwork): Promise<void> {
  try {
    const { chain } = pool.forCalls("exit");
    const limit = timeLimit(network, { owner: START_WAIT_MS }, sleepUntil);
    await linkChain(chain, limit).genesisHash();
  } catch (error) {
    if (pool.nodes().some(({ trouble }) => trouble?.kind === "wrong_chain")) {
      throw new ConfigError(`${settingOf(network)}: serves another chain than ${network}.`);
    }
    const { cause } = error as { readonly cause?: unknown };
    throw cause instanceof ConfigError ? cause : error;
  }
}

/**
 * Makes a real network with its venues. Its chain answers nothing before it was seen once that the exchange settles in
 * the token this version knows there.
 */
function createCluster(
  network: RealNetwork,
  { config, clock, livePrices, onLeftover, onAsked, onNodeTrouble }: ClusterDeps,
): Cluster {
  const instance = DRIFT_INSTANCES[network];
  const around = surroundings(clock);
  const perSecond = config.rpcRequestsPerSecond;
  const budget = createRequestBudget({ perSecond, clock, sleep: around.sleep });
  const pool = openRpcNetwork(network, config.rpcUrls[network], {
    genesisHash: GENESIS_HASHES[network],
    clock,
    post(...request) {
      onAsked?.(network);
      return postJson(...request);
    },
    sleep: around.sleep,
    async check(chain) {
      const difference = await otherQuoteToken(chain, instance);
      if (difference === null) return;
      const cause = new ConfigError(`${settingOf(network)}: ${difference}`);
      throw new ChainUnavailableError(cause.message, { cause });
    },
    sharing: {
      budget,
      endOfTick: () => setImmediate(),
      pause: (reads) => sleep(readPauseMs(perSecond, reads)),
      wait: sleepUntil,
    },
    ...(onNodeTrouble === undefined
      ? {}
      : { onTrouble: (node, trouble) => onNodeTrouble({ network, node }, trouble) }),
  });
  const jupiter = {
    router: createHttpRouter(around, { apiKey: config.swapApiKey }),
    prices: createSpotPrices(livePrices ?? { bulletin: () => NO_BULLETIN }, clock),
    instance: JUPITER_INSTANCE,
    clock,
    ...(onLeftover === undefined ? {} : { onLeftover }),
  };
  const venuesOn = (view: Chain): readonly Venue[] => [
    createDriftVenue({ chain: view, instance, clock }),
    ...(network === "mainnet" ? [createJupiterVenue({ chain: view, ...jupiter })] : []),
  ];
  const table = config.lookupTables[network];
  const cluster = network === "devnet" ? "?cluster=devnet" : "";
  const runtime = {
    network,
    priorityFee: config.priorityFee,
    requestsPerSecond: perSecond,
    spent: budget.spent,
    ...(table === undefined ? {} : { lookupTable: parseAddress(table) }),
    ...(network === "mainnet" && livePrices !== undefined ? { livePrices } : {}),
    explorerUrl: `https://explorer.solana.com/tx/{signature}${cluster}`,
  };
  return {
    runtime: withCallClasses(runtime, pool, venuesOn),
    requireAnswer: () => requireAnswerOf(network, pool),
  };
}

/**
 * Opens a real network. Throws `ConfigError` when it is not the configured one, and also when it does not answer unless
 * `onUnreachable` is there to hear of that.
 */
export async function openCluster(
  network: RealNetwork,
  deps: ClusterDeps,
): Promise<NetworkRuntime> {
  const { runtime, requireAnswer } = createCluster(network, deps);
  await requireAnswer().catch((error: unknown) => {
    if (!(error instanceof ChainUnavailableError)) throw error;
    if (deps.onUnreachable === undefined) {
      throw new ConfigError(`RPC_URL_${network.toUpperCase()}: no node answered.`);
    }
    deps.onUnreachable(network);
  });
  return runtime;
}

/** Opens every enabled network with its venues; one that does not answer works as soon as it does. */
export async function openNetworks(deps: OpenNetworksDeps): Promise<Networks> {
  const opened = await Promise.all(
    deps.config.networks.map(async (network) => {
      const open = isBuiltIn(network) ? openBuiltIn(network, deps) : openCluster(network, deps);
      return [network, await open] as const;
    }),
  );
  return new Map(opened);
}

/** Returns a network whose calls are prioritised by purpose; each purpose has its own venues on the one chain. */
export function withCallClasses(
  runtime: Omit<NetworkRuntime, keyof RpcNetwork | "venues">,
  pool: RpcNetwork,
  venuesOn: (chain: Chain) => readonly Venue[],
): NetworkRuntime {
  const { nodes, forgetAccounts } = pool;
  const made = new Map<CallClass, NetworkRuntime>();
  const inClass = (callClass: CallClass): NetworkRuntime => {
    const known = made.get(callClass);
    if (known !== undefined) return known;
    const view = pool.forCalls(callClass);
    const on = (chain: Chain): NetworkRuntime => ({
      ...runtime,
      ...view,
      chain,
      venues: new Map(venuesOn(chain).map((venue) => [venue.id, venue])),
      nodes,
      forgetAccounts,
      inClass,
      since: (slot) => on(sinceSlot(view.chain, slot)),
    });
    const network = on(view.chain);
    made.set(callClass, network);
    return network;
  };
  return inClass("owner");
}
