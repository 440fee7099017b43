import { AccountRole, type Instruction } from "@solana/kit";
import { beforeEach, describe, expect, it } from "vitest";
import { createCustodyWorld, type CustodyWorld, SOL, USDC } from "../../../test/custody-world.ts";
import { useDatabase } from "../../../test/database.ts";
import { ChainUnavailableError } from "../../solana/chain.ts";
import { decodeTransaction } from "../../solana/decode-transaction.ts";
import { transferChecked, USDC_MINT } from "../../solana/programs/token.ts";
import { associatedTokenAddress } from "../../solana/programs/associated-token.ts";
import { transferLamports } from "../../solana/programs/system.ts";
import { listAgentAudit } from "../store/audit/audit.ts";
import { signatureOf, signTransaction } from "../../solana/signing.ts";
import { compileTransaction } from "../../solana/transaction.ts";
import { LIGHTHOUSE_PROGRAM } from "../../solana/verify-returned.ts";

const database = useDatabase({ isEach: true });
let world: CustodyWorld;

beforeEach(async () => {
  world = await createCustodyWorld(database);
});

type Prepared = Awaited<ReturnType<CustodyWorld["prepare"]>>;

const collateral = async (): Promise<bigint> => {
  const venue = world.networks.get("practice")?.venues.get("drift");
  const { multisig, vault, tradingKey } = world.keys.of(world.agentId);
  const account = {
    owner: world.owner.address,
    multisig,
    vault,
    tradingKey: tradingKey.address,
    subAccountId: 0,
  };
  return (await venue?.accountState(account))?.netDeposits ?? -1n;
};

/** The prepared transaction with its instructions changed, signed by the owner. */
async function tampered(
  prepared: Prepared,
  change: (instructions: readonly Required<Instruction>[]) => readonly Instruction[],
): Promise<Uint8Array> {
  const original = decodeTransaction(Uint8Array.from(Buffer.from(prepared.transaction, "base64")));
  const bytes = compileTransaction({
    feePayer: original.feePayer,
    lifetime: {
      blockhash: original.blockhash as Awaited<
        ReturnType<CustodyWorld["chain"]["latestBlockhash"]>
      >["blockhash"],
      lastValidBlockHeight: BigInt(prepared.lastValidBlockHeight),
    },
    instructions: change(original.instructions),
  });
  return signTransaction(bytes, world.owner);
}

const lighthouse = (): Instruction => ({
  programAddress: LIGHTHOUSE_PROGRAM,
  accounts: [{ address: world.owner.address, role: AccountRole.READONLY }],
  data: Uint8Array.of(1, 2, 3),
});

