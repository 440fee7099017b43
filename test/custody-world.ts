import { randomBytes } from "node:crypto";
import { address as addressOfText, type Address } from "@solana/kit";
import { ownerKey, type OwnerKey } from "./ids.ts";
import { type AgentId, parseAgentId } from "../src/domain/ids.ts";
import { createMemoryLedger } from "./memory-ledger.ts";
import { createPracticeLedger } from "../src/server/store/practice/practice-ledger.ts";
import {
  createPracticeChain,
  type PracticeChain,
  type PracticeChainOptions,
} from "../src/practice/practice-chain.ts";
import { PRACTICE_LOOKUP_TABLE } from "../src/practice/practice-table.ts";
import type { PriceSource } from "../src/practice/price-source.ts";
import { createCustody, type Custody } from "../src/server/custody/custody.ts";
import { createCustodyKeys, type CustodyKeys } from "../src/server/custody/account/custody-keys.ts";
import { verifyEd25519 } from "../src/server/crypto/verify-ed25519.ts";
import type { NetworkRuntime, Networks } from "../src/server/networks.ts";
import { newId, type RandomBytes } from "../src/server/crypto/new-id.ts";
import { findCustodyAgent } from "../src/server/store/custody/multisigs.ts";
import type { Network } from "../src/domain/network.ts";
import type { CustodyIntent } from "../src/domain/custody-intent.ts";
import type { StaleNotice } from "../src/contract/events.ts";
import type { Chain } from "../src/solana/chain.ts";
import { type Keypair, keypairFromSeed } from "../src/solana/encoding/keys.ts";
import { associatedTokenAddress } from "../src/solana/programs/associated-token.ts";
import { tokenAccountCodec, USDC_MINT } from "../src/solana/programs/token.ts";
import { signatureOf, signTransaction } from "../src/solana/signing.ts";
import { marketOn, practiceVenues } from "./practice-venues.ts";
import type { VenueId } from "../src/domain/venue-id.ts";
import { STORY_AUCTION_SLOTS } from "./auctions.ts";
import { createTestClock, type TestClock } from "./clock.ts";
import { countingLedger, type CountingLedger } from "./counting-ledger.ts";
import type { TestDatabase } from "./database.ts";
import { changeExchange } from "./practice-operator.ts";

export const SOL = 1_000_000_000n;
export const USDC = 1_000_000n;

/** Initial price of every asset, quote units with six decimals. */
const START_PRICE = 155_000_000n;

type Prepared = NonNullable<Awaited<ReturnType<Custody["prepare"]>>>;

/** World of one owner and agent on the practice chain and a real database; servers can be killed and restarted. */
export interface CustodyWorld {
  readonly database: TestDatabase;
  readonly clock: TestClock;
  readonly ledger: CountingLedger;
  readonly chain: PracticeChain;
  readonly networks: Networks;
  readonly secret: Uint8Array;
  readonly keys: CustodyKeys;
  readonly owner: OwnerKey<Keypair>;
  readonly agentId: AgentId;
  readonly notices: StaleNotice[];
  readonly prices: PriceSource;
  /** Sets the price of every asset. */
  setPrice(next: bigint): void;
  /** Publishes no price from now on, or prices again. */
  holdPrices(isHeld: boolean): void;
  /** Current server. */
  readonly custody: Custody;
  /** Kills the server and starts another on the same database and ledger. */
  restart(): Promise<void>;
  /** Returns a server on a wrapped chain, for outages, and with what else its network has. */
  serverOn(wrap: (chain: Chain) => Chain, more?: Partial<NetworkRuntime>): Custody;
  addAgent(owner: Address): Promise<AgentId>;
  prepare(intent: CustodyIntent, amount?: string): Promise<Prepared>;
  /** Signs the prepared bytes as the wallet does. */
  sign(prepared: Prepared): Uint8Array;
  /** Signs and submits a transaction as its method requires; returns the followed transaction. */
  approve(prepared: Prepared): ReturnType<Custody["acceptSent"]>;
  /** Executes every transaction of the set-up. */
  setUp(): Promise<void>;
  lamports(address: Address): Promise<bigint>;
  quote(owner: Address): Promise<bigint>;
  agent(): Promise<NonNullable<Awaited<ReturnType<typeof findCustodyAgent>>>>;
}

/** Adds an agent without custody, its chat and its lane; returns its id. */
export async function insertAgent(
  db: TestDatabase["db"],
  random: RandomBytes,
  {
    owner,
    network = "practice",
    venue,
    nowMs,
  }: {
    readonly owner: Address;
    readonly network?: Network;
    readonly venue: VenueId;
    readonly nowMs: number;
  },
): Promise<AgentId> {
  const chatId = newId(random);
  const agentId = parseAgentId(newId(random));
  const at = new Date(nowMs);
  await db
    .insertInto("chats")
    .values({ id: chatId, owner, title: "Chat", created_at: at, updated_at: at })
    .execute();
  await db
    .insertInto("agents")
    .values({
      id: agentId,
      chat_id: chatId,
      owner,
      network,
      venue,
      name: `Agent ** SOL-PERP-1h ${agentId.slice(0, 4)}`,
      name_key: agentId,
      market_id: marketOn(venue),
      interval: "1h",
      slippage_bps: 50,
      created_at: at,
      updated_at: at,
    })
    .execute();
  await db.insertInto("lanes").values({ agent_id: agentId }).execute();
  return agentId;
}

