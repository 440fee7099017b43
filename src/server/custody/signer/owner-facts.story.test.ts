import type { Address, Instruction } from "@solana/kit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { signFact } from "../../../../test/signed-fact.ts";
import { createTradingWorld, type TradingWorld } from "../../../../test/trading-world.ts";
import { encodeBase58 } from "../../../domain/base58.ts";
import type { Approved, OrderIntent } from "../../../domain/order/order.ts";
import { ChainUnavailableError } from "../../../solana/chain.ts";
import { keypairFromSeed } from "../../../solana/encoding/keys.ts";
import { findMarket } from "../../../venues/profiles.ts";
import type { VenueAccount } from "../../../venues/venue.ts";
import { findAgent } from "../../store/agents/agents.ts";
import { insertSignedFact, type PinningText, storedTerms } from "../../store/agents/owner-facts.ts";
import { findCustodyAgent } from "../../store/custody/multisigs.ts";
import { toVenueAccount } from "../account/venue-account.ts";
import { signEd25519 } from "./create-trading-key-signer.ts";

let world: TradingWorld;
let account: VenueAccount;

beforeEach(async () => {
  world = await createTradingWorld("drift");
  const agent = await findCustodyAgent(world.database.db, world.agentId);
  const found = agent === null ? null : toVenueAccount(agent);
  if (found === null) throw new Error("No custody");
  account = found;
});

afterEach(() => world.database.drop());

const run = (text: string, values: unknown[] = []) => world.database.pool.query(text, values);

/** Returns an order as the venue builds it, approved by nobody. */
async function build(marketId: string, changes: object = {}): Promise<readonly Instruction[]> {
  const venue = world.deps.networks.get("practice")?.venues.get("drift");
  const market = findMarket("drift", marketId);
  if (venue === undefined || market === undefined) throw new Error("No market");
  const { price } = await venue.price(marketId);
  const { instructions } = await venue.buildOrder(account, {
    orderId: "order",
    agentId: world.agentId,
    signal: "OPEN_LONG",
    market,
    side: "long",
    reduceOnly: false,
    baseSize: market.marketId === "SOL-PERP" ? 1_000_000_000n : 100_000n,
    referencePrice: price,
    slippageBps: 50,
    percentage: 100,
    ...changes,
  } as unknown as Approved<OrderIntent>);
  return instructions;
}

async function sign(instructions: readonly Instruction[]) {
  const lifetime = await world.chain.latestBlockhash();
  const { agentId } = world;
  return world.deps.signer.sign({
    agentId,
    purpose: "order",
    isUrgent: false,
    instructions,
    lifetime,
  });
}

const enter = async (marketId = "SOL-PERP", changes = {}) => sign(await build(marketId, changes));

const leave = async () => sign(await build("SOL-PERP", { side: "short", reduceOnly: true }));

const owner = () => ({
  address: world.owner.address,
  sign: (text: string) => encodeBase58(signEd25519(Buffer.from(text), world.owner.seed)),
});

/** Has a wallet sign the agent's terms as they are in its row, with these changes. */
async function signed(
  changes: Partial<PinningText> & { readonly terms?: object } = {},
  by: Parameters<typeof signFact>[0] = owner(),
) {
  const agent = await findAgent(world.database.db, world.agentId);
  if (agent === null) throw new Error("No agent");
  const { terms, ...parts } = changes;
  const pinned = { ...storedTerms(agent), autoTrade: "on" as const, ...terms };
  const issuedAt = world.clock.now();
  return signFact(by, { issuedAt, nonce: crypto.randomUUID(), pinned, ...parts });
}

async function append(fact: Awaited<ReturnType<typeof signed>>): Promise<void> {
  await insertSignedFact(world.database.db, fact, world.clock.now());
}

const otherKey = (): Address =>
  world.keys.tradingKeyAfter(world.agentId, account.tradingKey).address;

