import { afterEach, describe, expect, it } from "vitest";
import { expectBooked } from "../../../test/expect-booked.ts";
import { useTradingWorld, type TradingWorld } from "../../../test/trading-world.ts";
import { formatDecimal } from "../../domain/amount.ts";
import { showEntry } from "../routes/log-entry.ts";
import { listReceivedSignals } from "../store/alerts/alert-events.ts";
import { listTradeLogOf } from "../store/trade-log/trade-log.ts";
import { createPipeline } from "./pipeline.ts";
import { changeExchange } from "../../../test/practice-operator.ts";

const world = useTradingWorld();

afterEach(() => expectBooked(world));

/** The lane may begin before the answer is given: the lines of the two are in no fixed order. */
const byStage = (a: { message: string }, b: { message: string }) =>
  a.message.localeCompare(b.message, "en");

const positions = async () =>
  (await world.account()).positions.map(({ side, marketId }) => `${side} ${marketId}`);

describe("an alert", () => {
  it("opens a position, and another alert closes it", async () => {
    const before = await world.account();
    expect(await world.fire("long")).toMatchObject({ kind: "accepted" });
    expect(await world.story()).toEqual(["OPEN_LONG planned"]);
    expect(await world.run()).toBe("empty");
    expect(await world.story()).toEqual(["OPEN_LONG filled"]);
    const [opened] = await world.orders();
    const [position] = (await world.account()).positions;
    expect(opened).toMatchObject({ status: "success", side: "long", percentage: 100 });
    expect(opened?.baseSize).toBe(position?.baseSize);
    expect((opened?.total ?? 0n) <= before.freeCollateral).toBe(true);
    expect((opened?.total ?? 0n) > (before.freeCollateral * 98n) / 100n).toBe(true);

    await world.fire("close long");
    world.clock.advance(1_000);
    await world.run();
    expect(await world.story()).toEqual(["OPEN_LONG filled", "CLOSE_LONG filled"]);
    const [, closed] = await world.orders();
    expect(closed).toMatchObject({ status: "success", side: "sell", percentage: 100 });
    expect(closed?.baseSize).toBe(opened?.baseSize);
    const after = await world.account();
    expect(after.positions).toEqual([]);
    expect(after.withdrawable).toBe(after.portfolioValue);
    expect(after.portfolioValue < before.portfolioValue).toBe(true);
    expect(await world.isSettled()).toBe(true);
    expect(await world.landed()).toHaveLength(2);
  });

  it("is denied while its network is disabled, and shown in its venue's units once it is enabled again", async () => {
    const disabled = createPipeline({
      ...world.deps,
      networks: new Map(),
      alertDatabase: world.database,
      hints: { notify() {}, subscribe: () => () => {} },
      worker: "disabled",
    });
    await disabled.receive(world.delivery("long"));
    await disabled.stop();
    await world.run();
    expect(await world.story()).toEqual(["OPEN_LONG filled"]);
    const [order] = await world.orders();
    const { chatId } = await world.agent();
    const newest = { chatId, filter: "all", before: null, limit: 1 } as const;
    const [line] = await listTradeLogOf(world.database.db, newest);
    if (line === undefined) throw new Error("No line");
    expect(showEntry(line).total).toBe(formatDecimal(order?.total ?? 0n, 6));
  });

  it("causes one debug line per stage, with agent, request, event and order and without secrets", async () => {
    await changeExchange(world.chain, { minPerpAuctionDuration: 0 });
    const pipeline = createPipeline({
      ...world.deps,
      alertDatabase: world.database,
      hints: { notify() {}, subscribe: () => () => {} },
      worker: "logged",
    });
    const delivery = { ...world.delivery("long"), requestId: "request-1" };
    const result = await pipeline.receive(delivery);
    await expect.poll(world.laterStory).toEqual(["OPEN_LONG filled"]);
    await pipeline.stop();
    const [order] = await world.orders();
    const { agentId } = delivery;
    const ids = { agentId, orderId: order?.id };
    expect(world.stages.toSorted(byStage)).toMatchObject(
      [
        { message: "alerts evaluated", detail: { agentId, hasOrders: true } },
        {
          message: "alert received",
          detail: {
            agentId,
            requestId: "request-1",
            eventId: "eventId" in result ? result.eventId : "none",
            outcome: "accepted",
          },
        },
        { message: "lane taken", detail: { agentId, worker: "logged" } },
        { message: "order signed", detail: { ...ids, signature: order?.signature } },
        { message: "order sent", detail: { ...ids, signature: order?.signature } },
        { message: "outcome recorded", detail: { ...ids, outcome: "fill", fills: 1 } },
        { message: "order settled", detail: { ...ids, settlement: "traded" } },
      ].toSorted(byStage),
    );
  });

  it("turns a short into a long with two orders", async () => {
    await world.fire("short");
    await world.run();
    world.clock.advance(1_000);
    await world.fire("long");
    await world.run();
    expect(await world.story()).toEqual([
      "OPEN_SHORT filled",
      "OPEN_LONG filled",
      "OPEN_LONG filled",
    ]);
    expect((await world.orders()).map(({ leg, side }) => `${leg} ${side}`)).toEqual([
      "0 short",
      "0 buy",
      "1 long",
    ]);
    expect(await positions()).toEqual(["long SOL-PERP"]);
    const [received] = await listReceivedSignals(world.database.db, world.agentId, 1);
    expect(received?.orders.map(({ closesFirst }) => closesFirst)).toEqual([true, false]);
  });

  it("is traded in order of arrival, including reversals", async () => {
    for (const alert of ["short", "long", "close long", "close long"] as const) {
      await world.fire(alert);
    }
    await world.run();
    expect(await world.story()).toEqual([
      "OPEN_SHORT filled",
      "OPEN_LONG filled",
      "CLOSE_LONG filled",
      "CLOSE_LONG denied nothing_to_close",
      "OPEN_LONG filled",
    ]);
    const order = await world.landed();
    const bySignature = new Map((await world.orders()).map((each) => [each.signature, each]));
    expect(order.map((signature) => bySignature.get(signature)?.side)).toEqual([
      "short",
      "buy",
      "long",
      "sell",
    ]);
  });

  it("notifies the browsers of stale data", async () => {
    world.notices.length = 0;
    await world.fire("long");
    await world.run();
    expect(new Set(world.notices.map((notice) => notice.topic))).toEqual(
      new Set(["trade-log", "signals", "position"]),
    );
  });
});

