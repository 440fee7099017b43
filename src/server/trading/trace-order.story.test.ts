import { expect, it } from "vitest";
import { orderIdOf } from "../../../test/ids.ts";
import { expectBooked } from "../../../test/expect-booked.ts";
import { savePlan } from "../../../test/save-plan.ts";
import { useTradingWorld } from "../../../test/trading-world.ts";
import { parseOrderId } from "../../domain/ids.ts";
import { traceOrder } from "./trace-order.ts";

const world = useTradingWorld();

const newest = async () => (await world.orders()).at(-1) ?? expect.fail("no order");

it("shows an order's life from the alert to the book, each line with its time in UTC", async () => {
  await world.fire("long");
  await world.run();
  await expectBooked(world);
  const order = await newest();
  // After an auction another transaction than the order's own
  const [fill] = await world.database.db.selectFrom("order_fills").selectAll().execute();
  const lines =
    (await traceOrder(world.database.db, parseOrderId(order.id))) ?? expect.fail("no trace");
  const text = lines.join("\n");
  expect(lines[0]).toBe(`Order ${order.id}: OPEN_LONG, filled`);
  expect(lines[1]).toContain(`owner ${world.owner.address}`);
  const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`;
  for (const line of [
    `${time} received "long" by webhook, accepted, event \\S+`,
    `${time} "long" counted 1 of 1`,
    `rule \\S+ fired: OPEN_LONG`,
    `${time} to be sent`,
    `passed: signal_age, \\d+ of at most \\d+ \\(milliseconds\\)`,
    `${time} planned`,
    `${time} stored, then sent: \\d+ bytes, signature ${order.signature}, valid to block height \\d+`,
    `${time} filled`,
    `slot \\d+: \\d+\\.\\d+ for \\d+\\.\\d+, fee \\d+\\.\\d+, signature ${fill?.signature}`,
    `${time} success: long \\d+\\.\\d+ SOL-PERP for \\d+\\.\\d+, line \\S+`,
    `${time} trade position: -?\\d+\\.\\d+ \\S+, signature ${fill?.signature}`,
  ]) {
    expect(text).toMatch(new RegExp(`^  ${line}$`, "m"));
  }
  expect(lines.slice(lines.indexOf("Exit"))[1]).toBe("  nothing");
});

it("shows how long the position of an entry had no stop at the exchange", async () => {
  await savePlan(world, { stop: { at: { kind: "percent", bps: 300 } } });
  await world.fire("long");
  await world.run();
  const { id } = await newest();
  const lines = (await traceOrder(world.database.db, parseOrderId(id))) ?? expect.fail("no trace");
  expect(lines.join("\n")).toMatch(
    /filled\n  \S+Z its stop rests at the venue, \d+ ms after its fill was read\nFills/,
  );
});

it("shows why an order was refused, and no later steps", async () => {
  await world.fire("close long");
  await world.run();
  const { id } = await newest();
  const lines = (await traceOrder(world.database.db, parseOrderId(id))) ?? expect.fail("no trace");
  expect(lines).toContain(`Order ${id}: CLOSE_LONG, denied, nothing_to_close`);
  expect(lines.join("\n")).toMatch(/failed as nothing_to_close: order_possible/);
  expect(lines.slice(lines.indexOf("Ledger"))).toEqual(["Ledger", "  nothing"]);
});

it("shows the exit that a closing belongs to", async () => {
  await world.fire("long");
  await world.run();
  world.limitTo("halted");
  await world.fire("close long");
  await world.run();
  const { id } = await newest();
  const lines = (await traceOrder(world.database.db, parseOrderId(id))) ?? expect.fail("no trace");
  const exit = lines.slice(lines.indexOf("Exit")).join("\n");
  expect(exit).toMatch(/closing the long in SOL-PERP asked for by alert/);
  expect(exit).toMatch(
    /working, 0 tries failed, 1 waits, last refused as trading_halted, next try /,
  );
});

it("finds no order with another id", async () => {
  expect(await traceOrder(world.database.db, orderIdOf("0"))).toBeNull();
});
