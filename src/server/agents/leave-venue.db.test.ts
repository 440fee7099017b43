import { randomBytes } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { createCustodyWorld, type CustodyWorld } from "../../../test/custody-world.ts";
import { useDatabase } from "../../../test/database.ts";
import { buildCompleteDraft } from "../../../test/drafts.ts";
import type { Chain } from "../../solana/chain.ts";
import { ROUTES } from "../../contract/routes.ts";
import { listAgentsOf } from "../store/agents/agents.ts";
import { showAgents } from "./show-agents.ts";
import { saveAgent, updateCompleteAgent } from "./save-agent.ts";

const database = useDatabase({ isEach: true });
let world: CustodyWorld;

beforeEach(async () => {
  world = await createCustodyWorld(database);
});

const deps = () => ({
  db: database.db,
  networks: world.networks,
  clock: world.clock,
  random: (length: number) => randomBytes(length),
  publisher: { publish: () => undefined },
  tradingState: () => "active" as const,
});

/** Both calls with which the owner moves the agent to the other venue, for instance in another tab. */
function movings() {
  const agent = { venue: "jupiter", assetPair: "SOL" } as const;
  const draft = ROUTES.updateCompleteAgent.body.parse(buildCompleteDraft({ agent, rules: [] }));
  const session = { id: "", wallet: world.owner.address };
  return [
    () => updateCompleteAgent(deps(), world.agentId, draft, session),
    () => saveAgent(deps(), world.agentId, { agent: draft.agent }, session),
  ];
}

const settled = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "done",
    () => "refused",
  );

async function expectRefusal(code: string): Promise<void> {
  for (const move of movings()) await expect(move()).rejects.toMatchObject({ code });
  expect(await world.agent()).toMatchObject({ venue: "drift" });
}

describe("moving an agent to another venue before its first deposit", () => {
  it("is refused once its trading key is set up, and a deposit reaches the intended venue", async () => {
    await world.setUp();
    await expectRefusal("venue_locked");
    const prepared = await world.prepare("deposit", "10");
    await expectRefusal("venue_locked");
    expect(await world.approve(prepared)).toMatchObject({ state: "confirmed" });
    expect(await world.agent()).toMatchObject({ venue: "drift", autoTrade: "on" });
  });

  it("leaves the wallet's agents readable", async () => {
    await world.setUp();
    await movings()[1]?.().catch(() => undefined);
    const agents = await listAgentsOf(database.db, world.owner.address);
    expect(await showAgents(deps(), agents)).toHaveLength(1);
  });

  it("is refused while a wallet may still send the old venue's part of the set-up", async () => {
    await world.approve(await world.prepare("set-up"));
    const prepared = await world.prepare("set-up");
    await expectRefusal("transaction_open");
    expect(await world.approve(prepared)).toMatchObject({ state: "confirmed" });
    await expectRefusal("venue_locked");
  });

  it("is possible once that can never land, and the set-up continues at the new venue", async () => {
    await world.approve(await world.prepare("set-up"));
    const late = await world.prepare("set-up");
    world.clock.advance(190 * 400);
    await world.custody.follow();
    await movings()[0]?.();
    expect(await world.agent()).toMatchObject({ venue: "jupiter" });
    await expect(world.custody.renew(late.id)).rejects.toMatchObject({ code: "conflict" });
    await world.approve(await world.prepare("set-up"));
    await world.approve(await world.prepare("deposit", "10"));
    expect(await world.quote(world.keys.of(world.agentId).vault)).toBe(10_000_000n);
  });

  it("conflicts with a simultaneously prepared transaction: one of the two is refused", async () => {
    await world.approve(await world.prepare("set-up"));
    world.clock.advance(190 * 400);
    await world.custody.follow();
    const moving: Promise<string>[] = [];
    // The agent has been read by then
    const server = world.serverOn((chain): Chain => ({
      ...chain,
      latestBlockhash() {
        const [move] = movings();
        if (moving.length === 0 && move !== undefined) moving.push(settled(move()));
        return chain.latestBlockhash();
      },
    }));
    const { agentId } = world;
    const prepared = await settled(
      server.prepare({ agentId, intent: "set-up", amount: undefined }),
    );
    const outcomes = [prepared, ...(await Promise.all(moving))];
    expect(outcomes.toSorted()).toEqual(["done", "refused"]);
  });
});
