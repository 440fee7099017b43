import { describe, expect, it } from "vitest";
import { savePlan } from "../../../test/save-plan.ts";
import { useStoppedWorld } from "../../../test/stopped-world.ts";
import { DRIFT_V2_INSTANCE } from "../../venues/drift/instance.ts";
import { accountsOf, cancelOrders, placePerpOrder } from "../../venues/drift/instructions.ts";
import { triggerOrderParams } from "../../venues/drift/order-params.ts";
import { derivePerpMarket, deriveSpotMarket } from "../../venues/drift/pdas.ts";
import { showHealth } from "../routes/agent-health.ts";
import { clearCustodyFlag, listCustodyNotices } from "../store/custody/custody-notices.ts";
import { createStopWatch } from "./watch-stops.ts";

const { world, open, rests, sendByHand, held } = useStoppedWorld();

/** Looks as the process that answers pages does, with that process's rights alone. */
const createWatch = () => {
  const { clock, networks, webDeps } = world;
  const { db } = world.database.as("web");
  const { publisher } = webDeps;
  const onFailure = (error: unknown) => world.problems.push(error);
  return createStopWatch({ db, clock, networks, publisher, onFailure });
};

const told = async () =>
  (await listCustodyNotices(world.database.as("web").db, world.agentId, 20)).filter(
    ({ kind }) => kind === "stop_missing",
  );

const missingSince = async () => {
  const { clock, agentId } = world;
  const { db } = world.database.as("web");
  return (await showHealth({ db, clock }, agentId)).stopMissingSince;
};

const cancelByHand = () =>
  sendByHand((user, by, markets) => cancelOrders(DRIFT_V2_INSTANCE, user, by, markets));

/** Places a stop of this size and trigger, as a thief with the trading key may. */
const placeByHand = (baseSize: bigint, triggerPrice: bigint) =>
  sendByHand((user, by, markets) => {
    const terms = {
      marketIndex: 0,
      side: "short",
      baseSize,
      price: (triggerPrice * 98n) / 100n,
      reduceOnly: true,
    } as const;
    const trigger = { userOrderId: 100, triggerPrice, triggersWhen: "below" } as const;
    return placePerpOrder(DRIFT_V2_INSTANCE, user, by, triggerOrderParams(terms, trigger), markets);
  });

const thief = () => world.database.as("trading");

/** Looks for so many seconds, every twenty. */
async function watchFor(watch: ReturnType<typeof createWatch>, seconds: number) {
  for (let second = 0; second <= seconds; second += 20) {
    await watch.run();
    world.clock.advance(20_000);
  }
}

describe("a position whose stop is not at the exchange, while nobody trades", () => {
  it("is told by the process that answers pages after a minute, and taken back once one rests", async () => {
    await open();
    const watch = createWatch();
    await watchFor(watch, 80);
    expect(await told()).toEqual([]);
    const [stop] = await rests();
    await cancelByHand();
    await watchFor(watch, 40);
    expect(await told()).toEqual([]);
    expect(await missingSince()).toBeNull();
    await watchFor(watch, 20);
    expect((await told()).map(({ text }) => text)).toEqual([
      "SOL-PERP is held without the stop of its plan: for over a minute none has rested at the exchange that closes the whole position where the plan says.",
    ]);
    expect(await missingSince()).not.toBeNull();
    await placeByHand(await held(), stop?.triggerPrice ?? 0n);
    // Another server, which has not seen it missing
    await createWatch().run();
    expect(await told()).toEqual([]);
    expect(await missingSince()).toBeNull();
    await world.run();
  });

  it.each([
    ["half as large", async () => placeByHand((await held()) / 2n, 150_350_000n)],
    ["twice as far", async () => placeByHand(await held(), 145_700_000n)],
  ])("is told where one %s rests", async (_, place) => {
    await open();
    await cancelByHand();
    await place();
    expect(await rests()).toHaveLength(1);
    await watchFor(createWatch(), 80);
    expect(await told()).toHaveLength(1);
    await world.run();
  });

  it("is told although the process that trades writes what its role may", async () => {
    await open();
    await cancelByHand();
    const { agentId, clock, owner } = world;
    await thief().pool.query("update agents set auto_trade = 'off'");
    await thief().pool.query("update plan_positions set version = -1");
    await thief().pool.query("update exits set state = 'done'");
    const watch = createWatch();
    await watchFor(watch, 80);
    expect(await told()).toHaveLength(1);
    const flag = { agentId, owner: owner.address, atMs: clock.now() };
    await expect(clearCustodyFlag(thief().db, "stop_missing", flag)).rejects.toThrow(
      "may not record custody_flagged",
    );
    expect(await missingSince()).not.toBeNull();
  });

  it("is not told of a position that its owner keeps without the plan", async () => {
    await open();
    await cancelByHand();
    await world.database.pool.query("update plan_positions set is_over = true");
    await watchFor(createWatch(), 80);
    expect(await told()).toEqual([]);
  });

  it("is not told where the plan asks for none", async () => {
    await open();
    await savePlan(world, null);
    await watchFor(createWatch(), 80);
    expect(await told()).toEqual([]);
  });
});

describe("the cancellation of a stop that a stolen trading process asks for", () => {
  const cancel = async () => {
    const { agentId, chain, venueAccount } = world;
    const venue = world.networks.get("practice")?.venues.get("drift");
    const { tradingKey } = world.keys.of(agentId);
    const shared = (await venue?.sharedAddresses()) ?? [];
    const markets = {
      oracles: shared.slice(-3, -2),
      spotMarkets: [deriveSpotMarket(DRIFT_V2_INSTANCE, 0)],
      perpMarkets: [derivePerpMarket(DRIFT_V2_INSTANCE, 0)],
    };
    const user = accountsOf(venueAccount);
    return world.deps.signer.sign({
      agentId,
      purpose: "protective",
      isUrgent: true,
      instructions: [cancelOrders(DRIFT_V2_INSTANCE, user, tradingKey.address, markets)],
      lifetime: await chain.latestBlockhash(),
    });
  };

  it.each(["stopping", "off"])(
    "is refused while the position is open, with the agent %s",
    async (to) => {
      await open();
      await thief().pool.query("update agents set auto_trade = $1", [to]);
      await expect(cancel()).rejects.toThrow("it takes away the stop that the plan asks for");
    },
  );

  it("is refused although its owner has turned the agent off, until the position is closed", async () => {
    await open();
    await world.turn("off");
    await expect(cancel()).rejects.toThrow("it takes away the stop that the plan asks for");
    await world.run();
    expect(await held()).toBe(0n);
    expect(await rests()).toEqual([]);
  });
});
