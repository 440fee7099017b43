import type { Instruction } from "@solana/kit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createCustodyWorld, type CustodyWorld } from "../../../test/custody-world.ts";
import { createTestDatabase } from "../../../test/database.ts";
import {
  multisigAddSpendingLimit,
  multisigRemoveSpendingLimit,
  deriveSpendingLimit,
} from "../../solana/programs/squads.ts";
import { signTransaction } from "../../solana/signing.ts";
import { compileTransaction } from "../../solana/transaction.ts";
import { JUPITER_PRACTICE_INSTANCE as instance } from "../../venues/jupiter/instance.ts";
import { createCustodyGuard } from "../custody/custody-guard.ts";
import { createReconciler, type Reconciler } from "./reconciler.ts";

let world: CustodyWorld;
let reconciler: Reconciler;
const failures: unknown[] = [];

beforeEach(async () => {
  failures.length = 0;
  world = await createCustodyWorld(await createTestDatabase(), { venue: "jupiter" });
  await world.setUp();
  const { database, networks, clock, keys } = world;
  const deps = { db: database.db, networks, clock, keys, publisher: { publish: () => undefined } };
  const guard = createCustodyGuard(deps);
  reconciler = createReconciler({ ...deps, guard, onFailure: (error) => failures.push(error) });
});

afterEach(() => world.database.drop());

const notices = async (): Promise<readonly string[]> =>
  (await world.custody.summariseAccess(world.agentId))?.notices.map(({ text }) => text) ?? [];

/** Runs an owner's action with the wallet alone, outside of this product. */
async function actAsOwner(instructions: readonly Instruction[]): Promise<void> {
  const bytes = compileTransaction({
    feePayer: world.owner.address,
    lifetime: await world.chain.latestBlockhash(),
    instructions,
  });
  await world.chain.send(signTransaction(bytes, world.owner));
}

function addLimit(change: Partial<Parameters<typeof multisigAddSpendingLimit>[1]>) {
  const { multisig, tradingKey } = world.keys.of(world.agentId);
  const owner = world.owner.address;
  const { mint } = instance.quote;
  return multisigAddSpendingLimit(
    { multisig, configAuthority: owner, rentPayer: owner },
    {
      createKey: mint,
      mint,
      amount: 1_000_000_000n,
      period: 1,
      members: [tradingKey.address],
      destinations: [tradingKey.address],
      ...change,
    },
  );
}

function removeQuoteLimit() {
  const { multisig } = world.keys.of(world.agentId);
  const owner = world.owner.address;
  return multisigRemoveSpendingLimit({
    multisig,
    configAuthority: owner,
    spendingLimit: deriveSpendingLimit(multisig, instance.quote.mint).address,
    rentCollector: owner,
  });
}

describe("unneeded spending limits", () => {
  it("are not reported right after the set-up", async () => {
    await reconciler.run();
    expect(await notices()).toEqual([]);
    expect(failures).toEqual([]);
  });

  it("are reported once when an asset changed and its limit remained, until it is updated", async () => {
    await world.database.db.updateTable("agents").set({ market_id: "BTC" }).execute();
    await reconciler.run();
    await reconciler.run();
    expect(await notices()).toEqual([
      expect.stringMatching(
        /^The spending limit of [\d.]+ SOL is left from an asset this agent no longer trades\./,
      ),
    ]);
    await world.approve(await world.prepare("update-limits"));
    expect(await notices()).toEqual([]);
    await reconciler.run();
    expect(await notices()).toEqual([]);
    await world.database.db.updateTable("agents").set({ market_id: "SOL" }).execute();
    await reconciler.run();
    expect(await notices()).toHaveLength(1);
  });

  it.each([
    ["may be drawn to any place", { destinations: [] }],
    ["is larger than any agent's may be", { amount: 1_000_000_000_000_000n }],
    ["is for another key, place or period", { period: 2 }],
  ] as const)("are reported when one %s", async (text, change) => {
    await actAsOwner([removeQuoteLimit(), addLimit(change as Parameters<typeof addLimit>[0])]);
    await reconciler.run();
    expect(await notices()).toEqual(expect.arrayContaining([expect.stringContaining(text)]));
    expect(failures).toEqual([]);
  });
});
