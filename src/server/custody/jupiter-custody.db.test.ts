import type { Blockhash } from "@solana/kit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createCustodyWorld, type CustodyWorld, USDC } from "../../../test/custody-world.ts";
import { createTestDatabase } from "../../../test/database.ts";
import { decodeTransaction } from "../../solana/decode-transaction.ts";
import { transferLamports } from "../../solana/programs/system.ts";
import { signTransaction } from "../../solana/signing.ts";
import { compileTransaction } from "../../solana/transaction.ts";
import { spendingLimitCodec } from "../../solana/programs/squads-accounts.ts";
import { deriveSpendingLimit } from "../../solana/programs/squads.ts";
import { wrapChain } from "../../../test/wrap-chain.ts";
import { JUPITER_PRACTICE_INSTANCE as instance } from "../../venues/jupiter/instance.ts";

let world: CustodyWorld;

beforeEach(async () => {
  world = await createCustodyWorld(await createTestDatabase(), { venue: "jupiter" });
});
afterEach(async () => {
  await world.custody.stop();
  await world.database.drop();
});

const approve = async (...request: Parameters<CustodyWorld["prepare"]>) =>
  world.approve(await world.prepare(...request));

async function limits() {
  const { multisig } = world.keys.of(world.agentId);
  const mints = [instance.quote.mint, ...instance.assets.map(({ mint }) => mint)];
  const { accounts } = await world.chain.accounts(
    mints.map((mint) => deriveSpendingLimit(multisig, mint).address),
  );
  return accounts.flatMap((account, at) =>
    account === null
      ? []
      : [{ mint: mints[at], amount: spendingLimitCodec.decode(account.data).amount }],
  );
}

async function trading(status: "on" | "off", marketId = "SOL"): Promise<void> {
  await world.database.db
    .updateTable("agents")
    .set({ auto_trade: status, market_id: marketId })
    .where("id", "=", world.agentId)
    .execute();
}

