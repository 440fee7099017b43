import { type Address, type Instruction, isWritableRole } from "@solana/kit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { inheritTerms } from "../../../../test/inherit-terms.ts";
import { createTradingWorld, type TradingWorld } from "../../../../test/trading-world.ts";
import { findMarket } from "../../../venues/profiles.ts";
import type { Approved, OrderIntent } from "../../../domain/order/order.ts";
import type { VenueId } from "../../../domain/venue-id.ts";
import { readonly } from "../../../solana/encoding/instruction.ts";
import { COMPUTE_BUDGET_PROGRAM } from "../../../solana/programs/compute-budget.ts";
import { deriveUser } from "../../../venues/drift/pdas.ts";
import { DRIFT_V2_INSTANCE } from "../../../venues/drift/instance.ts";
import type { SigningPurpose } from "../../../venues/order-signing.ts";
import type { VenueAccount } from "../../../venues/venue.ts";
import { findCustodyAgent } from "../../store/custody/multisigs.ts";
import { toVenueAccount } from "../account/venue-account.ts";

const ONE = 1_000_000_000n;

let world: TradingWorld;
let account: VenueAccount;
let price: bigint;

async function open(venueId: VenueId) {
  world = await createTradingWorld(venueId);
  const agent = await findCustodyAgent(world.database.db, world.agentId);
  const found = agent === null ? null : toVenueAccount(agent);
  if (found === null) throw new Error("No custody");
  account = found;
  price = (await venue().price(marketOf(venueId).marketId)).price;
}

afterEach(() => world.database.drop());

function venue() {
  const id = account.marketId === "SOL" ? "jupiter" : "drift";
  const found = world.deps.networks.get("practice")?.venues.get(id);
  if (found === undefined) throw new Error("No venue");
  return found;
}

function marketOf(venueId: VenueId, marketId = venueId === "drift" ? "SOL-PERP" : "SOL") {
  const market = findMarket(venueId, marketId);
  if (market === undefined) throw new Error("No market");
  return market;
}

const sign = (instructions: readonly Instruction[], purpose: SigningPurpose = "order") =>
  world.chain.latestBlockhash().then((lifetime) =>
    world.deps.signer.sign({
      agentId: world.agentId,
      purpose,
      isUrgent: false,
      instructions,
      lifetime,
    }),
  );

interface Wanted {
  readonly marketId?: string;
  readonly side?: "long" | "short";
  readonly reduceOnly?: boolean;
  readonly baseSize?: bigint;
  readonly referencePrice?: bigint;
  readonly slippageBps?: number;
}

/** Returns the venue's transaction for an order that no risk check approved. */
async function build(wanted: Wanted = {}): Promise<readonly Instruction[]> {
  const { instructions } = await venue().buildOrder(account, {
    orderId: "order",
    agentId: world.agentId,
    signal: "OPEN_LONG",
    market: marketOf(venue().id, wanted.marketId),
    side: "long",
    reduceOnly: false,
    baseSize: ONE,
    referencePrice: price,
    slippageBps: 50,
    percentage: 100,
    ...wanted,
  } as unknown as Approved<OrderIntent>);
  return instructions;
}

/** Changes the agent as its owner does with a signed text. */
async function setAgent(change: {
  readonly auto_trade?: "on" | "off";
  readonly slippage_bps?: number;
  readonly market_id?: string;
}): Promise<void> {
  const { db } = world.database;
  await db.updateTable("agents").set(change).where("id", "=", world.agentId).execute();
  await inheritTerms(db);
}

