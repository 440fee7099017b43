import { describe, expect, it } from "vitest";
import { createCustodyWorld, type CustodyWorld } from "../../../test/custody-world.ts";
import { useDatabase } from "../../../test/database.ts";
import type { Chain } from "../../solana/chain.ts";
import { TRANSACTION_SIZE_LIMIT } from "../../solana/transaction.ts";
import { encodeUserName } from "../../venues/drift/instructions.ts";
import { userLayout } from "../../venues/drift/layout-user.ts";
import { deriveUser } from "../../venues/drift/pdas.ts";
import { DRIFT_V2_INSTANCE } from "../../venues/drift/instance.ts";

const database = useDatabase({ isEach: true });

const rename = (name: string) => database.db.updateTable("agents").set({ name }).execute();
const notices = async (world: CustodyWorld) =>
  (await world.custody.summariseAccess(world.agentId))?.notices.map(({ text }) => text);

async function nameOnChain(world: CustodyWorld) {
  const address = deriveUser(DRIFT_V2_INSTANCE, world.keys.of(world.agentId).vault, 0);
  const [account] = (await world.chain.accounts([address])).accounts;
  return userLayout.decode(account?.data ?? new Uint8Array()).name;
}

describe("the name of the venue's account", () => {
  it("is set to the agent's name by the first deposit, in the same transaction", async () => {
    const world = await createCustodyWorld(database, { hasLookupTable: true });
    await world.setUp();
    await rename("Breakouts");
    const prepared = await world.prepare("deposit", "100");
    const { length } = Buffer.from(prepared.transaction, "base64");
    expect(length).toBeLessThanOrEqual(TRANSACTION_SIZE_LIMIT - 247);
    expect(await world.approve(prepared)).toMatchObject({ state: "confirmed" });
    expect(await nameOnChain(world)).toEqual(encodeUserName("Breakouts"));
    expect(await notices(world)).toEqual([]);

    await rename("Something else");
    await world.approve(await world.prepare("deposit", "100"));
    expect(await nameOnChain(world)).toEqual(encodeUserName("Breakouts"));
  });

  it("stays unchanged, with a warning, when the chain would refuse it", async () => {
    const world = await createCustodyWorld(database, { hasLookupTable: true });
    await world.setUp();
    await rename("Breakouts");
    let simulated = 0;
    const refusing = world.serverOn((chain): Chain => ({
      ...chain,
      async simulate(bytes) {
        simulated += 1;
        const answer = await chain.simulate(bytes);
        const error = { kind: "instruction", name: "Custom", code: 6_000 } as const;
        return simulated === 1 ? { ...answer, error } : answer;
      },
    }));
    const request = { agentId: world.agentId, intent: "deposit", amount: "100" } as const;
    expect(await refusing.prepare(request)).toMatchObject({ label: "Deposit USDC" });
    expect(simulated).toBe(2);
    expect(await notices(world)).toHaveLength(1);
  });
});