describe("custody of an agent on Jupiter", () => {
  it("is set up in two signatures and shows both limits on chain", async () => {
    await world.setUp();
    const agent = await world.agent();
    expect(agent.multisig).toMatchObject({ status: "active", hasTradingKey: true });
    expect(await limits()).toMatchObject([
      { mint: instance.quote.mint, amount: 1_000n * USDC },
      { mint: instance.assets[0]?.mint },
    ]);
  });

  it("reports the addresses of the trading key's limits once they exist", async () => {
    const shown = async () => (await world.custody.summarise(world.agentId)).multisig;
    await approve("set-up");
    const begun = await shown();
    expect(begun).toMatchObject({ hasLimits: false });
    expect(begun).not.toHaveProperty("assetLimit");
    await approve("set-up");
    const { multisig } = world.keys.of(world.agentId);
    const [quote, asset] = (await limits()).map(({ mint = "" }) => mint);
    expect([quote, asset]).toEqual([instance.quote.mint, instance.assets[0]?.mint]);
    expect(await shown()).toMatchObject({
      hasLimits: true,
      quoteLimit: deriveSpendingLimit(multisig, instance.quote.mint).address,
      assetLimit: deriveSpendingLimit(multisig, instance.assets[0]!.mint).address,
    });
    // Another asset was chosen: until the owner signs, the chain has the limit of the one before
    await trading("off", "BTC");
    const [held, chosen] = instance.assets.map(
      ({ mint }) => deriveSpendingLimit(multisig, mint).address,
    );
    expect(await shown()).toMatchObject({ assetLimit: held });
    await approve("update-limits");
    expect(await shown()).toMatchObject({ assetLimit: chosen });
    await approve("revoke");
    const revoked = await shown();
    expect(revoked).toMatchObject({ hasLimits: false });
    expect(revoked).not.toHaveProperty("quoteLimit");
  });

  it("accepts a deposit into the vault and returns it to the last unit", async () => {
    await world.setUp();
    const { vault } = world.keys.of(world.agentId);
    expect(await approve("deposit", "400.5")).toMatchObject({ state: "confirmed" });
    expect(await world.quote(vault)).toBe(400_500_000n);
    expect((await world.agent()).subAccountId).toBe(0);
    await trading("off");
    await expect(world.prepare("withdraw", "400.500001")).rejects.toThrow(
      "Maximum withdrawable amount is 400.5 USDC",
    );
    expect(await approve("withdraw", "400.5")).toMatchObject({ state: "confirmed" });
    expect(await world.quote(world.owner.address)).toBe(1_000n * USDC);
  });

  it("replaces the limits when the asset or the size changes, each in one transaction", async () => {
    await world.setUp();
    await approve("deposit", "100");
    expect(
      await world.custody.prepare({ agentId: world.agentId, intent: "update-limits" }),
    ).toBeNull();
    await trading("off", "BTC");
    await expect(world.prepare("deposit", "1")).rejects.toThrow(
      "The trading key's spending limits do not fit the agent's asset. Please update them first.",
    );
    expect(await approve("update-limits")).toMatchObject({ state: "confirmed" });
    expect((await limits()).map(({ mint }) => mint)).toEqual([
      instance.quote.mint,
      instance.assets[1]?.mint,
    ]);
    expect(await approve("update-limits", "250")).toMatchObject({ state: "confirmed" });
    expect((await limits())[0]?.amount).toBe(250n * USDC);
    await expect(world.prepare("update-limits", "0.5")).rejects.toThrow("from 1 to 1,000,000");
  });

  it("shows the owner how much the trading key may move, to where, and what is left today", async () => {
    await world.setUp();
    const { tradingKey, multisig } = world.keys.of(world.agentId);
    const access = async () => (await world.custody.summariseAccess(world.agentId))?.limits;
    const toItself = { period: "day", destinations: [tradingKey.address] };
    expect(await access()).toMatchObject([
      {
        symbol: "USDC",
        amount: "1000",
        remaining: "1000",
        account: deriveSpendingLimit(multisig, instance.quote.mint).address,
        ...toItself,
      },
      { symbol: "SOL", amount: "6.451612904", remaining: "6.451612904", ...toItself },
    ]);
    await approve("update-limits", "250");
    expect(await access()).toMatchObject([{ amount: "250" }, { amount: "1.612903226" }]);
    await trading("off", "BTC");
    await approve("update-limits");
    expect((await access())?.map(({ symbol }) => symbol)).toEqual(["USDC", "BTC"]);
    // The key's USDC, SOL and BTC accounts
    expect((await world.custody.summariseAccess(world.agentId))?.unrecoverable).toEqual([
      { what: "Multisig account", lamports: "2039280" },
      { what: "The trading key's token accounts", lamports: "6117840" },
    ]);
    await approve("revoke");
    expect(await access()).toEqual([]);
  });

  it("leaves no key that may trade after a revocation", async () => {
    await world.setUp();
    await approve("deposit", "100");
    expect(await approve("revoke")).toMatchObject({ state: "confirmed" });
    expect(await limits()).toEqual([]);
  });

  it("finds a revocation whose report was lost with the tab", async () => {
    await world.setUp();
    await approve("deposit", "100");
    const prepared = await world.prepare("revoke");
    await world.chain.send(world.sign(prepared));
    await world.restart();
    await world.custody.follow(world.agentId);
    expect(await world.custody.find(prepared.id)).toMatchObject({ state: "confirmed" });
    expect(await world.agent()).toMatchObject({
      autoTrade: "off",
      multisig: { hasTradingKey: false },
    });
  });

  describe("an agent whose wallet added bytes and whose report was lost", () => {
    const added = () =>
      transferLamports({ from: world.owner.address, to: world.owner.address }, 1n);
    const EXPIRY_MS = 190 * 400;

    /** Sends a prepared transaction as a wallet that adds an instruction of its own does. */
    async function sendAltered(prepared: Awaited<ReturnType<typeof world.prepare>>) {
      const original = decodeTransaction(
        Uint8Array.from(Buffer.from(prepared.transaction, "base64")),
      );
      const { lastValidBlockHeight } = await world.chain.latestBlockhash();
      const bytes = compileTransaction({
        feePayer: original.feePayer,
        lifetime: { blockhash: original.blockhash as Blockhash, lastValidBlockHeight },
        instructions: [...original.instructions, added()],
      });
      await world.chain.send(signTransaction(bytes, world.owner));
    }

    async function stateOf(id: string) {
      await world.custody.follow(world.agentId);
      return world.custody.find(id);
    }

    beforeEach(() => world.setUp());

    it("is still revoked", async () => {
      const prepared = await world.prepare("revoke");
      await sendAltered(prepared);
      await world.restart();
      expect(await stateOf(prepared.id)).toMatchObject({ state: "confirmed", reason: null });
      expect(await world.agent()).toMatchObject({
        autoTrade: "off",
        multisig: { hasTradingKey: false },
      });
    });

    it("has its new limits, even when first queried after the expiry", async () => {
      const prepared = await world.prepare("update-limits", "250");
      await sendAltered(prepared);
      world.clock.advance(EXPIRY_MS);
      expect(await stateOf(prepared.id)).toMatchObject({ state: "confirmed" });
      expect((await limits())[0]?.amount).toBe(250n * USDC);
    });

    it("is set up again", async () => {
      await approve("revoke");
      const prepared = await world.prepare("set-up");
      await sendAltered(prepared);
      expect(await stateOf(prepared.id)).toMatchObject({ state: "confirmed" });
      expect((await world.agent()).multisig).toMatchObject({ hasTradingKey: true });
    });

    it("attributes a landed transaction to one of two identical requests", async () => {
      const one = await world.prepare("update-limits", "250");
      world.clock.advance(800);
      const other = await world.prepare("update-limits", "250");
      await sendAltered(other);
      expect(await stateOf(other.id)).toMatchObject({ state: "confirmed" });
      world.clock.advance(EXPIRY_MS);
      expect(await stateOf(one.id)).toMatchObject({ state: "abandoned" });
    });

    it("never counts an unsigned transaction as signed", async () => {
      await approve("update-limits", "300");
      const revocation = await world.prepare("revoke");
      expect(await stateOf(revocation.id)).toMatchObject({ state: "prepared" });
      const prepared = await world.prepare("update-limits", "250");
      await sendAltered(await world.prepare("update-limits", "200"));
      world.clock.advance(EXPIRY_MS);
      expect(await stateOf(prepared.id)).toMatchObject({ state: "abandoned" });
      const last = await world.prepare("update-limits", "150");
      world.clock.advance(EXPIRY_MS);
      expect(await stateOf(last.id)).toMatchObject({
        state: "expired",
        reason: "It was not signed in time.",
      });
      expect((await limits())[0]?.amount).toBe(200n * USDC);
    });
  });

  it("keeps its records while previously issued limits could still be signed", async () => {
    await approve("set-up");
    const limiting = await world.prepare("set-up");
    world.clock.advance(800);
    await approve("delete");
    await expect(world.custody.close(world.agentId)).rejects.toMatchObject({
      code: "transaction_open",
      message: expect.stringContaining("Please try again in 73 seconds."),
    });
    const fast = world.serverOn((chain) =>
      wrapChain(chain, () => ({ slotDurationMs: async () => 200 })),
    );
    await expect(fast.close(world.agentId)).rejects.toThrow("Please try again in 37 seconds.");
    await world.chain.send(world.sign(limiting));
    await expect(world.custody.close(world.agentId)).rejects.toMatchObject({
      code: "funds_remaining",
    });
    expect(await limits()).toHaveLength(2);
    for (let step = 0; step < 6; step += 1) {
      const prepared = await world.custody.prepare({ agentId: world.agentId, intent: "delete" });
      if (prepared === null) break;
      await world.approve(prepared);
    }
    await world.custody.close(world.agentId);
    expect(await limits()).toEqual([]);
  });

  it("removes its records once such limits have expired", async () => {
    await approve("set-up");
    await world.prepare("set-up");
    world.clock.advance(800);
    await approve("delete");
    world.clock.advance(190 * 400);
    await world.custody.close(world.agentId);
    expect((await world.agent()).multisig).toMatchObject({ status: "closed" });
  });

  it("is deleted step by step once it is empty, beginning with the limits", async () => {
    await world.setUp();
    await approve("deposit", "100");
    await trading("off");
    await approve("withdraw", "100");
    const counts: string[] = [];
    for (let step = 0; step < 6; step += 1) {
      const prepared = await world.custody.prepare({ agentId: world.agentId, intent: "delete" });
      if (prepared === null) break;
      counts.push(`${prepared.step} of ${prepared.stepCount}`);
      expect(await world.approve(prepared)).toMatchObject({ state: "confirmed" });
    }
    expect(counts).toEqual(["1 of 2", "2 of 2"]);
    expect(await limits()).toEqual([]);
    expect(await world.quote(world.owner.address)).toBe(1_000n * USDC);
  });
});
