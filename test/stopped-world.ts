import { afterEach, beforeEach } from "vitest";
import type { Plan } from "../src/domain/plan/plan.ts";
import { createKeeper } from "../src/practice/programs/drift/keeper.ts";
import { SLOT_MS } from "../src/practice/slots.ts";
import { closePositionForOwner } from "../src/server/trading/intake.ts";
import { watchPlans } from "../src/server/trading/lanes/watch-plans.ts";
import { findPlanRow } from "../src/server/store/orders/plan-positions.ts";
import { DRIFT_V2_INSTANCE } from "../src/venues/drift/instance.ts";
import type { Instruction } from "@solana/kit";
import { signTransaction } from "../src/solana/signing.ts";
import { compileTransaction } from "../src/solana/transaction.ts";
import {
  accountsOf,
  type MarketAccounts,
  type UserAccounts,
} from "../src/venues/drift/instructions.ts";
import { derivePerpMarket, deriveSpotMarket } from "../src/venues/drift/pdas.ts";
import type { RestingProtective } from "../src/venues/placed-order.ts";
import { expectBooked } from "./expect-booked.ts";
import { savePlan } from "./save-plan.ts";
import { useTradingWorld } from "./trading-world.ts";

const START = 155_000_000n;

export const percent = (bps: number) => ({ kind: "percent", bps }) as const;

export const STOP: Plan = { stop: { at: percent(300) } };

/** Slots of a triggered order's auction. */
const AUCTION_SLOTS = 31;

/** A trading world on the perpetuals exchange with a keeper, whose books are compared with the chain after each test. */
export function useStoppedWorld() {
  const world = useTradingWorld("drift");
  let keep: () => Promise<void>;

  beforeEach(() => {
    keep = createKeeper(world.chain, DRIFT_V2_INSTANCE);
  });

  afterEach(() => expectBooked(world));

  const venue = () => {
    const found = world.networks.get("practice")?.venues.get("drift");
    if (found?.protectiveOrders === undefined) throw new Error("The exchange keeps stops");
    return found;
  };
  const rests = async (): Promise<readonly RestingProtective[]> =>
    (await venue().protectiveOrders?.(world.venueAccount)) ?? [];
  const setPrice = (percentOfStart: number) =>
    world.setPrice((START * BigInt(Math.round(percentOfStart * 100))) / 10_000n);
  const watch = () => watchPlans(world.deps, "practice", () => {});
  return {
    world,
    rests,
    setPrice,
    watch,
    keep: () => keep(),
    async open(plan: Plan | null = STOP, alert: "long" | "short" = "long") {
      await savePlan(world, plan);
      await world.fire(alert);
      await world.run();
      world.clock.advance(1_000);
    },
    /** Moves the market while the server looks on, and nobody triggers anything. */
    async price(percentOfStart: number) {
      setPrice(percentOfStart);
      world.clock.advance(5_000);
      await watch();
      await world.run();
    },
    /** Passes a triggered order's auction. */
    passAuction: () => world.clock.advance(AUCTION_SLOTS * SLOT_MS),
    /** A keeper triggers and, once its auction is over, fills. */
    async keepersWork() {
      await keep();
      world.clock.advance(AUCTION_SLOTS * SLOT_MS);
      await keep();
    },
    /** Runs the lane each second, at most `seconds` times, until something is so. */
    async runUntil(isSo: () => Promise<boolean>, seconds = 90) {
      for (let second = 0; second < seconds && !(await isSo()); second += 1) {
        world.clock.advance(1_000);
        await world.run();
      }
    },
    /** Closes the position, or a part in percent, as its owner does on the page. */
    closeByHand: (portion?: number) =>
      closePositionForOwner(
        world.webDeps,
        world.agentId,
        { wallet: world.owner.address },
        {
          side: "long",
          requestId: `click ${world.clock.now()}`,
          ...(portion !== undefined && { portion }),
        },
      ),
    /** Sends an instruction with the trading key, outside this product. */
    async sendByHand(
      build: (
        user: UserAccounts,
        by: UserAccounts["authority"],
        markets: MarketAccounts,
      ) => Instruction,
    ): Promise<void> {
      const { tradingKey } = world.keys.of(world.agentId);
      await world.chain.fund(tradingKey.address, { lamports: 1_000_000_000n, quoteUnits: 0n });
      const shared = (await venue().sharedAddresses()) ?? [];
      const markets = {
        oracles: shared.slice(-3, -2),
        spotMarkets: [deriveSpotMarket(DRIFT_V2_INSTANCE, 0)],
        perpMarkets: [derivePerpMarket(DRIFT_V2_INSTANCE, 0)],
      };
      const bytes = compileTransaction({
        feePayer: tradingKey.address,
        lifetime: await world.chain.latestBlockhash(),
        instructions: [build(accountsOf(world.venueAccount), tradingKey.address, markets)],
      });
      await world.chain.send(signTransaction(bytes, tradingKey));
    },
    prices: async () => (await rests()).map(({ triggerPrice }) => triggerPrice),
    held: async () => (await world.account()).positions[0]?.baseSize ?? 0n,
    row: () => findPlanRow(world.database.db, world.agentId),
    exits: () =>
      world.database.db.selectFrom("exits").select(["asked_by", "plan_end", "state"]).execute(),
  };
}