describe("the signer's limits on the exchange", () => {
  beforeEach(() => open("drift"));

  it("allow the agent's order once, in its market, near the price, within the account", async () => {
    await expect(sign(await build())).resolves.toBeDefined();
    await expect(sign(await build({ side: "short" }))).resolves.toBeDefined();
    const btc = { marketId: "BTC-PERP", baseSize: ONE / 10_000n } as const;
    const btcPrice = (await venue().price("BTC-PERP")).price;
    await expect(sign(await build({ ...btc, referencePrice: btcPrice }))).rejects.toThrow(
      "not the agent's market",
    );
    const dear = (price * 102n) / 100n;
    await expect(sign(await build({ referencePrice: dear }))).rejects.toThrow("too far");
    const cheap = (price * 98n) / 100n;
    await expect(sign(await build({ side: "short", referencePrice: cheap }))).rejects.toThrow(
      "too far",
    );
    await expect(sign(await build({ slippageBps: 500 }))).rejects.toThrow("too far");
    await setAgent({ slippage_bps: 500 });
    await expect(sign(await build({ slippageBps: 500 }))).resolves.toBeDefined();
    await expect(sign(await build({ baseSize: 4n * ONE }))).rejects.toThrow(
      "larger than the account",
    );
    const order = await build();
    const only = order.filter(({ programAddress }) => programAddress !== COMPUTE_BUDGET_PROGRAM);
    await expect(sign([...only, ...only])).rejects.toThrow("more or something else");
    await expect(sign([...only, ...only, ...only, ...only, ...only, ...only])).rejects.toThrow(
      "more or something else",
    );
    for (const purpose of ["follow_up", "settlement"] as const) {
      await expect(sign(order, purpose)).rejects.toThrow("more or something else");
    }
  });

  it("allow only reductions while the agent may only reduce, at no price beyond an exit's, and nothing under a halt", async () => {
    await world.fire("long");
    await world.run();
    await setAgent({ auto_trade: "off" });
    await expect(sign(await build())).rejects.toThrow("only reduces");
    const exit = { side: "short", reduceOnly: true } as const;
    await expect(sign(await build(exit))).resolves.toBeDefined();
    await expect(sign(await build({ ...exit, slippageBps: 1_000 }))).rejects.toThrow(
      "wider than its failed attempts",
    );
    await expect(sign(await build({ ...exit, slippageBps: 1_100 }))).rejects.toThrow("too far");
    await setAgent({ auto_trade: "on" });
    world.limitTo("reducing");
    await expect(sign(await build({ baseSize: ONE / 10n }))).rejects.toThrow("only reduces");
    await expect(sign(await build(exit))).resolves.toBeDefined();
    world.limitTo("halted");
    await expect(sign(await build(exit))).rejects.toThrow("halted");
  });

  it("allow only markets and oracles as further accounts, not even another agent's read-only", async () => {
    const other = await world.addAgent(world.owner.address);
    const { vault, multisig, tradingKey } = world.keys.of(other);
    const user = deriveUser(DRIFT_V2_INSTANCE, vault, 0);
    const order = await build();
    const at = order.length - 1;
    const naming = (address: Address, place: number) =>
      order.map((each, index) => {
        if (index !== at) return each;
        const accounts = [...(each.accounts ?? [])];
        accounts.splice(place, 0, readonly(address));
        return { ...each, accounts };
      });
    const named = order[at]?.accounts ?? [];
    const count = named.length;
    const own = world.keys.of(world.agentId).tradingKey.address;
    // After the instruction's own accounts, of which the trading key is the last
    const first = named.findIndex(({ address }) => address === own) + 1;
    expect(first).toBeGreaterThan(2);
    expect(count).toBeGreaterThan(first + 1);
    for (const foreign of [
      user,
      vault,
      multisig,
      tradingKey.address,
      world.keys.of(other).createKey.address,
    ]) {
      for (let place = first; place <= count; place += 1) {
        await expect(sign(naming(foreign, place)), `${foreign} at ${place}`).rejects.toThrow(
          "Refused to sign",
        );
      }
    }
    const oracle = named.slice(first).find(({ role }) => !isWritableRole(role));
    if (oracle === undefined) throw new Error("The order shows no oracle");
    await expect(sign(naming(oracle.address, count))).resolves.toBeDefined();
  });

  it("allow nothing for an agent whose key the operator withdrew", async () => {
    const order = await build();
    await world.database.db
      .updateTable("multisigs")
      .set({ key_revoked_at: new Date(world.clock.now()) })
      .execute();
    await expect(sign(order)).rejects.toThrow("Nothing is signed");
  });
});

describe("what an honest agent's orders cost", () => {
  beforeEach(() => open("drift"));

  it("lets one with wide slippage go in and out by narrower limits, and says from when it goes on", async () => {
    await setAgent({ slippage_bps: 300 });
    await world.database.db.updateTable("agents").set({ position_size_percent: 100 }).execute();
    await inheritTerms(world.database.db);
    const begunMs = world.clock.now();
    let trips = 0;
    for (; trips < 20; trips += 1) {
      world.clock.advance(61_000);
      await world.fire("long");
      await world.run();
      if ((await world.orders()).at(-1)?.state === "denied") break;
      await world.fire("close long");
      await world.run();
    }
    expect(trips).toBeGreaterThan(12);
    expect(new Set((await world.story()).slice(0, -1))).toEqual(
      new Set(["OPEN_LONG filled", "CLOSE_LONG filled"]),
    );
    expect((await world.story()).at(-1)).toBe("OPEN_LONG denied signing_limit");
    const { rows } = await world.database.pool.query<{ until: string }>(`
      select jsonb_path_query_first(facts, '$.checks[*] ? (@.name == "signing_costs").figures.figure') #>> '{}' as until
      from decisions order by decided_at desc limit 1`);
    const until = Number(rows[0]?.until);
    // The oldest costs leave the hour first
    expect(until).toBeGreaterThan(begunMs + 3_600_000);
    expect(until).toBeLessThan(world.clock.now() + 3_600_000);
    world.clock.advance(until - world.clock.now());
    await world.fire("long");
    await world.run();
    expect((await world.orders()).at(-1)?.state).toBe("filled");
  });
});

describe("the signer's limits on the swap venue", () => {
  beforeEach(() => open("jupiter"));

  it("allow one swap of what it draws, in the agent's asset, near the price, and only sales where the agent reduces", async () => {
    const order = await build();
    await expect(sign(order)).resolves.toBeDefined();
    for (const purpose of ["follow_up", "settlement"] as const) {
      await expect(sign(order, purpose)).rejects.toThrow("nothing rests");
    }
    const [swap, draw] = [order.at(-1), order.at(-2)];
    if (swap === undefined || draw === undefined) throw new Error("No order");
    await expect(sign([draw, swap, draw, swap])).rejects.toThrow("more or something else");
    await expect(sign([draw])).rejects.toThrow("more or something else");
    const smaller = (await build({ baseSize: ONE / 2n })).at(-2);
    await expect(sign([smaller ?? draw, swap])).rejects.toThrow("what it draws");
    await setAgent({ market_id: "BTC" });
    await expect(sign(order)).rejects.toThrow("not the agent's market");
    await setAgent({ market_id: "SOL" });
    await setAgent({ auto_trade: "off" });
    await expect(sign(order)).rejects.toThrow("only reduces");
    await setAgent({ auto_trade: "on" });
    world.setPrice((price * 98n) / 100n);
    await expect(sign(order)).rejects.toThrow("too far");
  });
});
