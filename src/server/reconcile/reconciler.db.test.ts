import type { Instruction } from "@solana/kit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { passAuction } from "../../../test/auctions.ts";
import { expectBooked } from "../../../test/expect-booked.ts";
import { closeByOwner } from "../../../test/open-long.ts";
import { stranger } from "../../../test/squads-bench.ts";
import { createTradingWorld, type TradingWorld } from "../../../test/trading-world.ts";
import { keeperFill } from "../../../test/twin/keeper.ts";
import { touchOften } from "../../../test/touch-often.ts";
import { derivePerpMarket, deriveSpotMarket, deriveUser } from "../../venues/drift/pdas.ts";
import { initializeUser, initializeUserStats, settlePnl } from "../../venues/drift/instructions.ts";
import { DRIFT_V2_INSTANCE } from "../../venues/drift/instance.ts";
import { signTransaction } from "../../solana/signing.ts";
import { compileTransaction } from "../../solana/transaction.ts";
import { runLane } from "../trading/lanes/lane.ts";
import { createCustodyGuard, type CustodyGuard } from "../custody/custody-guard.ts";
import { createReconciler, type Reconciler } from "./reconciler.ts";
import { changeExchange } from "../../../test/practice-operator.ts";

let world: TradingWorld;
let guard: CustodyGuard;
let reconciler: Reconciler;

const failures: unknown[] = [];

beforeEach(async () => {
  world = await createTradingWorld();
  failures.length = 0;
  const deps = { ...world.deps, keys: world.keys };
  guard = createCustodyGuard(deps);
  reconciler = createReconciler({ ...deps, guard, onFailure: (error) => failures.push(error) });
});

afterEach(async () => {
  await expectBooked(world);
  await world.database.drop();
});

const notices = async (): Promise<readonly string[]> =>
  (await world.custody.summariseAccess(world.agentId))?.notices.map(({ text }) => text) ?? [];

/** Opens a long with the trading key outside of this product; the key pays the fee. */
async function tradeElsewhere(): Promise<string> {
  const { tradingKey } = world.keys.of(world.agentId);
  await world.chain.fund(tradingKey.address, { lamports: 1_000_000_000n, quoteUnits: 0n });
  await changeExchange(world.chain, { minPerpAuctionDuration: 0 });
  await world.fire("long");
  let instructions: Parameters<typeof world.deps.signer.sign>[0]["instructions"] = [];
  const { signer } = world.deps;
  const stealing = {
    ...world.deps,
    signer: {
      ...signer,
      sign: (stolen: Parameters<typeof signer.sign>[0]) => {
        instructions = stolen.instructions;
        return Promise.reject(new Error("Stolen"));
      },
    },
  };
  await runLane(stealing, world.agentId, "thief");
  const bytes = compileTransaction({
    feePayer: tradingKey.address,
    lifetime: await world.chain.latestBlockhash(),
    instructions,
  });
  return world.chain.send(signTransaction(bytes, tradingKey));
}

/** The owner revokes the trading key with a transaction nobody here knows of. */
async function revokeElsewhere(): Promise<void> {
  const prepared = await world.prepare("revoke");
  await world.database.db
    .deleteFrom("custody_transactions")
    .where("id", "=", prepared.id)
    .execute();
  await world.chain.send(world.sign(prepared));
}

async function sendAsStranger(instructions: readonly Instruction[]): Promise<string> {
  await world.chain.fund(stranger.address, { lamports: 1_000_000_000n, quoteUnits: 0n });
  const bytes = compileTransaction({
    feePayer: stranger.address,
    lifetime: await world.chain.latestBlockhash(),
    instructions,
  });
  return world.chain.send(signTransaction(bytes, stranger));
}

function drift() {
  const venue = world.networks.get("practice")?.venues.get("drift");
  if (venue === undefined) throw new Error("Drift does not run here");
  return venue;
}

