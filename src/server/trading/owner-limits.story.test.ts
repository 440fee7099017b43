import { expect, it } from "vitest";
import { bookDeps, expectBooked } from "../../../test/expect-booked.ts";
import { useTradingWorld } from "../../../test/trading-world.ts";
import type { SentOwnerLimits } from "../../contract/fields.ts";
import { showAgent } from "../agents/show-agents.ts";
import { resumeAgent, setOwnerLimits } from "../agents/change-agent-fields.ts";
import { toRiskLedger } from "../store/orders/risk-ledger-json.ts";
import { updateAgentLedger } from "../ledger/update-agent-ledger.ts";
import { findAgent } from "../store/agents/agents.ts";

const world = useTradingWorld();

const deps = () => ({ ...world.webDeps, random: () => new Uint8Array() });
const session = () => ({ id: "s", wallet: world.owner.address });

const allow = (limits: SentOwnerLimits) => setOwnerLimits(deps(), world.agentId, limits, session());

async function shown() {
  const record = await findAgent(world.database.db, world.agentId);
  if (record === null) throw new Error("No agent");
  return showAgent(world.deps, record);
}

async function trade(...alerts: readonly ("long" | "close long")[]): Promise<string | undefined> {
  for (const alert of alerts) {
    world.clock.advance(20_000);
    await world.fire(alert);
    await world.run();
  }
  return (await world.story()).at(-1);
}

it("pauses after consecutive losses and continues when its owner resumes it, up to the day's trades", async () => {
  await allow({ lossesInRow: 2, tradesPerDay: 3 });
  // At one price a round costs its fees: a small loss
  expect(await trade("long", "close long", "long", "close long")).toBe("CLOSE_LONG filled");
  expect(await trade("long")).toBe("OPEN_LONG denied own_losses_limit");
  expect((await shown()).trading).toMatchObject({
    state: "reducing",
    reason: expect.stringContaining("as many trades in a row"),
    canResume: true,
  });
  expect((await resumeAgent(deps(), world.agentId, session())).trading).toBeUndefined();
  expect(await trade("long")).toBe("OPEN_LONG filled");
  expect((await shown()).trading).toMatchObject({
    reason: expect.stringContaining("as many trades today"),
  });
  expect(await trade("close long")).toBe("CLOSE_LONG filled");
  expect(await trade("long")).toBe("OPEN_LONG denied own_trades_limit");
  world.clock.advance(24 * 3_600_000);
  expect((await shown()).trading).toBeUndefined();
  expect(await trade("long")).toBe("OPEN_LONG filled");
});

it("records the account reading of an order that the venue refused", async () => {
  await allow({ fallBps: 500 });
  await world.turn("off");
  await world.approve(await world.prepare("withdraw", "499"));
  await world.turn("on");
  expect(await trade("long")).toBe("OPEN_LONG denied below_minimum");
  const { portfolioValue } = await world.account();
  const { risk } = await world.database.db
    .selectFrom("lanes")
    .select("risk")
    .executeTakeFirstOrThrow();
  expect(toRiskLedger(risk)).toMatchObject({
    day: new Date(world.clock.now()).toISOString().slice(0, 10),
    portfolioAtDayStart: portfolioValue,
    own: { peak: portfolioValue, entriesToday: 0 },
  });
});

it("opens nothing beyond the share of one asset, but still closes", async () => {
  expect(await trade("long")).toBe("OPEN_LONG filled");
  await allow({ assetShareBps: 5_000 });
  expect(await trade("close long")).toBe("CLOSE_LONG filled");
  expect(await trade("long")).toBe("OPEN_LONG denied own_asset_limit");
  await allow({ assetShareBps: 10_000 });
  expect(await trade("long")).toBe("OPEN_LONG filled");
});

it("measures the drawdown from a peak between two orders, and restarts after a resumption", async () => {
  await allow({ fallBps: 500 });
  expect(await trade("long")).toBe("OPEN_LONG filled");
  await expectBooked(world);
  // Worth a third more for an hour, and then as much as before
  world.setPrice(206_000_000n);
  world.clock.advance(3_600_000);
  await updateAgentLedger(bookDeps(world), await world.agent());
  world.setPrice(155_000_000n);
  expect(await trade("close long")).toBe("CLOSE_LONG filled");
  expect(await trade("long")).toBe("OPEN_LONG denied own_fall_limit");
  expect((await shown()).trading).toMatchObject({ canResume: true });
  await resumeAgent(deps(), world.agentId, session());
  expect(await trade("long")).toBe("OPEN_LONG filled");
});