describe("deposit", () => {
  beforeEach(() => world.setUp());

  it("moves the exact amount from wallet to venue and turns trading on from zero counts", async () => {
    const prepared = await world.prepare("deposit", "8.2");
    expect(prepared).toMatchObject({
      method: "signAndSend",
      step: 1,
      stepCount: 1,
      costs: { quoteAmount: "8200000", quoteSymbol: "USDC", quoteDecimals: 6 },
    });
    expect(await world.agent()).toMatchObject({ subAccountId: null, autoTrade: "off" });
    expect(await world.approve(prepared)).toMatchObject({ state: "confirmed", amount: 8_200_000n });
    expect(await world.quote(world.owner.address)).toBe(1_000n * USDC - 8_200_000n);
    expect(await collateral()).toBe(8_200_000n);
    expect(await world.agent()).toMatchObject({ subAccountId: 0, autoTrade: "on" });
  });

  it("records in the agent's history that trading was turned on, and off by a revocation", async () => {
    const turns = async () =>
      (await listAgentAudit(database.db, world.agentId, null, 20))
        .filter(({ action }) => action.startsWith("auto_trade_turned"))
        .map(({ action, wallet }) => `${action} ${wallet === world.owner.address}`);
    await world.approve(await world.prepare("deposit", "10"));
    expect(await turns()).toEqual(["auto_trade_turned_on true"]);
    await world.approve(await world.prepare("deposit", "5"));
    expect(await turns()).toHaveLength(1);
    await world.approve(await world.prepare("revoke"));
    expect(await turns()).toEqual(["auto_trade_turned_off true", "auto_trade_turned_on true"]);
  });

  it("keeps trading as the owner set it on a later deposit", async () => {
    await world.approve(await world.prepare("deposit", "10"));
    await database.db.updateTable("agents").set({ auto_trade: "off" }).execute();
    await world.approve(await world.prepare("deposit", "5"));
    expect(await world.agent()).toMatchObject({ subAccountId: 0, autoTrade: "off" });
    expect(await collateral()).toBe(15n * USDC);
  });

  it.each([undefined, "", "0", "0.0000001", "1e3", "-1", "1,5"])(
    "refuses the amount %s",
    async (amount) => {
      await expect(
        world.custody.prepare({ agentId: world.agentId, intent: "deposit", amount }),
      ).rejects.toMatchObject({ code: "amount_invalid" });
    },
  );

  it("refuses more than the wallet holds", async () => {
    await expect(world.prepare("deposit", "1000.000001")).rejects.toMatchObject({
      code: "balance_insufficient",
    });
    await expect(world.prepare("deposit", "1000")).resolves.toBeDefined();
  });

  it("makes one deposit of ten clicks even if every prepared transaction is signed and sent", async () => {
    const clicks = await Promise.all(
      Array.from({ length: 10 }, () => world.prepare("deposit", "10")),
    );
    const sent = await Promise.allSettled(
      clicks.map(async (prepared) => {
        const signed = world.sign(prepared);
        await world.chain.send(signed);
        return world.custody.acceptSent(prepared.id, signatureOf(signed));
      }),
    );
    await world.custody.follow();
    expect(sent.some(({ status }) => status === "fulfilled")).toBe(true);
    expect(await collateral()).toBe(10n * USDC);
    const rows = await Promise.all(clicks.map(({ id }) => world.custody.find(id)));
    expect(rows.filter((row) => row?.state === "confirmed")).toHaveLength(1);
  });

  it("lands only one of two transactions with the same index and says so", async () => {
    const first = await world.prepare("deposit", "10");
    world.clock.advance(800);
    const second = await world.prepare("deposit", "10");
    await world.chain.send(world.sign(first));
    await expect(world.chain.send(world.sign(second))).rejects.toThrow("2006");
    await world.custody.follow();
    expect(await world.custody.find(first.id)).toMatchObject({ state: "confirmed" });
    expect(await collateral()).toBe(10n * USDC);
  });

  it("blocks a second deposit while the first is on its way, and records it when it lands late", async () => {
    const prepared = await world.prepare("deposit", "10");
    const signed = world.sign(prepared);
    await world.custody.acceptSent(prepared.id, signatureOf(signed));
    world.clock.advance(31_000);
    await world.restart();
    expect(await world.custody.find(prepared.id)).toMatchObject({ state: "sent" });
    await expect(world.prepare("deposit", "10")).rejects.toMatchObject({
      code: "transaction_open",
    });
    await world.chain.send(signed);
    await world.custody.follow();
    expect(await world.custody.find(prepared.id)).toMatchObject({ state: "confirmed" });
    expect(await world.agent()).toMatchObject({ autoTrade: "on" });
  });

  it("finds a deposit whose report was lost with the tab before planning the next", async () => {
    const prepared = await world.prepare("deposit", "10");
    await world.chain.send(world.sign(prepared));
    await world.restart();
    await world.prepare("deposit", "5");
    expect(await world.custody.find(prepared.id)).toMatchObject({ state: "confirmed" });
    expect(await world.agent()).toMatchObject({ subAccountId: 0, autoTrade: "on" });
  });

  it("ignores a rejected signature: the next transaction is prepared at once", async () => {
    const rejected = await world.prepare("deposit", "10");
    const next = await world.prepare("deposit", "20");
    expect(await world.custody.find(rejected.id)).toMatchObject({ state: "abandoned" });
    await world.approve(next);
    expect(await collateral()).toBe(20n * USDC);
  });

  it("expires a deposit that never landed and allows the next", async () => {
    const prepared = await world.prepare("deposit", "10");
    await world.custody.acceptSent(prepared.id, signatureOf(world.sign(prepared)));
    world.clock.advance(190 * 400);
    await world.custody.follow();
    expect(await world.custody.find(prepared.id)).toMatchObject({ state: "expired" });
    expect(await world.agent()).toMatchObject({ subAccountId: null, autoTrade: "off" });
    await expect(world.prepare("deposit", "10")).resolves.toBeDefined();
  });

  it("never accepts another transaction's signature as the deposit's", async () => {
    const earlier = await world.prepare("deposit", "10");
    const signature = signatureOf(world.sign(earlier));
    await world.approve(earlier);
    await database.db.updateTable("agents").set({ sub_account_id: null }).execute();
    const prepared = await world.prepare("deposit", "10");
    await world.custody.acceptSent(prepared.id, signature);
    expect(await world.custody.find(prepared.id)).toMatchObject({
      state: "sent",
      signature: null,
      reason: "The reported signature belongs to another transaction.",
    });
    world.clock.advance(190 * 400);
    await world.custody.follow();
    expect(await world.custody.find(prepared.id)).toMatchObject({ state: "expired" });
    expect(await world.agent()).toMatchObject({ subAccountId: null });
    expect(await collateral()).toBe(10n * USDC);
  });

  it("counts a repeated report once", async () => {
    const prepared = await world.prepare("deposit", "10");
    const signed = world.sign(prepared);
    await world.chain.send(signed);
    const signature = signatureOf(signed);
    const both = await Promise.all([
      world.custody.acceptSent(prepared.id, signature),
      world.custody.acceptSent(prepared.id, signature),
    ]);
    expect(both.map(({ signature: known }) => known)).toEqual([signature, signature]);
    expect(await world.custody.find(prepared.id)).toMatchObject({ state: "confirmed" });
  });

  it("sends for wallets that only sign, even after a lost answer", async () => {
    const prepared = await world.prepare("deposit", "10");
    const flaky = world.serverOn((chain) => ({
      ...chain,
      async send(bytes) {
        await chain.send(bytes);
        throw new ChainUnavailableError("The answer was lost");
      },
    }));
    expect(await flaky.acceptSigned(prepared.id, world.sign(prepared))).toMatchObject({
      state: "confirmed",
    });
    expect(await collateral()).toBe(10n * USDC);
  });

  it("affects no other agent of the wallet", async () => {
    const other = await world.addAgent(world.owner.address);
    await expect(
      world.custody.prepare({ agentId: other, intent: "deposit", amount: "1" }),
    ).rejects.toMatchObject({ code: "multisig_missing" });
  });
});

