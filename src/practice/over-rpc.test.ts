import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { connectRpc } from "../../test/connect-rpc.ts";
import { startRpcServer, type RpcServer } from "../../test/rpc-server.ts";
import { type Chain, ChainUnavailableError, TransactionRefusedError } from "../solana/chain.ts";
import { askSignature } from "../solana/settle-signature.ts";
import { transferLamports } from "../solana/programs/system.ts";
import { withFaults } from "../../test/faults.ts";
import { signTransaction, practiceKeyPair } from "./sign-transaction.ts";
import { createMemoryLedger } from "../../test/memory-ledger.ts";
import { createPracticeChain, type PracticeChain } from "./practice-chain.ts";
import { setRentPerByte } from "../../test/practice-operator.ts";

const alice = practiceKeyPair("alice");
const bob = practiceKeyPair("bob");

const clock = { now: () => 1_700_000_000_000 };

describe("a chain behind JSON-RPC", () => {
  let practice: PracticeChain;
  let nodes: RpcServer[];
  let chain: Chain;

  beforeEach(async () => {
    practice = await createPracticeChain({
      ledger: createMemoryLedger(),
      clock,
      prices: { label: "none", quote: () => undefined },
    });
    await practice.fund(alice.address, { lamports: 1_000_000_000n, quoteUnits: 0n });
    nodes = [await startRpcServer(practice), await startRpcServer(practice)];
    chain = (await connectRpc(nodes, practice, { clock })).chain;
  });

  afterEach(async () => {
    await Promise.all(nodes.map((node) => node.close()));
  });

  const transfer = async (lamports: bigint) => {
    const { blockhash } = await chain.latestBlockhash();
    const give = transferLamports({ from: alice.address, to: bob.address }, lamports);
    return signTransaction([alice], [give], blockhash);
  };

  it("reads, simulates, sends and follows like the chain itself", async () => {
    const bytes = await transfer(5_000_000n);
    expect(await chain.genesisHash()).toBe(await practice.genesisHash());
    expect((await chain.simulate(bytes)).error).toBeNull();
    const signature = await chain.send(bytes);
    expect(await chain.accounts([bob.address, alice.address])).toEqual(
      await practice.accounts([bob.address, alice.address]),
    );
    expect(await chain.signatureStatuses([signature])).toEqual(
      await practice.signatureStatuses([signature]),
    );
    expect(await chain.transaction(signature)).toEqual(await practice.transaction(signature));
    expect(await chain.signaturesFor(bob.address, 5)).toEqual([signature]);
    expect(await chain.progress("finalized")).toEqual(await practice.progress("finalized"));
  });

  it("gathers questions for the outcome of entries, and asks at once for an exit's", async () => {
    const { forCalls } = await connectRpc(nodes, practice, {
      clock,
      // A call that was given up and made again would be counted twice
      timeoutMs: 60_000,
      statuses: { endOfTick: async () => {}, pause: () => new Promise<never>(() => {}) },
    });
    const asked = () =>
      nodes.flatMap(({ calls }) => calls).filter((method) => method === "getSignatureStatuses");
    const signature = await chain.send(await transfer(5_000_000n));
    const ask = (callClass: "entry" | "exit") =>
      askSignature(forCalls(callClass).chain, {
        signature,
        lastValidBlockHeight: 0n,
        blockhashSlot: null,
      });
    const landed = await ask("entry");
    expect(landed).toMatchObject({ kind: "landed", status: { error: null } });
    expect(asked()).toHaveLength(1);
    void ask("entry");
    for (let exits = 2; exits < 5; exits += 1) {
      expect(await ask("exit")).toEqual(landed);
      expect(asked()).toHaveLength(exits);
    }
  });

  it.each([6_960n, 5_080n, 696n])(
    "returns the cost of an account at %s lamports a byte",
    async (rate) => {
      await setRentPerByte(practice, rate);
      expect(await chain.minimumBalance(0)).toBe(128n * rate);
      expect(await chain.minimumBalance(165)).toBe(293n * rate);
      const least = transferLamports({ from: alice.address, to: bob.address }, 128n * rate);
      const { blockhash } = await chain.latestBlockhash();
      const simulate = async (lamports: bigint) => {
        const give = transferLamports({ from: alice.address, to: bob.address }, lamports);
        return (await chain.simulate(signTransaction([alice], [give], blockhash))).error?.name;
      };
      expect(await simulate(128n * rate - 1n)).toBe("InsufficientFundsForRent");
      await chain.send(signTransaction([alice], [least], blockhash));
      expect((await chain.accounts([bob.address])).accounts[0]?.lamports).toBe(128n * rate);
    },
  );

  it("measures the duration of a slot", async () => {
    expect(await chain.slotDurationMs()).toBe(400);
    const fast = await startRpcServer({ ...practice, slotDurationMs: async () => 200 });
    nodes.push(fast);
    const { chain: hurried } = await connectRpc([fast], practice, { clock });
    expect(await hurried.slotDurationMs()).toBe(200);
  });

  it("reads the recent priority fees of the accounts that a transaction changes", async () => {
    const asked: unknown[] = [];
    const busy = await startRpcServer({
      ...practice,
      async recentUnitPrices(writable) {
        asked.push(writable);
        return [0n, 7_000n, 5_000n];
      },
    });
    const { chain: priced } = await connectRpc([busy], practice, { clock });
    const many = Array.from({ length: 200 }, (_, at) => practiceKeyPair(`account ${at}`).address);
    expect(await priced.recentUnitPrices([alice.address])).toEqual([0n, 7_000n, 5_000n]);
    await priced.recentUnitPrices(many);
    expect(asked).toEqual([[alice.address], many.slice(0, 128)]);
    await busy.close();
    await expect(priced.recentUnitPrices([])).rejects.toBeInstanceOf(ChainUnavailableError);
  });

  it("returns null for a signature that no node has seen", async () => {
    const unsent = practiceKeyPair("carol").address;
    expect((await chain.accounts([unsent])).accounts).toEqual([null]);
  });

  it("moves to the next node on limits, server errors, silence and dropped answers", async () => {
    for (const fault of [
      { kind: "status", status: 429 },
      { kind: "status", status: 503 },
      { kind: "hang" },
      { kind: "drop-answer" },
    ] as const) {
      nodes[0]?.fail(fault);
      nodes[1]?.fail(fault);
      expect(await chain.genesisHash()).toBe(await practice.genesisHash());
    }
  });

  it("says unavailable without naming a node when none answers", async () => {
    for (const node of nodes)
      node.fail(...Array.from({ length: 4 }, () => ({ kind: "status", status: 500 }) as const));
    const refusal = await chain.genesisHash().catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ChainUnavailableError);
    expect(String(refusal)).not.toContain("127.0.0.1");
  });

  it("reports a send with a lost answer as unknown, never as refused, and lands it once", async () => {
    const bytes = await transfer(600_000_000n);
    nodes[0]?.fail({ kind: "drop-answer" });
    // It landed: another node would refuse the same bytes for insufficient funds
    await expect(chain.send(bytes)).rejects.toBeInstanceOf(ChainUnavailableError);
    const signature = await chain.send(bytes);
    expect((await chain.transaction(signature))?.lamportDeltas.get(bob.address)).toBe(600_000_000n);
    expect((await chain.accounts([bob.address])).accounts[0]?.lamports).toBe(600_000_000n);
  });

  it("distinguishes a refused transaction from an unavailable node", async () => {
    const bytes = await transfer(2_000_000_000n);
    const refusal = await chain.send(bytes).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(TransactionRefusedError);
    expect(refusal).toMatchObject({ error: { kind: "instruction", name: "Custom", code: 1 } });
  });

  it("reads nothing older than a reported transaction, and asks a node that has seen it", async () => {
    let nowMs = 1_700_000_000_000;
    const moving = await createPracticeChain({
      ledger: createMemoryLedger(),
      clock: { now: () => nowMs },
      prices: { label: "none", quote: () => undefined },
    });
    await moving.fund(alice.address, { lamports: 1_000_000_000n, quoteUnits: 0n });
    const behind = withFaults(moving);
    await moving.fund(bob.address, { lamports: 1_000_000n, quoteUnits: 0n });
    await behind.setStale([bob.address]);
    nowMs += 20_000;
    const both = [await startRpcServer(behind), await startRpcServer(moving)];
    nodes.push(...both);
    const { chain: forward } = await connectRpc(both, moving, { clock: { now: () => nowMs } });
    const { blockhash } = await forward.latestBlockhash();
    const give = transferLamports({ from: alice.address, to: bob.address }, 600_000_000n);
    const signature = await forward.send(signTransaction([alice], [give], blockhash));
    const lamports = async () => (await forward.accounts([bob.address])).accounts[0]?.lamports;
    expect(await lamports()).toBe(1_000_000n);
    expect((await forward.transaction(signature))?.error).toBeNull();
    expect(await lamports()).toBe(601_000_000n);
  });

  it("refuses to read from a node behind the required slot", async () => {
    await expect(
      chain.accounts([alice.address], { minContextSlot: 10_000_000_000n }),
    ).rejects.toBeInstanceOf(ChainUnavailableError);
  });
});
