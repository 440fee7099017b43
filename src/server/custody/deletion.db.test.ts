import { beforeEach, describe, expect, it } from "vitest";
import { putPracticeAccount } from "../../../test/chain-bench.ts";
import { createCustodyWorld, type CustodyWorld, USDC } from "../../../test/custody-world.ts";
import { useDatabase } from "../../../test/database.ts";
import { readExchange } from "../../../test/exchange-takings.ts";
import { countLamports } from "../../../test/lamport-count.ts";
import { linkChain } from "../../solana/chain-links.ts";
import {
  createAccountMemory,
  crossCheckedAccounts,
  forgetAccounts,
} from "../../solana/cross-checked-accounts.ts";
import { signatureOf } from "../../solana/signing.ts";
import { DRIFT_V2_INSTANCE } from "../../venues/drift/instance.ts";
import { REFERRER_STATUS, userStatsLayout } from "../../venues/drift/layout-user-stats.ts";
import { deriveUserStats } from "../../venues/drift/pdas.ts";
import { changeExchange } from "../../../test/practice-operator.ts";

const database = useDatabase({ isEach: true });
let world: CustodyWorld;

beforeEach(async () => {
  world = await createCustodyWorld(database);
  await world.setUp();
});

const turnOff = () => database.db.updateTable("agents").set({ auto_trade: "off" }).execute();

const vaultLamports = () => world.lamports(world.keys.of(world.agentId).vault);

const deletion = () => world.custody.summariseDeletion(world.agentId);

/** Signs whatever is left to sign and answers the labels in order. */
async function finish(): Promise<string[]> {
  const labels: string[] = [];
  for (;;) {
    const prepared = await world.custody.prepare({ agentId: world.agentId, intent: "delete" });
    if (prepared === null) return labels;
    labels.push(prepared.label);
    expect(await world.approve(prepared)).toMatchObject({ state: "confirmed" });
  }
}

const STEPS = ["Delete the exchange account", "Recover the vault's SOL"];

