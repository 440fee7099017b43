import type { Instruction } from "@solana/kit";
import { afterEach, describe, expect, it } from "vitest";
import { closeByOwner } from "../../../test/open-long.ts";
import { createTradingWorld, type TradingWorld } from "../../../test/trading-world.ts";
import type { VenueId } from "../../domain/venue-id.ts";
import { keypairFromSeed } from "../../solana/encoding/keys.ts";
import {
  associatedTokenAddress,
  createAssociatedTokenIdempotent,
} from "../../solana/programs/associated-token.ts";
import { spendingLimitUse } from "../../solana/programs/squads.ts";
import { transferChecked, USDC_MINT } from "../../solana/programs/token.ts";
import { oracleAddress, PRACTICE_MARKETS } from "../../practice/programs/drift/drift-genesis.ts";
import { DRIFT_V2_INSTANCE as IDS } from "../../venues/drift/instance.ts";
import { derivePerpMarket, deriveSpotMarket } from "../../venues/drift/pdas.ts";
import { placeAndTakePerpOrder } from "../../venues/drift/instructions.ts";
import { limitAddress } from "../../venues/jupiter/spending-limits.ts";
import { orderParams } from "../../../test/drift-cases/case.ts";
import { signTransaction } from "../../solana/signing.ts";
import { compileTransaction } from "../../solana/transaction.ts";
import { createCustodyGuard } from "../custody/custody-guard.ts";
import { findAgent } from "../store/agents/agents.ts";
import { showAgent } from "../agents/show-agents.ts";
import { findLastReading } from "../store/reconcile/last-readings.ts";
import { createReconciler, type Reconciler } from "./reconciler.ts";
import { changeExchange } from "../../../test/practice-operator.ts";

const thief = keypairFromSeed(new Uint8Array(32).fill(3));

let world: TradingWorld;
let reconciler: Reconciler;

async function open(venueId: VenueId) {
  world = await createTradingWorld(venueId);
  const deps = { ...world.deps, keys: world.keys };
  reconciler = createReconciler({ ...deps, guard: createCustodyGuard(deps) });
}

afterEach(() => world.database.drop());

/** Lands instructions that the stolen trading key signs and the thief pays for. */
async function asThief(instructions: readonly Instruction[]): Promise<void> {
  const { chain, keys, agentId } = world;
  await chain.fund(thief.address, { lamports: 1_000_000_000n, quoteUnits: 0n });
  const lifetime = await chain.latestBlockhash();
  const bytes = compileTransaction({ feePayer: thief.address, lifetime, instructions });
  const byThief = signTransaction(bytes, thief);
  const { tradingKey } = keys.of(agentId);
  await chain.send(signTransaction(byThief, tradingKey));
}

/** Opens a position with the stolen key on the perpetuals exchange. */
async function tradeAsThief(): Promise<void> {
  // In its own transaction, as against an account of the thief's
  await changeExchange(world.chain, { minPerpAuctionDuration: 0 });
  const { vault, tradingKey } = world.keys.of(world.agentId);
  const user = { authority: vault, subAccountId: 0 };
  const market = PRACTICE_MARKETS[0];
  if (market === undefined) throw new Error("Practice has no market");
  const markets = {
    oracles: [oracleAddress(market)],
    spotMarkets: [deriveSpotMarket(IDS, 0)],
    perpMarkets: [derivePerpMarket(IDS, market.marketIndex)],
  };
  const params = orderParams({ price: 200_000_000n });
  await asThief([placeAndTakePerpOrder(IDS, user, tradingKey.address, params, markets)]);
}

/** Draws tokens with the stolen key under the spending limit and sends them to the thief. */
async function drawAsThief(amount: bigint): Promise<void> {
  const { multisig, tradingKey } = world.keys.of(world.agentId);
  const to = { payer: thief.address, owner: thief.address, mint: USDC_MINT };
  await asThief([
    createAssociatedTokenIdempotent(to),
    spendingLimitUse(
      {
        multisig,
        member: tradingKey.address,
        spendingLimit: limitAddress(account(), USDC_MINT),
        destination: tradingKey.address,
        mint: USDC_MINT,
      },
      { amount, decimals: 6 },
    ),
    transferChecked(
      {
        source: associatedTokenAddress(tradingKey.address, USDC_MINT),
        mint: USDC_MINT,
        destination: associatedTokenAddress(thief.address, USDC_MINT),
        authority: tradingKey.address,
      },
      { amount, decimals: 6 },
    ),
  ]);
}

const account = () => {
  const { multisig, vault, tradingKey } = world.keys.of(world.agentId);
  const { owner } = world;
  return { owner: owner.address, multisig, vault, tradingKey: tradingKey.address, subAccountId: 0 };
};

const condition = async () => {
  const agent = await findAgent(world.deps.db, world.agentId);
  if (agent === null) throw new Error("No agent");
  const { trading } = await showAgent({ ...world.deps, tradingState: () => "active" }, agent);
  return trading;
};

const notices = async (): Promise<readonly string[]> =>
  (await world.custody.summariseAccess(world.agentId))?.notices.map(({ text }) => text) ?? [];

const STEAL = { drift: tradeAsThief, jupiter: () => drawAsThief(40_000_000n) } as const;

describe.each(["drift", "jupiter"] as const)("a trade by a stolen key on %s", (venue) => {
  it("causes an alarm, stops entries and ends with the owner's revocation", async () => {
    await open(venue);
    await reconciler.run();
    expect(await condition()).toBeUndefined();
    await STEAL[venue]();
    await reconciler.run();
    expect(await condition()).toMatchObject({ state: "reducing", mayBeStolen: true });
    expect((await notices()).filter((text) => /its trading key is stolen/.test(text))).toHaveLength(
      1,
    );
    expect(world.notices).toContainEqual({ topic: "agent", id: world.agentId });
    await world.fire("long");
    await world.run();
    expect(await world.story()).toEqual(["OPEN_LONG denied unknown_power"]);
    await world.turn("off");
    expect(await condition()).toMatchObject({ mayBeStolen: true });
    await world.approve(await world.prepare("revoke"));
    expect((await condition())?.mayBeStolen).toBeUndefined();
  });

  it("is accepted by an owner who traded there, until the next one", async () => {
    await open(venue);
    await STEAL[venue]();
    await reconciler.run();
    await world.turn("off");
    await world.run();
    await world.turn("on");
    expect(await condition()).toBeUndefined();
    world.clock.advance(60_000);
    await STEAL[venue]();
    await reconciler.run();
    expect(await condition()).toMatchObject({ mayBeStolen: true });
  });
});

describe("the trading key in the agent's health line", () => {
  it("follows the owner's revocation at once, like the custody panel", async () => {
    await open("drift");
    await reconciler.run();
    const key = async () => (await findLastReading(world.deps.db, world.agentId))?.key;
    expect(await key()).toBe("ours");
    await world.approve(await world.prepare("revoke"));
    expect(await key()).toBe("none");
    await world.deps.db.updateTable("agent_looks").set({ key_state: "ours" }).execute();
    expect((await world.custody.summariseAccess(world.agentId))?.tradingKeyState).toBe("none");
    expect(await key()).toBe("none");
  });
});

describe("the agent's own trades and the owner's", () => {
  it.each(["drift", "jupiter"] as const)("cause no alarm on %s", async (venue) => {
    await open(venue);
    await world.fire("long");
    await world.run();
    await reconciler.run();
    await closeByOwner(world);
    await reconciler.run();
    expect(await condition()).toBeUndefined();
  });
});
