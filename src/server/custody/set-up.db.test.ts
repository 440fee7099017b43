import { beforeEach, describe, expect, it } from "vitest";
import { createCustodyWorld, type CustodyWorld, SOL } from "../../../test/custody-world.ts";
import { useDatabase } from "../../../test/database.ts";
import { ChainUnavailableError } from "../../solana/chain.ts";
import { multisigCreateV2 } from "../../solana/programs/squads.ts";
import { decodeTransaction } from "../../solana/decode-transaction.ts";
import { signTransaction } from "../../solana/signing.ts";
import { isVersion1 } from "../../solana/wire.ts";
import { compileTransaction } from "../../solana/transaction.ts";
import { SQUADS_TREASURY } from "../../practice/genesis.ts";
import { listUnsettled } from "../store/custody/custody.ts";
import { setRentPerByte } from "../../../test/practice-operator.ts";

const database = useDatabase({ isEach: true });
let world: CustodyWorld;

beforeEach(async () => {
  world = await createCustodyWorld(database);
});

const vault = () => world.keys.of(world.agentId).vault;
/** Creates the remains of an interrupted set-up: the multisig without its funding. */
async function createMultisigAlone(): Promise<void> {
  const { owner, chain } = world;
  const { createKey } = world.keys.of(world.agentId);
  const instructions = [
    multisigCreateV2(
      { treasury: SQUADS_TREASURY, createKey: createKey.address, creator: owner.address },
      {
        configAuthority: owner.address,
        threshold: 1,
        members: [{ key: owner.address, permissions: 7 }],
        rentCollector: owner.address,
      },
    ),
  ];
  const lifetime = await chain.latestBlockhash();
  const bytes = compileTransaction({ feePayer: owner.address, lifetime, instructions });
  await chain.send(signTransaction(signTransaction(bytes, owner), createKey));
}

const states = async () =>
  (await world.custody.summarise(world.agentId)).steps.map(({ state }) => state);