describe("denials", () => {
  it.each<[string, Parameters<TradingWorld["fire"]>[0][], string[]]>([
    ["a second long", ["long", "long"], ["OPEN_LONG filled", "OPEN_LONG denied already_long"]],
    [
      "a second short",
      ["short", "short"],
      ["OPEN_SHORT filled", "OPEN_SHORT denied already_short"],
    ],
    ["closing nothing", ["close short"], ["CLOSE_SHORT denied nothing_to_close"]],
    ["both sides at once", ["both"], ["OPEN_LONG filled", "OPEN_SHORT denied both_sides"]],
  ])("%s", async (_name, alerts, story) => {
    for (const alert of alerts) await world.fire(alert);
    await world.run();
    expect(await world.story()).toEqual(story);
    const failed = (await world.orders()).filter((order) => order.state === "denied");
    expect(failed.every((order) => order.status === "failed" && order.signature === null)).toBe(
      true,
    );
  });

  it("a signal that waited too long", async () => {
    world.faulty.setDown(true);
    await world.fire("long");
    expect(await world.run()).toBe("waiting");
    expect(await world.story()).toEqual(["OPEN_LONG planned"]);
    world.clock.advance(300_001);
    world.faulty.setDown(false);
    await world.run();
    expect(await world.story()).toEqual(["OPEN_LONG denied signal_expired"]);
  });

  it("an order that the deployment forbids, before anything is sent", async () => {
    world.limitTo("halted");
    await world.fire("long");
    await world.run();
    world.limitTo("reducing");
    await world.fire("long");
    await world.run();
    expect(await world.story()).toEqual([
      "OPEN_LONG denied trading_halted",
      "OPEN_LONG denied reducing_only",
    ]);
    expect(await world.landed()).toEqual([]);
  });

  it("the seventh order of a minute", async () => {
    for (let round = 0; round < 4; round += 1) {
      await world.fire("long");
      await world.fire("close long");
      await world.run();
      world.clock.advance(1_000);
    }
    const story = await world.story();
    expect(story.slice(0, 6).every((line) => line.endsWith("filled"))).toBe(true);
    expect(story.slice(6)).toEqual([
      "OPEN_LONG denied too_many_orders",
      "CLOSE_LONG denied nothing_to_close",
    ]);
  });

  it("a key that will not sign", async () => {
    await world.database.db
      .updateTable("multisigs")
      .set({ delegate: world.owner.address })
      .execute();
    await world.fire("long");
    await world.run();
    expect(await world.story()).toEqual(["OPEN_LONG denied signing_refused"]);
    expect(world.problems.splice(0)).toHaveLength(1);
  });

  it("a reset causes a line and no order", async () => {
    await world.fire("reset");
    await world.run();
    const log = await world.database.db.selectFrom("trade_log").selectAll().execute();
    expect(log).toMatchObject([
      {
        signal: "RESET_OPEN_LONG",
        type: "reset",
        side: "other",
        status: "success",
        order_id: null,
      },
    ]);
    expect(await world.orders()).toEqual([]);
  });
});