describe("rows that somebody wrote into the database", () => {
  it.each<[string, () => Promise<unknown>, string?]>([
    ["slippage", () => run("update agents set slippage_bps = 500")],
    ["market", () => run("update agents set market_id = 'BTC-PERP'"), "BTC-PERP"],
    ["interval", () => run("update agents set interval = '1m'")],
    ["position size", () => run("update agents set position_size_percent = 100")],
    ["age of alerts", () => run("update agents set max_signal_age_seconds = 300")],
    [
      'limit "trades a day"',
      () => run(`update agents set owner_limits = '{"dayLossBps": 200, "tradesPerDay": 9}'`),
    ],
    ['limit "largest loss a day"', () => run("update agents set owner_limits = '{}'")],
    ["trading key", () => run("update multisigs set delegate = $1", [otherKey()])],
  ])("open nothing beyond the signed %s, and exits go on", async (what, write, marketId) => {
    await run(`update agents set owner_limits = '{"dayLossBps": 200, "tradesPerDay": 5}',
      position_size_percent = 50, max_signal_age_seconds = 60`);
    await append(await signed());
    await expect(enter()).resolves.toBeDefined();
    const [key] = (await run("select delegate from multisigs")).rows;
    await write();
    const [next] = (await run("select delegate from multisigs")).rows;
    account = { ...account, tradingKey: next.delegate };
    await expect(enter(marketId)).rejects.toThrow(
      `the agent only reduces: the owner has not signed its ${what}`,
    );
    account = { ...account, tradingKey: key.delegate };
    await run("update multisigs set delegate = $1", [key.delegate]);
    await expect(leave()).resolves.toBeDefined();
  });

  it("do not turn an agent on that was turned off, not even with the facts gone", async () => {
    await append(await signed());
    await expect(enter()).resolves.toBeDefined();
    await run("update agents set auto_trade = 'off'");
    await expect(enter()).rejects.toThrow("the agent only reduces");
    await run("update agents set auto_trade = 'on'");
    const unsigned = "the agent only reduces: its owner has not signed its auto-trade";
    await expect(enter()).rejects.toThrow(unsigned);
    await run("delete from owner_facts");
    await expect(enter()).rejects.toThrow(unsigned);
    await expect(leave()).resolves.toBeDefined();
    world.clock.advance(1);
    await append(await signed());
    await expect(enter()).resolves.toBeDefined();
  });

  it("do not turn on an agent whose owner signed nothing", async () => {
    await run("delete from signer.held_terms");
    await expect(enter()).rejects.toThrow("the agent only reduces: its owner has signed nothing");
    await expect(leave()).resolves.toBeDefined();
  });

  it("do not bring a withdrawn key back", async () => {
    await run("update multisigs set key_revoked_at = now()");
    await expect(enter()).rejects.toThrow("Nothing is signed");
    await run("update multisigs set key_revoked_at = null");
    await expect(enter()).rejects.toThrow("Nothing is signed");
    await run("delete from owner_facts");
    await expect(leave()).rejects.toThrow("Nothing is signed");
  });

  it("do not loosen by going back to an older text", async () => {
    await run("update agents set slippage_bps = 300");
    const wide = await signed();
    await append(wide);
    await expect(enter("SOL-PERP", { slippageBps: 300 })).resolves.toBeDefined();
    await run("update agents set slippage_bps = 50");
    world.clock.advance(1);
    await append(await signed());
    await expect(enter()).resolves.toBeDefined();
    await run("update agents set slippage_bps = 300");
    await run("delete from owner_facts");
    await append(wide);
    await expect(enter()).rejects.toThrow(
      "the owner has not signed its slippage; the newest text is not newer than the one in force",
    );
    await expect(leave()).resolves.toBeDefined();
  });

  it("do not hide that the agent was turned off behind many texts", async () => {
    await append(await signed());
    await expect(enter()).resolves.toBeDefined();
    await run(`insert into owner_facts (agent_id, kind, at, nonce, wallet, text, signature, parts)
      select agent_id, 'signed', at, nonce || n, wallet, text, signature, parts
      from owner_facts, generate_series(1, 700) as n`);
    await run("update agents set auto_trade = 'off'");
    await run("update agents set auto_trade = 'on'");
    await expect(enter()).rejects.toThrow("what its owner signed is still being judged");
    await expect(leave()).resolves.toBeDefined();
    await expect(enter()).rejects.toThrow("its owner has not signed its auto-trade");
  });

  it("are believed where they tighten", async () => {
    await append(await signed({ terms: { slippageBps: 500 } }));
    await expect(enter("SOL-PERP", { slippageBps: 300 })).rejects.toThrow("too far");
  });
});

describe("a text that nobody may use", () => {
  const thief = keypairFromSeed(new Uint8Array(32).fill(9));

  it.each<[string, () => Promise<Awaited<ReturnType<typeof signed>>>]>([
    ["is of another host", () => signed({ host: "evil.test" })],
    ["is of another agent", () => signed({ terms: { agentId: "f".repeat(32) } })],
    [
      "is not signed by the multisig's owner",
      () =>
        signed(
          {},
          {
            address: thief.address as never,
            sign: (text) => encodeBase58(signEd25519(Buffer.from(text), thief.seed)),
          },
        ),
    ],
    ["is from the future", async () => signed({ issuedAt: world.clock.now() + 61_000 })],
    [
      "is not what the wallet signed",
      async () => {
        const fact = await signed();
        return { ...fact, text: fact.text.replace("Auto-trade: on", "Auto-trade: On") };
      },
    ],
  ])("%s: nothing is opened, and exits go on", async (why, make) => {
    await run("update agents set slippage_bps = 500");
    const fact = await make();
    await insertSignedFact(
      world.database.db,
      {
        ...fact,
        parts: { ...fact.parts, pinned: { ...fact.parts.pinned, agentId: world.agentId } },
      },
      0,
    );
    if (why === "is of another agent") {
      await run("update owner_facts set parts = jsonb_set(parts, '{pinned,agentId}', $1)", [
        JSON.stringify("f".repeat(32)),
      ]);
    }
    await expect(enter()).rejects.toThrow(
      `the agent only reduces: the owner has not signed its slippage; the newest text ${why}`,
    );
    await expect(leave()).resolves.toBeDefined();
  });

  it("is of another network: it opens nothing on this one", async () => {
    await append(await signed({ terms: { network: "devnet" } }));
    await expect(enter()).rejects.toThrow("the owner has not signed its network");
    await expect(leave()).resolves.toBeDefined();
  });

  it("is judged once the chain can be asked for the multisig's owner", async () => {
    await run("update agents set slippage_bps = 300");
    await append(await signed());
    const order = await build("SOL-PERP", { slippageBps: 300 });
    world.faulty.setDown(true);
    await expect(sign(order)).rejects.toThrow(ChainUnavailableError);
    world.faulty.setDown(false);
    await expect(sign(order)).resolves.toBeDefined();
  });
});