export async function createCustodyWorld(
  database: TestDatabase,
  options: Pick<PracticeChainOptions, "landsFailures"> & {
    readonly lamports?: bigint;
    readonly quoteUnits?: bigint;
    /** Venue of every agent; the agent trades its first market. */
    readonly venue?: VenueId;
    /** Keeps the practice chain in the database as the product does; absent keeps it in memory. */
    readonly storesChain?: true;
    /** Uses the practice chain's lookup table; absent writes out every address. */
    readonly hasLookupTable?: true;
    /** Network the server takes the chain for; the practice network unless said. */
    readonly network?: Network;
    /** Slots of the exchange's auctions; absent: those of this run of the tests. */
    readonly auctionSlots?: number;
    /** Transaction versions of the wallet; absent uses the server's default. */
    readonly versions?: readonly ("legacy" | 0 | 1)[];
  } = {},
): Promise<CustodyWorld> {
  const { network = "practice" } = options;
  const clock = createTestClock();
  const ledger = countingLedger(
    options.storesChain ? createPracticeLedger(database.as("web").pool) : createMemoryLedger(),
  );
  const secret = randomBytes(32);
  const owner = ownerKey(keypairFromSeed(randomBytes(32)));
  const notices: StaleNotice[] = [];
  let price = START_PRICE;
  let heldAtMs: number | null = null;
  const prices = {
    label: "test market",
    quote: (_asset: string, atMs: number) => ({
      price,
      confidence: 10_000n,
      publishedAtMs: heldAtMs ?? atMs,
      postedAtMs: heldAtMs ?? atMs,
    }),
  };

  const { auctionSlots = STORY_AUCTION_SLOTS } = options;
  const startChain = async () => {
    const started = await createPracticeChain({
      ledger,
      clock,
      prices,
      verifySignature: verifyEd25519,
      ...(options.landsFailures === undefined ? {} : { landsFailures: options.landsFailures }),
    });
    if (auctionSlots !== undefined) {
      await changeExchange(started, { minPerpAuctionDuration: auctionSlots });
    }
    return started;
  };

  const networksOn = (
    practice: PracticeChain,
    chain: Chain = practice,
    more: Partial<NetworkRuntime> = {},
  ): Networks =>
    new Map([
      [
        network,
        {
          network,
          chain,
          venues: practiceVenues(chain, prices, clock),
          explorerUrl: null,
          ...(options.hasLookupTable === true ? { lookupTable: PRACTICE_LOOKUP_TABLE } : {}),
          faucet: {
            give: (wallet, lamports, quoteUnits) =>
              practice.faucet(addressOfText(wallet), { lamports, quoteUnits }),
          },
          ...more,
        },
      ],
    ]);

  const serverOf = (networks: Networks): Custody =>
    createCustody({
      db: database.as("web").db,
      networks,
      keys: createCustodyKeys(secret),
      clock,
      random: (length) => randomBytes(length),
      publisher: { publish: (_wallet, notice) => void notices.push(notice) },
    });

  const addAgent = (wallet: Address): Promise<AgentId> =>
    insertAgent(database.db, randomBytes, {
      owner: wallet,
      network,
      venue: options.venue ?? "drift",
      nowMs: clock.now(),
    });

  let chain = await startChain();
  let networks = networksOn(chain);
  let custody = serverOf(networks);
  await chain.fund(owner.address, {
    lamports: options.lamports ?? 10n * SOL,
    quoteUnits: options.quoteUnits ?? 1_000n * USDC,
  });
  const agentId = await addAgent(owner.address);

  const world: CustodyWorld = {
    database,
    clock,
    ledger,
    get chain() {
      return chain;
    },
    get networks() {
      return networks;
    },
    secret,
    keys: createCustodyKeys(secret),
    owner,
    agentId: parseAgentId(agentId),
    notices,
    prices,
    holdPrices(isHeld) {
      heldAtMs = isHeld ? clock.now() : null;
    },
    setPrice(next) {
      price = next;
    },
    get custody() {
      return custody;
    },
    async restart() {
      await custody.stop();
      chain = await startChain();
      networks = networksOn(chain);
      custody = serverOf(networks);
    },
    serverOn(wrap, more) {
      const wrapped: Chain = { ...wrap(chain), withOneNode: (work) => work(wrapped) };
      return serverOf(networksOn(chain, wrapped, more));
    },
    addAgent,
    async prepare(intent, amount) {
      const prepared = await custody.prepare({
        agentId: parseAgentId(agentId),
        intent,
        amount,
        versions: options.versions,
      });
      if (prepared === null) throw new Error("Nothing is left to sign");
      return prepared;
    },
    sign: (prepared) =>
      signTransaction(Uint8Array.from(Buffer.from(prepared.transaction, "base64")), owner),
    async approve(prepared) {
      const signed = world.sign(prepared);
      if (prepared.method === "sign") return custody.acceptSigned(prepared.id, signed);
      await chain.send(signed);
      return custody.acceptSent(prepared.id, signatureOf(signed));
    },
    async setUp() {
      await world.approve(await world.prepare("set-up"));
      if (options.versions?.includes(1) === true) return;
      await world.approve(await world.prepare("set-up"));
    },
    async lamports(address) {
      const { accounts } = await chain.accounts([address]);
      return accounts[0]?.lamports ?? 0n;
    },
    async quote(wallet) {
      const { accounts } = await chain.accounts([associatedTokenAddress(wallet, USDC_MINT)]);
      const account = accounts[0] ?? null;
      return account === null ? 0n : tokenAccountCodec.decode(account.data).amount;
    },
    async agent() {
      const found = await findCustodyAgent(database.db, parseAgentId(agentId));
      if (found === null) throw new Error("The agent is gone");
      return found;
    },
  };
  return world;
}
