import { ownerKey, type OwnerKey } from "../ids.ts";
import type { AgentId } from "../../src/domain/ids.ts";
import type { VenueId } from "../../src/domain/venue-id.ts";
import { createPracticeChain, type PracticeChain } from "../../src/practice/practice-chain.ts";
import type { PracticeLedger } from "../../src/practice/ledger.ts";
import type { PriceSource } from "../../src/practice/price-source.ts";
import {
  createCustodyKeys,
  type CustodyKeys,
} from "../../src/server/custody/account/custody-keys.ts";
import { createCustody, type Custody } from "../../src/server/custody/custody.ts";
import type { Networks } from "../../src/server/networks.ts";
import type { OpenDatabase } from "../../src/server/store/postgres/pool.ts";
import { verifyEd25519 } from "../../src/server/crypto/verify-ed25519.ts";
import type { Chain } from "../../src/solana/chain.ts";
import { type Keypair, keypairFromSeed } from "../../src/solana/encoding/keys.ts";
import { signatureOf, signTransaction } from "../../src/solana/signing.ts";
import { createTestClock, type TestClock } from "../clock.ts";
import { insertAgent, SOL, USDC } from "../custody-world.ts";
import { type ChainAgent, type Landed, readAgents, toLanded } from "../judge/chain-evidence.ts";
import { practiceVenues } from "../practice-venues.ts";
import { inheritTerms } from "../inherit-terms.ts";
import { createRandom } from "../random.ts";
import { createCopyableLedger, rememberRows } from "./rewind.ts";

/** An agent with custody and a deposit. */
export interface BaseAgent {
  readonly id: AgentId;
  readonly owner: OwnerKey<Keypair>;
}

/** What every seed starts from: funded agents in a database and on a practice chain. */
export interface BaseWorld {
  readonly database: OpenDatabase;
  readonly keys: CustodyKeys;
  readonly secret: Uint8Array;
  readonly agents: readonly BaseAgent[];
  /** The agents' accounts and what landed until now, for the judge. */
  readonly accounts: readonly ChainAgent[];
  readonly landed: readonly Landed[];
  readonly startMs: number;
  /** How often the database's connection was used until now. */
  readonly uses: () => number;
  /** Brings the database back to this start. */
  rewindRows(): Promise<void>;
  /** Returns a chain's ledger at this start. */
  copyLedger(): Promise<PracticeLedger>;
}

/** Price of every asset at the start, quote units with six decimals. */
export const START_PRICE = 155_000_000n;

/** Owners and the venues of their agents: two agents share the limits of one owner. */
const OWNERS: readonly (readonly VenueId[])[] = [["drift", "drift"], ["drift"]];

export const openChain = (ledger: PracticeLedger, clock: TestClock, prices: PriceSource) =>
  createPracticeChain({ ledger, clock, prices, verifySignature: verifyEd25519 });

/** The practice network on a chain, which may be one with faults. */
export function networksOn(chain: Chain, prices: PriceSource, clock: TestClock): Networks {
  const venues = practiceVenues(chain, prices, clock);
  return new Map([["practice", { network: "practice", chain, venues, explorerUrl: null }]]);
}

/** Sets the agents up as their owners do. The database is empty and has one connection. */
export async function createBaseWorld(database: OpenDatabase): Promise<BaseWorld> {
  const random = createRandom(0);
  const secret = random.bytes(32);
  const keys = createCustodyKeys(secret);
  const clock = createTestClock();
  const prices: PriceSource = {
    label: "seeded market",
    quote: (_asset, atMs) => ({ price: START_PRICE, confidence: 10_000n, publishedAtMs: atMs }),
  };
  const ledger = createCopyableLedger();
  const chain = await openChain(ledger, clock, prices);
  const networks = networksOn(chain, prices, clock);
  const custody = createCustody({
    db: database.db,
    networks,
    keys,
    clock,
    random: (length) => random.bytes(length),
    publisher: { publish() {} },
  });
  await chain.fund(keys.feePayer.address, { lamports: SOL, quoteUnits: 0n });
  const agents: BaseAgent[] = [];
  for (const venues of OWNERS) {
    const owner = ownerKey(keypairFromSeed(random.bytes(32)));
    await chain.fund(owner.address, { lamports: 10n * SOL, quoteUnits: 5_000n * USDC });
    for (const venue of venues) {
      const id = await insertAgent(database.db, (length) => random.bytes(length), {
        owner: owner.address,
        venue,
        nowMs: clock.now(),
      });
      for (const [intent, amount] of SET_UP) {
        await approve(custody, chain, { id, owner }, intent, amount);
      }
      agents.push({ id, owner });
    }
  }
  await database.db.updateTable("agents").set({ auto_trade: "on" }).execute();
  await inheritTerms(database.db);
  clock.advance(60_000);
  let uses = 0;
  database.pool.on("acquire", () => (uses += 1));
  return {
    uses: () => uses,
    database,
    keys,
    secret,
    agents,
    accounts: await readAgents(database.pool),
    landed: ledger.records.map(toLanded),
    startMs: clock.now(),
    rewindRows: await rememberRows(database.pool),
    copyLedger: ledger.copy,
  };
}

const SET_UP = [
  ["set-up", undefined],
  ["set-up", undefined],
  ["deposit", "500"],
] as const;

/** Has an owner sign and send the next transaction of an intent. Returns false when nothing is left to sign. */
export async function approve(
  custody: Custody,
  chain: PracticeChain,
  { id: agentId, owner }: Pick<BaseAgent, "id" | "owner">,
  intent: Parameters<Custody["prepare"]>[0]["intent"],
  amount?: string,
): Promise<boolean> {
  const prepared = await custody.prepare({ agentId, intent, amount, versions: undefined });
  if (prepared === null) return false;
  const signed = signTransaction(Buffer.from(prepared.transaction, "base64"), owner);
  if (prepared.method === "sign") await custody.acceptSigned(prepared.id, signed);
  else {
    await chain.send(signed);
    await custody.acceptSent(prepared.id, signatureOf(signed));
  }
  return true;
}