describe("a transaction returned by a wallet", () => {
  beforeEach(() => world.setUp());

  it("may contain only Lighthouse assertions in addition", async () => {
    const prepared = await world.prepare("deposit", "10");
    const returned = await tampered(prepared, (instructions) => [...instructions, lighthouse()]);
    // Lighthouse does not run on the practice chain: accepted, then refused there
    expect(await world.custody.acceptSigned(prepared.id, returned)).toMatchObject({
      signature: signatureOf(returned),
    });
  });

  it.each<[string, (instructions: readonly Required<Instruction>[]) => readonly Instruction[]]>([
    [
      "an extra transfer",
      (instructions) => [
        ...instructions,
        transferLamports({ from: world.owner.address, to: LIGHTHOUSE_PROGRAM }, 1n),
      ],
    ],
    ["a missing instruction", (instructions) => instructions.slice(0, -1)],
    ["another order", (instructions) => [...instructions].reverse()],
    [
      "another destination",
      (instructions) =>
        instructions.map((one) => ({
          ...one,
          accounts: one.accounts.map((meta) =>
            meta.address === world.keys.of(world.agentId).vault
              ? { ...meta, address: LIGHTHOUSE_PROGRAM }
              : meta,
          ),
        })),
    ],
  ])("is refused with %s, and nothing is sent", async (_, change) => {
    const prepared = await world.prepare("deposit", "10");
    await expect(
      world.custody.acceptSigned(prepared.id, await tampered(prepared, change)),
    ).rejects.toMatchObject({ code: "transaction_changed" });
    expect(await world.custody.find(prepared.id)).toMatchObject({ state: "prepared" });
    expect(await collateral()).toBe(0n);
  });

  it("is refused with a missing or foreign signature", async () => {
    const prepared = await world.prepare("deposit", "10");
    const unsigned = Uint8Array.from(Buffer.from(prepared.transaction, "base64"));
    await expect(world.custody.acceptSigned(prepared.id, unsigned)).rejects.toMatchObject({
      code: "transaction_changed",
    });
    const signed = world.sign(prepared);
    signed[5] = (signed[5] ?? 0) ^ 1;
    await expect(world.custody.acceptSigned(prepared.id, signed)).rejects.toMatchObject({
      code: "transaction_changed",
    });
    await expect(
      world.custody.acceptSigned(prepared.id, Uint8Array.of(1, 2, 3)),
    ).rejects.toMatchObject({ code: "transaction_changed" });
  });
});

