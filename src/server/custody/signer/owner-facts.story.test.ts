import type { Address, Instruction } from "@solana/kit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { TEST_HOST } from "../../../../test/inherit-terms.ts";
import { practiceRules } from "../../../../test/practice-venues.ts";
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
import { createTradingKeySigner, signEd25519 } from "./create-trading-key-signer.ts";
import { createSigningAgents } from "./read-signing-agent.ts";
import { createSigningLedger } from "./signing-ledger.ts";

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

/** Repeats the newest fact as a version without a bound kept it, with texts of that many bytes. */
async function repeatFact(times: number, bytes?: number): Promise<void> {
  await run("alter table owner_facts disable trigger user");
  await run("alter table owner_facts drop constraint owner_facts_length");
  const text = bytes === undefined ? "text" : `repeat('x', ${bytes})`;
  await run(`insert into owner_facts (agent_id, kind, at, nonce, wallet, text, signature, parts, bytes)
    select agent_id, 'signed', at, nonce || n, wallet, ${text}, signature, parts, ${bytes ?? "bytes"}
    from owner_facts, generate_series(1, ${times}) as n`);
  await run("alter table owner_facts enable trigger user");
}

/** Returns a signer that reads the multisig's owner by this. */
const createSigner = (readAccount: () => Promise<never>) =>
  createTradingKeySigner({
    keys: world.keys,
    ledger: createSigningLedger({ pool: world.database.as("signer").pool, clock: world.clock }),
    agents: createSigningAgents({
      pool: world.database.as("signer").pool,
      rulesOf: practiceRules(world.faulty, world.prices, world.clock),
      tradingState: () => "active",
      keys: world.keys,
      clock: world.clock,
      host: TEST_HOST,
      readAccount,
    }),
  });

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
    await repeatFact(700);
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

describe("facts without a bound", () => {
  const insertAsWeb = (columns: object) =>
    world.database
      .as("web")
      .pool.query(
        `insert into owner_facts (${Object.keys(columns).join()})
        values (${Object.keys(columns)
          .map((_, at) => `$${at + 1}`)
          .join()})`,
        Object.values(columns),
      )
      .then(
        () => "kept",
        ({ code }: { code: string }) => code,
      );

  const columnsOf = async (changes: object = {}) => {
    const fact = await signed();
    const { nonce } = fact.parts;
    const parts = JSON.stringify(fact.parts);
    const { kind, at, wallet, text, signature } = fact;
    const agent_id = world.agentId;
    return { agent_id, kind, at, nonce, wallet, text, signature, parts, ...changes };
  };

  it("are refused by length, and beyond a hundred a day", async () => {
    const long = "x".repeat(100_000);
    expect(await insertAsWeb(await columnsOf({ text: long }))).toBe("23514");
    expect(await insertAsWeb(await columnsOf({ parts: JSON.stringify({ long }) }))).toBe("23514");
    expect(await insertAsWeb(await columnsOf({ wallet: long }))).toBe("23514");
    for (let n = 0; n < 100; n += 1) expect(await insertAsWeb(await columnsOf())).toBe("kept");
    expect(await insertAsWeb(await columnsOf())).toBe("54000");
    for (const on of ["on", "off", "on", "off", "on", "off"]) {
      await world.database.as("web").pool.query("update agents set auto_trade = $1", [on]);
    }
    const { rows } = await run("select count(*)::int as n from owner_facts where kind = 'off'");
    expect(rows).toEqual([{ n: 1 }]);
    await run("update owner_facts set appended_at = appended_at - interval '1 day'");
    expect(await insertAsWeb(await columnsOf())).toBe("kept");
  });

  it("that an earlier version took keep no exit waiting, and are judged without being read", async () => {
    await append(await signed());
    await expect(enter()).resolves.toBeDefined();
    await repeatFact(40, 4_000_000);
    const begun = performance.now();
    await expect(leave()).resolves.toBeDefined();
    expect(performance.now() - begun).toBeLessThan(3_000);
    await expect(enter()).resolves.toBeDefined();
    const { rows } = await run("select refused from signer.held_terms");
    expect(rows).toEqual([{ refused: "is too long to be read" }]);
  });

  it.each(["fails", "never answers"])(
    "keep no exit waiting while the judging of one %s",
    async (how) => {
      await append(await signed());
      let answer = (): void => {};
      const isAsked = new Promise<void>((resolve) => (answer = resolve));
      const wait = async () => {
        answer();
        if (how === "fails") throw new ChainUnavailableError("No node answered");
        return new Promise<never>(() => {});
      };
      const signer = createSigner(wait);
      const lifetime = await world.chain.latestBlockhash();
      const ask = (isUrgent: boolean, instructions: readonly Instruction[]) =>
        signer.sign({ agentId: world.agentId, purpose: "order", isUrgent, instructions, lifetime });
      const exit = await build("SOL-PERP", { side: "short", reduceOnly: true });
      await expect(ask(true, exit)).resolves.toBeDefined();
      await isAsked;
      await expect(ask(false, await build("SOL-PERP"))).rejects.toThrow(ChainUnavailableError);
    },
  );
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
