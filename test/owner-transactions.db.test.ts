import { address } from "@solana/kit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkTransaction } from "../src/client/features/approve/check-transaction.ts";
import { associatedTokenAddress } from "../src/solana/programs/associated-token.ts";
import { DRIFT_V2_PROFILE } from "../src/venues/drift/profile.ts";
import { createCustodyWorld, type CustodyWorld } from "./custody-world.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";

let database: TestDatabase;
let world: CustodyWorld;

beforeAll(async () => {
  database = await createTestDatabase();
  world = await createCustodyWorld(database);
});

afterAll(() => database.drop());

type Intent = Parameters<CustodyWorld["prepare"]>[0];

/** Prepares on the server and checks as the page does before the wallet opens. */
async function prepareAndCheck(intent: Intent, amount?: string) {
  const prepared = await world.prepare(intent, amount);
  const result = checkTransaction(Uint8Array.from(Buffer.from(prepared.transaction, "base64")), {
    intent,
    method: prepared.method,
    wallet: world.owner.address,
    multisig: address(prepared.multisig),
    vault: address(prepared.vault),
    pinnedMultisig: null,
    profile: DRIFT_V2_PROFILE,
    amount: amount === undefined ? null : BigInt(amount) * 1_000_000n,
  });
  return { prepared, result };
}

describe("what the server prepares", () => {
  it("is what the page expects, from the first signature to the first deposit", async () => {
    for (const [intent, amount] of [
      ["set-up", undefined],
      ["set-up", undefined],
      ["deposit", "500"],
    ] as const) {
      const { prepared, result } = await prepareAndCheck(intent, amount);
      expect(result).toMatchObject({
        kind: "matches",
        summary: { feeLamports: BigInt(prepared.costs.networkFeeLamports) },
      });
      await world.approve(prepared);
    }
  });

  it("withdraws to the owner's wallet and nowhere else", async () => {
    await database.db.updateTable("agents").set({ auto_trade: "off" }).execute();
    const { prepared, result } = await prepareAndCheck("withdraw", "40");
    const wallet = associatedTokenAddress(world.owner.address, DRIFT_V2_PROFILE.quote.mint);
    expect(result).toMatchObject({
      kind: "matches",
      summary: {
        effects: [
          { kind: "venue-withdrawal", amount: 40_000_000n },
          { kind: "tokens", to: wallet, amount: 40_000_000n },
        ],
      },
    });
    await world.approve(prepared);
    expect(await world.quote(world.owner.address)).toBe(540_000_000n);
  });
});