describe("the reconciler", () => {
  it("reports nothing about our own activity, including trades and settlements", async () => {
    await world.fire("long");
    await world.run();
    await world.run();
    await reconciler.run();
    await world.turn("off");
    await world.run();
    await world.run();
    await reconciler.run();
    expect(await notices()).toEqual([]);
    expect(failures).toEqual([]);
  });

  it("reports nothing about positions that their owner closed here", async () => {
    await world.fire("long");
    await world.run();
    await world.run();
    await reconciler.run();
    await world.database.db.updateTable("agents").set({ auto_trade: "off" }).execute();
    await closeByOwner(world);
    expect((await world.account()).positions).toEqual([]);
    await reconciler.run();
    await reconciler.run();
    expect(await notices()).toEqual([]);
    expect(failures).toEqual([]);
  });

  it("flags a foreign trade once, with its transaction, and continues with the chain's position", async () => {
    await tradeElsewhere();
    await reconciler.run();
    await reconciler.run();
    const said = await notices();
    expect(said).toHaveLength(2);
    expect(said).toEqual(
      expect.arrayContaining([
        expect.stringMatching(
          /^This agent's money was traded with in a transaction that was not made/,
        ),
        expect.stringMatching(
          /^The position in SOL-PERP is [\d.]+ on chain, the trades made here explain 0\./,
        ),
      ]),
    );
    expect(world.notices).toContainEqual({ topic: "custody", id: world.agentId });
    await world.fire("close long");
    await world.run();
    await world.run();
    expect((await world.account()).positions).toEqual([]);
  });

  it("flags it also behind strangers' transactions, which are not reported as changes", async () => {
    await world.fire("long");
    await world.run();
    await reconciler.run();
    await reconciler.run();
    await world.fire("close long");
    await world.run();
    const stolen = await tradeElsewhere();
    const user = deriveUser(DRIFT_V2_INSTANCE, world.keys.of(world.agentId).vault, 0);
    await touchOften(world.chain, user, 120);
    await reconciler.run();
    await reconciler.run();
    expect((await notices()).filter((text) => /transaction/.test(text))).toEqual([
      expect.stringMatching(new RegExp(`^This agent's money was traded with .* ${stolen}$`)),
    ]);
  });

  it("reports nothing about keepers that settle or fill our orders", async () => {
    await world.fire("long");
    await world.run();
    world.setPrice(160_000_000n);
    const { vault } = world.keys.of(world.agentId);
    const markets = {
      oracles: (await drift().sharedAddresses()).slice(-3, -2),
      spotMarkets: [deriveSpotMarket(DRIFT_V2_INSTANCE, 0)],
      perpMarkets: [derivePerpMarket(DRIFT_V2_INSTANCE, 0)],
    };
    const user = { authority: vault, subAccountId: 0 };
    const settling = settlePnl(DRIFT_V2_INSTANCE, user, stranger.address, 0, 0, markets);
    await sendAsStranger([settling]);
    await reconciler.run();
    expect(await notices()).toEqual([]);
  });

  it("logs a keeper's fill of the owner's resting close as the owner's close, once", async () => {
    await world.fire("long");
    await world.run();
    const [held] = (await world.account()).positions;
    await world.database.db.updateTable("agents").set({ auto_trade: "off" }).execute();
    await changeExchange(world.chain, { minPerpAuctionDuration: 10 });
    await world.approve(await world.prepare("close-positions"));
    expect((await world.account()).positions).toMatchObject([{ side: "long" }]);
    await passAuction(world);
    const user = { authority: world.keys.of(world.agentId).vault, subAccountId: 0 };
    await sendAsStranger([
      initializeUserStats(DRIFT_V2_INSTANCE, stranger.address),
      initializeUser(DRIFT_V2_INSTANCE, { authority: stranger.address, subAccountId: 0 }, "Keeper"),
    ]);
    const filled = await sendAsStranger([keeperFill(null, user)]);
    expect((await world.account()).positions).toEqual([]);
    await reconciler.run();
    await reconciler.run();
    const lines = world.database.db
      .selectFrom("trade_log")
      .selectAll()
      .where("by_owner", "=", true);
    expect(await lines.execute()).toMatchObject([
      {
        signal: "CLOSE_LONG",
        side: "sell",
        status: "success",
        base_size: held?.baseSize.toString(),
        signature: filled,
      },
    ]);
    expect(await notices()).toEqual([]);
    expect(failures).toEqual([]);
  });

  it("counts a keeper's fill as ours, and recognises it the next time", async () => {
    await tradeElsewhere();
    const [position] = (await world.account()).positions;
    const base = position?.baseSize ?? 0n;
    const runtime = world.networks.get("practice");
    if (runtime === undefined) throw new Error("No practice network");
    const classifyExternal = () => ({
      kind: "upkeep" as const,
      fills: new Map([["SOL-PERP", base]]),
    });
    const venues = new Map([["drift" as const, { ...drift(), classifyExternal }]]);
    const networks = new Map([["practice" as const, { ...runtime, venues }]]);
    const deps = { ...world.deps, keys: world.keys, networks };
    const keeping = createReconciler({
      ...deps,
      guard,
      onFailure: (error) => failures.push(error),
    });
    await keeping.run();
    await keeping.run();
    await reconciler.run();
    expect(base).toBeGreaterThan(0n);
    expect(await notices()).toEqual([]);
    expect(failures).toEqual([]);
  });

  it("reads each transaction once, even after a restart, and lists them only after a change", async () => {
    const runtime = world.networks.get("practice");
    if (runtime === undefined) throw new Error("No practice network");
    const asked: string[] = [];
    let listed = 0;
    const { chain } = runtime;
    const counted = {
      ...chain,
      transaction: (...input: Parameters<typeof chain.transaction>) => {
        asked.push(input[0]);
        return chain.transaction(...input);
      },
      signaturesFor: (...input: Parameters<typeof chain.signaturesFor>) => {
        listed += 1;
        return chain.signaturesFor(...input);
      },
    };
    const networks = new Map([["practice" as const, { ...runtime, chain: counted }]]);
    const deps = { ...world.deps, keys: world.keys, networks, guard };
    await world.fire("long");
    await world.run();
    world.setPrice(160_000_000n);
    await world.fire("close long");
    await world.run();
    for (let rounds = 0; rounds < 4; rounds += 1) await createReconciler(deps).run();
    expect(asked.length).toBeGreaterThan(0);
    expect(new Set(asked).size).toBe(asked.length);
    expect(listed).toBe(2);
    world.clock.advance(10 * 60_000);
    await createReconciler(deps).run();
    expect(new Set(asked).size).toBe(asked.length);
    expect(listed).toBe(3);
    await tradeElsewhere();
    await createReconciler(deps).run();
    expect(listed).toBe(4);
    expect(await notices()).toHaveLength(2);
  });

  it("reports nothing about a trading key that its owner revoked here", async () => {
    const prepared = await world.prepare("revoke");
    await world.chain.send(world.sign(prepared));
    await reconciler.run();
    expect(await notices()).toEqual([]);
    await world.approve(prepared);
    await reconciler.run();
    expect(await guard(world.agentId, "now")).toBe("The trading key was revoked.");
    expect(await notices()).toEqual([]);
    await world.approve(await world.prepare("set-up"));
    await reconciler.run();
    expect(await guard(world.agentId)).toBeNull();
    expect(await world.agent()).toMatchObject({ multisig: { hasTradingKey: true } });
  });

  it("flags a trading key that was revoked elsewhere, even after one was revoked here", async () => {
    await world.approve(await world.prepare("revoke"));
    await world.approve(await world.prepare("set-up"));
    await revokeElsewhere();
    await reconciler.run();
    expect(await notices()).toContain(
      "The trading key was revoked. Nothing is traded until that is put right.",
    );
  });

  it("reports no missing parts while the owner deletes the agent", async () => {
    await world.database.db.updateTable("agents").set({ auto_trade: "off" }).execute();
    await world.approve(await world.prepare("withdraw", "500"));
    await world.approve(await world.prepare("delete"));
    expect(await world.agent()).toMatchObject({ multisig: { status: "deleting" } });
    await reconciler.run();
    expect(await notices()).toEqual([]);
  });

  it("reports nothing while it cannot read the chain", async () => {
    await tradeElsewhere();
    world.faulty.setDown(true);
    await reconciler.run();
    world.faulty.setDown(false);
    expect(await notices()).toEqual([]);
    expect(failures).toEqual([]);
  });
});