describe("set-up", () => {
  it("creates the multisig, funds the vault and sets the trading key in two signatures", async () => {
    expect(await states()).toEqual(["todo", "todo", "todo"]);
    const first = await world.prepare("set-up");
    expect(first).toMatchObject({
      method: "sign",
      step: 1,
      stepCount: 2,
      label: "Create the multisig and fund the vault (0.1 SOL)",
      vault: vault(),
      network: "practice",
      // The multisig's account and the vault's token account
      costs: { rentLamports: "4078560", transferLamports: "100000000" },
    });
    expect(await states()).toEqual(["open", "open", "todo"]);
    expect(await world.approve(first)).toMatchObject({ state: "confirmed" });
    expect(await world.lamports(vault())).toBe(SOL / 10n);
    expect((await world.agent()).multisig).toMatchObject({
      status: "active",
      hasTradingKey: false,
    });

    const second = await world.prepare("set-up");
    expect(second).toMatchObject({ method: "signAndSend", step: 2, stepCount: 2 });
    expect(second.costs.rentLamports).toBe("0");
    expect(await states()).toEqual(["done", "done", "open"]);
    expect(await world.approve(second)).toMatchObject({ state: "confirmed" });
    expect(await states()).toEqual(["done", "done", "done"]);
    expect((await world.agent()).multisig).toMatchObject({ status: "active", hasTradingKey: true });
    expect(await world.custody.prepare({ agentId: world.agentId, intent: "set-up" })).toBeNull();
    expect(world.notices).toContainEqual({ topic: "custody", id: world.agentId });
  });

  it.each([
    ["drift", "Open the exchange account and name the trading key"],
    ["jupiter", "Let the trading key move at most 1000 USDC and 6.451612904 SOL a day"],
  ] as const)("needs one signature of a wallet that signs version 1 on %s", async (venue, then) => {
    world = await createCustodyWorld(database, { venue, versions: ["legacy", 0, 1] });
    const before = await world.lamports(world.owner.address);
    const whole = await world.prepare("set-up");
    expect(decodeTransaction(Buffer.from(whole.transaction, "base64")).settings).not.toBeNull();
    expect(whole).toMatchObject({
      method: "sign",
      step: 1,
      stepCount: 1,
      label: `Create the multisig and fund the vault (0.1 SOL). ${then}`,
    });
    expect(await states()).toEqual(["open", "open", "open"]);
    expect(await world.approve(whole)).toMatchObject({ state: "confirmed", step: 1, stepCount: 1 });
    expect(await states()).toEqual(["done", "done", "done"]);
    expect((await world.agent()).multisig).toMatchObject({ status: "active", hasTradingKey: true });
    const { networkFeeLamports, rentLamports, transferLamports } = whole.costs;
    expect(before - (await world.lamports(world.owner.address))).toBe(
      BigInt(networkFeeLamports) + BigInt(rentLamports) + BigInt(transferLamports),
    );
    expect(await world.custody.prepare({ agentId: world.agentId, intent: "set-up" })).toBeNull();
  });

  it("falls back to two signatures where a node cannot read version 1 yet", async () => {
    world = await createCustodyWorld(database, { versions: ["legacy", 0, 1] });
    const old = world.serverOn((chain) => ({
      ...chain,
      simulate: (bytes) =>
        isVersion1(bytes)
          ? Promise.reject(new ChainUnavailableError("The node cannot read that"))
          : chain.simulate(bytes),
    }));
    const versions = ["legacy", 0, 1] as const;
    expect(await old.prepare({ agentId: world.agentId, intent: "set-up", versions })).toMatchObject(
      { step: 1, stepCount: 2 },
    );
  });

  it("costs the owner exactly what was announced", async () => {
    const before = await world.lamports(world.owner.address);
    const prepared = await world.prepare("set-up");
    await world.approve(prepared);
    const { networkFeeLamports, rentLamports, transferLamports } = prepared.costs;
    expect(before - (await world.lamports(world.owner.address))).toBe(
      BigInt(networkFeeLamports) + BigInt(rentLamports) + BigInt(transferLamports),
    );
  });

  it.each([
    [6_960n, "2039280", "2561280"],
    [5_080n, "1488440", "1869440"],
    [696n, "203928", "256128"],
  ])("costs what the chain charges per byte: %s lamports", async (rate, multisig, statistics) => {
    world = await createCustodyWorld(database, { versions: ["legacy", 0, 1] });
    await setRentPerByte(world.chain, rate);
    const before = await world.lamports(world.owner.address);
    const prepared = await world.prepare("set-up");
    expect(prepared.costs).toMatchObject({
      // The vault's token account is as large as the multisig's
      rentLamports: (2n * BigInt(multisig)).toString(),
      unrecoverable: [
        { what: "Multisig account", lamports: multisig },
        { what: "Statistics account", lamports: statistics },
      ],
    });
    await world.approve(prepared);
    const { networkFeeLamports, rentLamports, transferLamports } = prepared.costs;
    expect(before - (await world.lamports(world.owner.address))).toBe(
      BigInt(networkFeeLamports) + BigInt(rentLamports) + BigInt(transferLamports),
    );
    expect(await world.lamports(vault())).toBe(SOL / 10n - (4_376n + 240n + 2n * 128n) * rate);
    const { unrecoverableLamports } = await world.custody.summarise(world.agentId);
    expect(unrecoverableLamports).toBe(`${BigInt(multisig) + BigInt(statistics)}`);
    const deletion = await world.custody.summariseDeletion(world.agentId);
    expect(deletion).toMatchObject({ unrecoverableLamports, keptLamports: "1000000" });
    // What was opened at one price and is lost at another is what was paid
    await setRentPerByte(world.chain, 10_000n);
    expect(await world.custody.summariseDeletion(world.agentId)).toMatchObject({
      unrecoverableLamports,
      keptLamports: "1280000",
    });
  });

  it("finds the same multisig again after the tab was closed before signing", async () => {
    const first = await world.prepare("set-up");
    await world.restart();
    const again = await world.prepare("set-up");
    expect(again).toMatchObject({ step: 1, multisig: first.multisig, vault: first.vault });
    expect(await world.custody.find(first.id)).toMatchObject({ state: "abandoned" });
    await expect(world.custody.acceptSigned(first.id, world.sign(first))).rejects.toMatchObject({
      code: "conflict",
    });
    expect(await world.approve(again)).toMatchObject({ state: "confirmed" });
  });

  it("attaches on the next start when the server died between landing and recording", async () => {
    const first = await world.prepare("set-up");
    const dying = world.serverOn((chain) => ({
      ...chain,
      async send(bytes) {
        await chain.send(bytes);
        throw new ChainUnavailableError("The answer was lost");
      },
      signatureStatuses: () => Promise.reject(new ChainUnavailableError("Gone")),
    }));
    expect(await dying.acceptSigned(first.id, world.sign(first))).toMatchObject({ state: "sent" });
    await world.restart();
    world.custody.start();
    await world.custody.follow();
    expect(await world.custody.find(first.id)).toMatchObject({ state: "confirmed" });
    expect((await world.agent()).multisig).toMatchObject({ status: "active" });
    expect(await world.lamports(vault())).toBe(SOL / 10n);
    await world.custody.stop();
  });

  it("sends the stored bytes when the server died between storing and sending", async () => {
    const first = await world.prepare("set-up");
    const dying = world.serverOn((chain) => ({
      ...chain,
      send: () => Promise.reject(new ChainUnavailableError("Never left")),
    }));
    expect(await dying.acceptSigned(first.id, world.sign(first))).toMatchObject({ state: "sent" });
    expect(await world.lamports(vault())).toBe(0n);
    await expect(world.prepare("set-up")).resolves.toMatchObject({ step: 2 });
    expect(await world.custody.find(first.id)).toMatchObject({ state: "confirmed" });
    expect(await world.lamports(vault())).toBe(SOL / 10n);
  });

  it("only funds the vault when the multisig exists, and never twice", async () => {
    await world.prepare("set-up");
    await createMultisigAlone();
    const funding = await world.prepare("set-up");
    expect(funding).toMatchObject({
      method: "signAndSend",
      step: 1,
      label: "Fund the vault (0.1 SOL)",
      costs: { rentLamports: "2039280", transferLamports: "100000000" },
    });
    await world.chain.send(world.sign(funding));
    await world.restart();
    expect(await world.prepare("set-up")).toMatchObject({ step: 2 });
    expect(await world.lamports(vault())).toBe(SOL / 10n);
    expect((await world.agent()).multisig).toMatchObject({ status: "active" });
  });

  it("funds the vault once although two tabs prepare it and the wallet sends both", async () => {
    await world.prepare("set-up");
    await createMultisigAlone();
    const one = await world.prepare("set-up");
    world.clock.advance(800);
    const other = await world.prepare("set-up");
    const before = await world.lamports(world.owner.address);
    await world.chain.send(world.sign(one));
    await expect(world.chain.send(world.sign(other))).rejects.toThrow("2006");
    await world.custody.follow(world.agentId);
    expect(await world.lamports(vault())).toBe(SOL / 10n);
    const { networkFeeLamports, rentLamports, transferLamports } = one.costs;
    expect(before - (await world.lamports(world.owner.address))).toBe(
      BigInt(networkFeeLamports) + BigInt(rentLamports) + BigInt(transferLamports),
    );
    expect(await world.custody.find(one.id)).toMatchObject({ state: "confirmed" });
    expect(await world.prepare("set-up")).toMatchObject({ step: 2 });
  });

  it("finds a delegation whose report was lost with the tab", async () => {
    await world.approve(await world.prepare("set-up"));
    const second = await world.prepare("set-up");
    await world.chain.send(world.sign(second));
    await world.restart();
    await world.custody.follow();
    expect(await world.custody.find(second.id)).toMatchObject({ state: "confirmed" });
    expect((await world.agent()).multisig).toMatchObject({ hasTradingKey: true });
  });

  it("settles as expired only once expiry is final, and can be prepared again", async () => {
    const first = await world.prepare("set-up");
    const cut = world.serverOn((chain) => ({
      ...chain,
      send: () => Promise.reject(new ChainUnavailableError("Never left")),
    }));
    await cut.acceptSigned(first.id, world.sign(first));
    world.clock.advance(151 * 400);
    await cut.follow();
    expect(await cut.find(first.id)).toMatchObject({ state: "sent" });
    await expect(cut.prepare({ agentId: world.agentId, intent: "set-up" })).rejects.toMatchObject({
      code: "transaction_open",
    });
    world.clock.advance(33 * 400);
    await cut.follow();
    expect(await cut.find(first.id)).toMatchObject({
      state: "expired",
      reason: "The transaction expired without landing. Nothing was moved.",
    });
    expect(await listUnsettled(database.db)).toEqual([]);
    expect(await world.approve(await world.prepare("set-up"))).toMatchObject({
      state: "confirmed",
    });
  });

  it("lets an unsigned transaction lapse", async () => {
    const first = await world.prepare("set-up");
    world.clock.advance(200 * 400);
    await world.custody.follow();
    expect(await world.custody.find(first.id)).toMatchObject({
      state: "expired",
      reason: "It was not signed in time.",
    });
  });

  it("keeps one of two simultaneously prepared transactions", async () => {
    const [one, other] = await Promise.all([world.prepare("set-up"), world.prepare("set-up")]);
    const rows = await Promise.all([one, other].map(({ id }) => world.custody.find(id)));
    expect(new Set(rows.map((row) => row?.state))).toEqual(new Set(["abandoned", "prepared"]));
  });

  it("names the amount that the wallet lacks", async () => {
    const poor = await createCustodyWorld(database, { lamports: SOL / 10n });
    await expect(poor.prepare("set-up")).rejects.toMatchObject({
      code: "set_up_balance_too_low",
      message: "At least 0.2 SOL is required to set up a new agent. Your wallet holds 0.1 SOL.",
    });
  });
});
