import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { buildCompleteDraft } from "../../../test/drafts.ts";
import { closeByOwner, tradeElsewhere } from "../../../test/open-long.ts";
import { useTradingWorld, withOneNode } from "../../../test/trading-world.ts";
import { ROUTES } from "../../contract/routes.ts";
import { SLOT_MS } from "../../practice/slots.ts";
import type { Venue } from "../../venues/ports.ts";
import type { Networks } from "../networks.ts";
import { saveAgent, updateCompleteAgent } from "./save-agent.ts";

const world = useTradingWorld();

/** Both calls that can save an agent with another asset. */
function savings(assetPair: string, networks = world.deps.networks) {
  const deps = { ...world.webDeps, networks, random: (length: number) => randomBytes(length) };
  const session = { id: "", wallet: world.owner.address };
  const draft = ROUTES.createCompleteAgent.body.parse(buildCompleteDraft({ agent: { assetPair } }));
  return [
    () => saveAgent(deps, world.agentId, { agent: draft.agent }, session),
    () => updateCompleteAgent(deps, world.agentId, { ...draft, rules: [] }, session),
  ];
}

/** The networks of a server whose node answers with an account only after something else has happened. */
function answeringAfter(happens: () => Promise<unknown>): Networks {
  const runtime = world.deps.networks.get("practice");
  const venue = runtime?.venues.get("drift");
  if (runtime === undefined || venue === undefined) throw new Error("The world has no exchange");
  const slow: Venue = {
    ...venue,
    async accountState(account) {
      const seen = await venue.accountState(account);
      await happens();
      return seen;
    },
  };
  return new Map([["practice", { ...runtime, venues: new Map([["drift", slow]]) }]]);
}

async function expectRefusal(refusal: object, networks?: Networks): Promise<void> {
  for (const save of savings("BTC-PERP", networks)) {
    await expect(save()).rejects.toMatchObject(refusal);
  }
  expect((await world.agent()).marketId).toBe("SOL-PERP");
}

describe("changing the asset of an agent that trades", () => {
  const refusal = { code: "conflict", message: expect.stringContaining("SOL-PERP") };

  it("is refused while it holds the old one, and the position still closes", async () => {
    await world.fire("long");
    await world.run();
    world.clock.advance(1_000);
    await expectRefusal(refusal);
    await world.fire("close long");
    await world.run();
    expect(await world.story()).toEqual(["OPEN_LONG filled", "CLOSE_LONG filled"]);
    await savings("BTC-PERP")[1]?.();
    expect((await world.agent()).marketId).toBe("BTC-PERP");
  });

  it("is refused until its only node has said for some slots that the position is gone", async () => {
    await world.fire("long");
    await world.run();
    const { baseSize } = (await world.account()).positions[0] ?? {};
    await tradeElsewhere(world, { side: "short", baseSize: baseSize ?? 0n, reduceOnly: true });
    await expectRefusal({ code: "unavailable" }, withOneNode(world));
    world.clock.advance(40 * SLOT_MS);
    await savings("BTC-PERP", withOneNode(world))[1]?.();
    expect((await world.agent()).marketId).toBe("BTC-PERP");
  });

  it("is refused while an order is open, or when the account cannot be read", async () => {
    await world.fire("long");
    await expectRefusal(refusal);
    world.faulty.setDown(true);
    await expectRefusal({ code: "unavailable" });
    await expect(savings("SOL-PERP")[1]?.()).resolves.toBeDefined();
  });

  it("is refused while its owner, who revoked the trading key, has not closed it", async () => {
    await world.fire("long");
    await world.run();
    await world.approve(await world.prepare("revoke"));
    expect((await world.agent()).autoTrade).toBe("off");
    const held = { code: "conflict", message: expect.stringContaining("still holds SOL-PERP") };
    await expectRefusal(held);
    await closeByOwner(world);
    await savings("BTC-PERP")[1]?.();
    expect((await world.agent()).marketId).toBe("BTC-PERP");
  });

  it.each(["on", "off"] as const)(
    "is refused where the agent's network is not enabled (trading is %s)",
    async (target) => {
      await world.turn(target);
      const refused = { code: "network_disabled", message: expect.stringContaining("SOL-PERP") };
      await expectRefusal(refused, new Map());
      await expect(savings("SOL-PERP", new Map())[1]?.()).resolves.toBeDefined();
    },
  );

  it("is allowed there before the first deposit, when it cannot hold a position", async () => {
    await world.database.db.updateTable("agents").set({ sub_account_id: null }).execute();
    await expect(savings("BTC-PERP", new Map())[1]?.()).resolves.toBeDefined();
  });

  it.each([
    ["was planned", false],
    ["was planned, sent and filled", true],
  ])("is refused where an entry %s while the account was read", async (_, isFilled) => {
    const trade = async () => {
      world.clock.advance(1_000);
      await world.fire("long");
      if (isFilled) await world.run();
    };
    for (const at of [1, 0]) {
      await expect(savings("BTC-PERP", answeringAfter(trade))[at]?.()).rejects.toMatchObject({
        code: "conflict",
      });
      expect((await world.agent()).marketId).toBe("SOL-PERP");
      await world.run();
      world.clock.advance(1_000);
      await world.fire("close long");
      await world.run();
    }
    const trades = ["OPEN_LONG filled", "CLOSE_LONG filled"];
    expect(await world.story()).toEqual([...trades, ...trades]);
  });
});