describe("the custody guard", () => {
  it("denies every order and raises a flag once the key is not ours", async () => {
    await revokeElsewhere();
    await world.database.db.updateTable("agents").set({ auto_trade: "on" }).execute();
    await world.fire("long");
    await runLane({ ...world.deps, custodyCheck: (id) => guard(id) }, world.agentId, "test");
    expect(await world.story()).toEqual(["OPEN_LONG denied custody_changed"]);
    expect(await world.landed()).toEqual([]);
    expect(await notices()).toHaveLength(1);
  });

  it("caches a good answer for a minute and never a bad one", async () => {
    expect(await guard(world.agentId)).toBeNull();
    await world.approve(await world.prepare("revoke"));
    expect(await guard(world.agentId)).toBeNull();
    expect(await guard(world.agentId, "now")).toBe("The trading key was revoked.");
    await world.approve(await world.prepare("set-up"));
    expect(await guard(world.agentId)).toBeNull();
    await world.approve(await world.prepare("revoke"));
    world.clock.advance(60_000);
    expect(await guard(world.agentId)).toBe("The trading key was revoked.");
  });

  it("refuses records that another secret made", async () => {
    await world.database.db
      .updateTable("multisigs")
      .set({ delegate: world.owner.address })
      .execute();
    expect(await guard(world.agentId)).toMatch(/not the one this agent was set up with/);
  });
});
