import { beforeEach, describe, expect, it } from "vitest";
import { createCustodyWorld, type CustodyWorld } from "../../../test/custody-world.ts";
import { useDatabase } from "../../../test/database.ts";
import { type Chain, ChainUnavailableError } from "../../solana/chain.ts";
import { decodeTransaction } from "../../solana/decode-transaction.ts";
import { setComputeUnitPrice } from "../../solana/programs/compute-budget.ts";

const database = useDatabase({ isEach: true });
let world: CustodyWorld;

beforeEach(async () => {
  world = await createCustodyWorld(database);
  await world.setUp();
});

/** Returns the unit price of an intent's transaction on a chain whose recent blocks asked for these prices. */
async function offered(
  recent: (writable: readonly string[]) => Promise<readonly bigint[]>,
  intent: "deposit" | "delete",
) {
  const busy = world.serverOn((chain): Chain => ({ ...chain, recentUnitPrices: recent }));
  const amount = intent === "deposit" ? { amount: "10" } : {};
  const prepared = await busy.prepare({ agentId: world.agentId, intent, ...amount });
  const bytes = Uint8Array.from(Buffer.from(prepared?.transaction ?? "", "base64"));
  const [limit, price] = decodeTransaction(bytes).instructions;
  return { limit, price: price?.data, fee: prepared?.costs.networkFeeLamports };
}

const priceOf = (unitPrice: bigint) => setComputeUnitPrice(unitPrice).data;

describe("the priority fee of an owner's transaction", () => {
  it("is the specified price without competition", async () => {
    expect(await offered(async () => [], "deposit")).toMatchObject({
      price: priceOf(5_000n),
      fee: "6304",
    });
    expect(await offered(async () => [0n, 0n], "delete")).toMatchObject({
      price: priceOf(20_000n),
      fee: "9540",
    });
  });

  it("follows recent blocks that changed its accounts, and is shown in the costs", async () => {
    let asked: readonly string[] = [];
    const recent = async (writable: readonly string[]) => {
      asked = writable;
      return [10_000n, 40_000n, 30_000n, 20_000n];
    };
    expect(await offered(recent, "deposit")).toMatchObject({
      price: priceOf(30_000n),
      fee: "12819",
    });
    const { multisig, vault } = world.keys.of(world.agentId);
    expect(asked).toEqual(expect.arrayContaining([multisig, vault, world.owner.address]));
  });

  it("never exceeds its cap, and does not wait for a missing answer", async () => {
    expect(await offered(async () => [9_000_000n], "deposit")).toMatchObject({
      price: priceOf(100_000n),
    });
    const silent = () => Promise.reject(new ChainUnavailableError("No answer"));
    expect(await offered(silent, "deposit")).toMatchObject({ price: priceOf(5_000n) });
  });
});