describe("a deposit that fails on chain", () => {
  it("is never reported as a success, whatever a third party sends to the vault meanwhile", async () => {
    world = await createCustodyWorld(database, { landsFailures: true });
    await world.setUp();
    const prepared = await world.prepare("deposit", "600");
    const signed = world.sign(prepared);
    // The tokens leave by another door before the deposit lands, and dust arrives in the vault
    await spendElsewhere(500n * USDC);
    const { vault } = world.keys.of(world.agentId);
    await world.chain.fund(vault, { lamports: SOL / 1_000n, quoteUnits: 1n });
    await world.chain.send(signed);
    expect(await world.custody.acceptSent(prepared.id, signatureOf(signed))).toMatchObject({
      state: "failed",
      reason: "There is not enough of the token for this.",
    });
    expect(await world.agent()).toMatchObject({ subAccountId: null, autoTrade: "off" });
    expect(await collateral()).toBe(0n);
    await expect(world.prepare("deposit", "500")).resolves.toBeDefined();
  });
});

async function spendElsewhere(amount: bigint): Promise<void> {
  const { chain, owner } = world;
  await chain.fund(LIGHTHOUSE_PROGRAM, { lamports: 0n, quoteUnits: 1n });
  const lifetime = await chain.latestBlockhash();
  const bytes = compileTransaction({
    feePayer: owner.address,
    lifetime,
    instructions: [
      transferChecked(
        {
          source: associatedTokenAddress(owner.address, USDC_MINT),
          mint: USDC_MINT,
          destination: associatedTokenAddress(LIGHTHOUSE_PROGRAM, USDC_MINT),
          authority: owner.address,
        },
        { amount, decimals: 6 },
      ),
    ],
  });
  await chain.send(signTransaction(bytes, owner));
}

describe("withdrawal and the other intents", () => {
  beforeEach(() => world.setUp());

  it("return the exact amount once trading is off", async () => {
    await world.approve(await world.prepare("deposit", "100"));
    await expect(world.prepare("withdraw", "40")).rejects.toMatchObject({
      code: "withdraw_while_on",
    });
    await database.db.updateTable("agents").set({ auto_trade: "off" }).execute();
    await expect(world.prepare("withdraw", "100.000001")).rejects.toMatchObject({
      code: "withdrawable_exceeded",
      message: expect.stringMatching(/Maximum withdrawable amount is 100 USDC/),
    });
    expect(await world.approve(await world.prepare("withdraw", "40"))).toMatchObject({
      state: "confirmed",
    });
    expect(await world.quote(world.owner.address)).toBe(940n * USDC);
  });

  it("refuse spending limits, which this venue does not have, with a sentence", async () => {
    await expect(world.prepare("update-limits", "250")).rejects.toMatchObject({
      code: "conflict",
      message: "Not available on this venue.",
    });
  });

  it("have nothing to close without positions", async () => {
    expect(
      await world.custody.prepare({ agentId: world.agentId, intent: "close-positions" }),
    ).toBeNull();
  });

  it("have nothing to sign while the account has the agent's leverage", async () => {
    expect(
      await world.custody.prepare({ agentId: world.agentId, intent: "update-limits" }),
    ).toBeNull();
  });
});
