import { beforeEach, describe, expect, it } from "vitest";
import { inheritTerms } from "../../../test/inherit-terms.ts";
import { useTradingWorld } from "../../../test/trading-world.ts";
import { runLane } from "../trading/lanes/lane.ts";
import { createCustodyGuard, type CustodyGuard } from "./custody-guard.ts";
import { createCustodyKeys } from "./account/custody-keys.ts";
import { findAgents, listKeys, revokeKeys, rotateKeys, sweepFeePayer } from "./operate-keys.ts";

const world = useTradingWorld();
let guard: CustodyGuard;

beforeEach(async () => {
  guard = createCustodyGuard({ ...world.deps, keys: world.keys });
});

const operation = () => ({ db: world.database.db, keys: world.keys, clock: world.clock });
const notices = async (): Promise<readonly string[]> =>
  (await world.custody.summariseAccess(world.agentId))?.notices.map(({ text }) => text) ?? [];
const tradingKey = async () => (await world.agent()).multisig?.tradingKey;

describe("an operator's replacement of a trading key", () => {
  it("stops trading until the owner approves the new key, and then trades with it", async () => {
    const before = await tradingKey();
    const agents = await findAgents(operation(), [world.agentId]);
    expect(await rotateKeys(operation(), agents)).toBe(1);
    expect(await tradingKey()).not.toBe(before);
    expect(await notices()).toEqual([
      expect.stringMatching(/^The operator replaced this agent's trading key\./),
    ]);
    expect(await guard(world.agentId)).toBe(
      "The trading key was replaced, and the new one waits for the owner's approval.",
    );
    await world.fire("long");
    await runLane({ ...world.deps, custodyCheck: (id) => guard(id) }, world.agentId, "test");
    expect(await world.story()).toEqual(["OPEN_LONG denied custody_changed"]);

    const [, , third] = (await world.custody.summarise(world.agentId)).steps;
    expect(third?.state).toBe("todo");
    await world.approve(await world.prepare("set-up"));
    expect(await guard(world.agentId)).toBeNull();
    await inheritTerms(world.database.db);
    await world.fire("long");
    await world.run();
    expect((await world.account()).positions).toHaveLength(1);
    expect(await listKeys(operation())).toMatchObject([
      { agentId: world.agentId, owner: world.owner.address, state: "present" },
    ]);
  });

  it("refuses an unknown agent", async () => {
    await expect(findAgents(operation(), ["0".repeat(32)])).rejects.toThrow(
      "is no agent with custody",
    );
  });
});

describe("an operator's withdrawal of a trading key", () => {
  it("ends all signing, notifies the owner once, and is over with a replacement", async () => {
    const agents = await findAgents(operation(), "all");
    expect(await revokeKeys(operation(), agents)).toBe(1);
    expect(await revokeKeys(operation(), agents)).toBe(0);
    expect(await listKeys(operation())).toMatchObject([{ state: "withdrawn" }]);
    expect(await notices()).toHaveLength(1);
    await world.fire("long");
    await runLane({ ...world.deps, custodyCheck: (id) => guard(id) }, world.agentId, "test");
    expect(await world.landed()).toEqual([]);

    await rotateKeys(operation(), agents);
    await world.approve(await world.prepare("set-up"));
    expect(await guard(world.agentId)).toBeNull();
  });
});

describe("a key that the operator no longer trusts", () => {
  const refused = { code: "conflict", message: expect.stringContaining("operator withdrew") };

  it("is not offered to the owner for approval after it was withdrawn", async () => {
    await revokeKeys(operation(), await findAgents(operation(), "all"));
    await world.approve(await world.prepare("revoke"));
    await expect(world.prepare("set-up")).rejects.toMatchObject(refused);
    await rotateKeys(operation(), await findAgents(operation(), "all"));
    await world.approve(await world.prepare("set-up"));
    expect(await guard(world.agentId)).toBeNull();
  });

  it.each([
    ["withdrawn", revokeKeys],
    ["replaced", rotateKeys],
  ])("is not in an approval renewed after it was %s", async (_how, change) => {
    await world.approve(await world.prepare("revoke"));
    const shown = await world.prepare("set-up");
    await change(operation(), await findAgents(operation(), "all"));
    await expect(world.custody.renew(shown.id)).rejects.toMatchObject({ code: "conflict" });
    world.clock.advance(190 * 400);
    await world.custody.follow();
    await expect(world.custody.renew(shown.id)).rejects.toMatchObject({ code: "conflict" });
  });

  it.each([
    ["withdrawn", revokeKeys],
    ["replaced", rotateKeys],
  ])("is not in an approval that had expired when it was %s", async (_how, change) => {
    await world.approve(await world.prepare("revoke"));
    const shown = await world.prepare("set-up");
    world.clock.advance(190 * 400);
    await world.custody.follow();
    await change(operation(), await findAgents(operation(), "all"));
    await expect(world.custody.renew(shown.id)).rejects.toMatchObject({ code: "conflict" });
  });
});

describe("a replaced master secret", () => {
  it("keeps every custody, trades with none of the old keys, and passes on its SOL", async () => {
    const former = world.keys.of(world.agentId);
    const present = createCustodyKeys(new Uint8Array(32).fill(9), [world.secret]);
    const operation = { db: world.database.db, keys: present, clock: world.clock };
    const other = createCustodyGuard({ ...world.deps, keys: present });
    expect(await listKeys(operation)).toMatchObject([{ state: "retired" }]);
    expect(await other(world.agentId)).toMatch(/not the one this agent was set up with/);

    await rotateKeys(operation, await findAgents(operation, "all"));
    expect(await other(world.agentId)).toMatch(/waits for the owner's approval/);
    await world.approve(await world.prepare("set-up"));
    expect(await other(world.agentId)).toBeNull();
    expect((await world.agent()).multisig).toMatchObject({
      multisig: former.multisig,
      tradingKey: present.of(world.agentId).tradingKey.address,
    });

    const [payer] = present.formerFeePayers;
    if (payer === undefined) throw new Error("No former fee payer");
    const held = await world.lamports(payer.address);
    const surroundings = { chain: world.chain, sleep: async () => undefined };
    const arrived = await sweepFeePayer(surroundings, payer, present.feePayer.address);
    // 5,000 for the signature, and the least price for the units it takes
    expect(arrived).toBe(held - 5_103n);
    expect(await world.lamports(payer.address)).toBe(0n);
    expect(await world.lamports(present.feePayer.address)).toBe(arrived);
    expect(await sweepFeePayer(surroundings, payer, present.feePayer.address)).toBe(0n);
  });
});