describe("deleting an agent", () => {
  it("is refused while funds remain, with their amount, and while the agent is on", async () => {
    await world.approve(await world.prepare("deposit", "12.5"));
    const refusal = "Please withdraw all funds first. Current balance: 12.5 USDC";
    await expect(world.prepare("delete")).rejects.toMatchObject({
      code: "funds_remaining",
      message: refusal,
    });
    expect(await deletion()).toMatchObject({ state: "refused", refusal });
    await expect(world.custody.close(world.agentId)).rejects.toMatchObject({ message: refusal });

    await turnOff();
    await world.approve(await world.prepare("withdraw", "12.5"));
    await database.db.updateTable("agents").set({ auto_trade: "on" }).execute();
    await expect(world.prepare("delete")).rejects.toMatchObject({
      message: "Please turn Auto-Trade off first.",
    });
  });

  it("returns everything except the reserve and the unrecoverable part, to the lamport", async () => {
    const count = await countLamports(world);
    const before = { total: await count.total(), owner: await world.lamports(world.owner.address) };
    await world.approve(await world.prepare("deposit", "100"));
    await turnOff();
    await world.approve(await world.prepare("withdraw", "100"));
    expect(await deletion()).toMatchObject({ state: "open", steps: STEPS });
    expect(await finish()).toEqual(STEPS);

    expect(await vaultLamports()).toBe(1_000_000n);
    expect(await count.total()).toBe(before.total - (await count.fees()));
    const { recoveredLamports, warnings, state } = await deletion();
    expect(state).toBe("cleared");
    const { unrecoverableLamports } = await deletion();
    const owner = await world.lamports(world.owner.address);
    // The vault was funded with 0.1 SOL and its token account opened before the count; the statistics account's rent
    // stays on chain
    const stays = 1_000_000n + (BigInt(unrecoverableLamports) - 2_039_280n);
    expect(owner).toBe(before.owner + 102_039_280n - stays - (await count.fees()));
    expect(warnings).toEqual([
      `Recovered 0.${recoveredLamports.padStart(9, "0").slice(0, 6)} SOL from multisig vault`,
    ]);
    expect(await world.quote(world.owner.address)).toBe(1_000n * USDC);
    await world.custody.close(world.agentId);
    expect(await world.agent()).toMatchObject({ multisig: { status: "closed" } });
  });

  it("is answered right after each step on a network with one node", async () => {
    const memory = createAccountMemory();
    const careful = { others: [], memory, sleep: async () => {} };
    const server = world.serverOn((chain) => linkChain(chain, crossCheckedAccounts(careful)), {
      forgetAccounts: (addresses) => forgetAccounts(memory, addresses),
    });
    await world.approve(await world.prepare("deposit", "10"));
    await turnOff();
    await world.approve(await world.prepare("withdraw", "10"));
    const states = [];
    for (;;) {
      const prepared = await server.prepare({ agentId: world.agentId, intent: "delete" });
      if (prepared === null) break;
      const signed = world.sign(prepared);
      await world.chain.send(signed);
      await server.acceptSent(prepared.id, signatureOf(signed));
      states.push((await server.summariseDeletion(world.agentId)).state);
    }
    expect(states).toEqual(["open", "cleared"]);
    await server.close(world.agentId);
  });

  it("recovers an agent that was set up and never used", async () => {
    expect(await finish()).toEqual(STEPS);
    expect(await vaultLamports()).toBe(1_000_000n);
  });

  it("also withdraws the venue's dust and any amount in the vault", async () => {
    const before = await readExchange(world);
    const total = world.ledger.totalQuote();
    await world.approve(await world.prepare("deposit", "10"));
    await turnOff();
    await world.approve(await world.prepare("withdraw", "9.995"));
    const { vault } = world.keys.of(world.agentId);
    await world.chain.fund(vault, { lamports: 0n, quoteUnits: 20_000n });
    expect(await finish()).toEqual(["Withdraw USDC", ...STEPS]);
    // A withdrawal that leaves something rounds against the balance: of the 5,000 units left 4,999 could leave
    expect(await world.quote(world.owner.address)).toBe(1_000n * USDC + 20_000n - 1n);
    expect((await readExchange(world)).vault).toBe(before.vault + 1n);
    expect(world.ledger.totalQuote()).toBe(total + 20_000n);
  });

  it("allows withdrawing everything, or all but the last two units", async () => {
    await world.approve(await world.prepare("deposit", "10"));
    await turnOff();
    await expect(world.prepare("withdraw", "9.999999")).rejects.toMatchObject({
      code: "amount_invalid",
      message:
        "Please withdraw all 10 or at most 9.999998: the exchange cannot keep the last unit alone.",
    });
    await world.approve(await world.prepare("withdraw", "9.999998"));
    expect(await world.custody.summariseAccess(world.agentId)).toMatchObject({
      venueQuote: "0.000001",
    });
    expect(await finish()).toEqual(["Withdraw USDC", ...STEPS]);
    expect(await world.quote(world.owner.address)).toBe(1_000n * USDC - 1n);
  });

  it("cannot be blocked by dust that somebody sends once the vault is empty", async () => {
    await finish();
    const { vault } = world.keys.of(world.agentId);
    await world.chain.fund(vault, { lamports: 0n, quoteUnits: 9_000n });
    await expect(world.custody.close(world.agentId)).resolves.toBeUndefined();
  });

  it("leaves an account that is too young without a trading key and says until when", async () => {
    await changeExchange(world.chain, { maxInitializeUserFee: 1 });
    expect(await finish()).toEqual(["Revoke the trading key", "Recover the vault's SOL"]);
    const { warnings, state } = await deletion();
    expect(state).toBe("cleared");
    expect(warnings).toContain(
      "Subaccount deletion failed. Please delete manually through Drift UI to recover 0.003 SOL rent. The exchange allows it from 2026-12-04; until then 0.03134784 SOL stay in it.",
    );
    await world.custody.close(world.agentId);
  });

  it("leaves an account that a stranger named as referrer, which can never be deleted", async () => {
    const stats = deriveUserStats(DRIFT_V2_INSTANCE, world.keys.of(world.agentId).vault);
    const account = (await world.ledger.view()).account(stats);
    if (account === undefined) throw new Error("The agent has no statistics");
    const { isReferrer: referrerStatus } = REFERRER_STATUS;
    const named = { ...userStatsLayout.decode(account.data), referrerStatus };
    const data = userStatsLayout.encode(named);
    await putPracticeAccount(world.ledger, stats, { ...account, data });
    expect(await finish()).toEqual(["Revoke the trading key", "Recover the vault's SOL"]);
    const { warnings, state, unrecoverableLamports } = await deletion();
    expect(state).toBe("cleared");
    expect(warnings).toContain(
      "The exchange never deletes this subaccount, because somebody named it as his referrer: 0.03134784 SOL stay in it.",
    );
    expect(BigInt(unrecoverableLamports)).toBeGreaterThan(31_347_840n);
    await world.custody.close(world.agentId);
  });

  it("deletes an account that has become old enough", async () => {
    await changeExchange(world.chain, { maxInitializeUserFee: 1 });
    world.clock.advance(13 * 24 * 3_600_000);
    expect(await finish()).toEqual(STEPS);
  });

  it("keeps the records while any funds remain", async () => {
    await world.approve(await world.prepare("delete"));
    await expect(world.custody.close(world.agentId)).rejects.toMatchObject({
      code: "funds_remaining",
    });
    expect(await world.agent()).toMatchObject({ multisig: { status: "deleting" } });
  });

  it("accepts no deposit once closed", async () => {
    await finish();
    await world.custody.close(world.agentId);
    await expect(world.prepare("deposit", "1")).rejects.toMatchObject({ code: "conflict" });
  });
});

describe("the trading key", () => {
  it("can be revoked by the owner at any time, which turns trading off", async () => {
    await world.approve(await world.prepare("deposit", "10"));
    expect(await world.custody.summariseAccess(world.agentId)).toMatchObject({
      tradingKeyState: "ours",
      venueQuote: "10",
      vaultQuote: "0",
    });
    await world.approve(await world.prepare("revoke"));
    expect(await world.agent()).toMatchObject({
      autoTrade: "off",
      multisig: { hasTradingKey: false },
    });
    expect(await world.custody.summariseAccess(world.agentId)).toMatchObject({
      tradingKeyState: "none",
      tradingKeyOnChain: null,
    });
    expect(await world.custody.prepare({ agentId: world.agentId, intent: "revoke" })).toBeNull();
  });

  it("can be restored by the set-up", async () => {
    await world.approve(await world.prepare("revoke"));
    await world.approve(await world.prepare("set-up"));
    expect(await world.custody.summariseAccess(world.agentId)).toMatchObject({
      tradingKeyState: "ours",
    });
  });
});
