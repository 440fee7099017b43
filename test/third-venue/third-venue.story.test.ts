// First: the lists are read while everything else is loaded
import { BAZAAR } from "./third-venue.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { checkPrepared } from "../../src/client/custody/check/check-prepared.ts";
import { stopWords } from "../../src/client/custody/stop-words.ts";
import {
  newAgentForm,
  clearedReason,
  reduceAgentForm,
  type FormChange,
} from "../../src/client/features/agent/agent-form.ts";
import { checkForm } from "../../src/client/features/agent/form/check-form.ts";
import { completeDraftOf } from "../../src/client/features/agent/form/form-draft.ts";
import { createCompleteAgent } from "../../src/contract/save-agent.ts";
import { assetGroups, venueGroups } from "../../src/client/features/agent/form/venue-options.ts";
import { buildPrompt } from "../../src/client/features/chat/assistant/prompt.ts";
import { createTestServer, type TestServer } from "../server.ts";
import { createTradingWorld, type TradingWorld } from "../trading-world.ts";
import { type SignedIn, signIn } from "../wallet.ts";

const MARKET = "SOL at Bazaar";

/** Returns a filled form: this venue, one alert and one rule with the action. */
function fillIn(action: "OPEN_LONG" | "OPEN_SHORT") {
  const made = newAgentForm("practice");
  const changes: readonly FormChange[] = [
    { kind: "venue", venue: BAZAAR },
    {
      kind: "change-alert",
      row: { key: "1", name: "dip", description: "", condition: null },
    },
    { kind: "add-rule" },
  ];
  const ruled = changes.reduce(reduceAgentForm, made);
  const key = ruled.rules.at(-1)?.key ?? "";
  return [
    { kind: "action", key, action } as const,
    { kind: "toggle-trigger", key, alertKey: "1" } as const,
  ].reduce(reduceAgentForm, ruled);
}

describe("a venue that exists only in the lists", () => {
  let world: TradingWorld;
  let server: TestServer;
  let wallet: SignedIn;

  beforeAll(async () => {
    world = await createTradingWorld(BAZAAR);
    server = await createTestServer(world.database, {
      clock: world.clock,
      networks: world.networks,
    });
    wallet = await signIn(server);
  });

  afterAll(async () => {
    await server.close();
    await world.custody.stop();
    await world.database.drop();
  });

  it("is offered in the agent's form with its market, which keeps the asset", () => {
    const [{ options }] = venueGroups(undefined, "practice") as [{ options: unknown[] }];
    expect(options).toContainEqual({ value: BAZAAR, label: "Bazaar" });
    expect(assetGroups({ venue: BAZAAR, network: "practice" }, [])).toEqual([
      { label: "Crypto", options: [{ value: MARKET, label: MARKET }] },
    ]);
    expect(fillIn("OPEN_LONG")).toMatchObject({ venue: BAZAAR, marketId: MARKET });
  });

  it("refuses unlisted markets with a message that names it", () => {
    const stock = { ...newAgentForm("practice"), venue: "jupiter", marketId: "AAPLx" } as const;
    expect(clearedReason(stock, BAZAAR)).toBe("Bazaar supports crypto only.");
    expect(checkForm(fillIn("OPEN_SHORT"))?.message).toBe(
      "Bazaar is spot only: short actions need a perpetuals venue.",
    );
  });

  it("is described to the assistant", () => {
    const [system] = buildPrompt({ messages: [], data: null, isContinued: false });
    expect(system?.content).toContain(`or ${BAZAAR} (spot, long only: SOL).`);
    expect(system?.content).toContain(`a short on jupiter or ${BAZAAR},`);
  });

  it("accepts agents by API, and only with its markets", async () => {
    expect(checkForm(fillIn("OPEN_LONG"))).toBeNull();
    const save = (action: "OPEN_LONG" | "OPEN_SHORT") => {
      const body = z.encode(createCompleteAgent.body, completeDraftOf(fillIn(action)));
      const path = "/api/agents/create-complete-agent";
      return server.send("POST", path, { token: wallet.token, body });
    };
    const saved = await save("OPEN_LONG");
    expect(saved.body).toMatchObject({ agent: { venue: BAZAAR, assetPair: MARKET } });
    const refused = await save("OPEN_SHORT");
    expect(refused.body).toMatchObject({
      code: "short_needs_perpetuals",
      message: "Bazaar is spot only: short actions need a perpetuals venue.",
    });
  });

  it("supports set-up, deposits and trading", async () => {
    expect((await world.agent()).venue).toBe(BAZAAR);
    expect(await world.account()).toMatchObject({ portfolioValue: 500_000_000n, positions: [] });
    await world.turn("on");
    await world.fire("long");
    await world.run();
    expect(await world.story()).toEqual(["OPEN_LONG filled"]);
    expect((await world.account()).positions).toMatchObject([{ marketId: MARKET, side: "long" }]);
    await world.fire("close long");
    await world.run();
    expect(await world.story()).toEqual(["OPEN_LONG filled", "CLOSE_LONG filled"]);
  });

  it("has its approvals checked by the page, amount and purpose", async () => {
    await world.turn("off");
    const prepared = await world.prepare("withdraw", "100");
    const asked = {
      intent: "withdraw",
      agentId: world.agentId,
      venue: BAZAAR,
      wallet: world.owner.address,
      market: MARKET,
      asset: null,
      amount: "100",
    } as const;
    expect(checkPrepared(prepared, asked, [])).toMatchObject({
      kind: "matches",
      summary: { effects: expect.arrayContaining([expect.objectContaining({ symbol: "USDC" })]) },
    });
    expect(checkPrepared(prepared, { ...asked, amount: "99" }, []).kind).toBe("mismatch");
    expect(checkPrepared(prepared, { ...asked, intent: "deposit" }, []).kind).toBe("mismatch");
    expect(await world.approve(prepared)).toMatchObject({ state: "confirmed" });
    const stopped = { kind: "stopped", reason: "No.", problem: null } as never;
    expect(
      stopWords({ intent: "set-up", venue: BAZAAR, isVaultReady: true }, stopped).message,
    ).toBe("Failed to set up Bazaar trading control: No.");
  });
});
