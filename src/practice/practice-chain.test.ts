import { describe, expect, it } from "vitest";
import { associatedTokenAddress } from "../solana/programs/associated-token.ts";
import { transferLamports } from "../solana/programs/system.ts";
import { tokenAccountCodec, transferChecked } from "../solana/programs/token.ts";
import { PRACTICE_QUOTE_MINT } from "./genesis.ts";
import { signTransaction, practiceKeyPair } from "./sign-transaction.ts";
import { createMemoryLedger } from "../../test/memory-ledger.ts";
import { createPracticeChain } from "./practice-chain.ts";

const START_MS = 1_700_000_000_000;
const alice = practiceKeyPair("alice");
const bob = practiceKeyPair("bob");

async function openChain() {
  const clock = {
    ms: START_MS,
    now() {
      return this.ms;
    },
  };
  const prices = { label: "none", quote: () => undefined };
  const ledger = createMemoryLedger();
  const chain = await createPracticeChain({ ledger, clock, prices });
  const lamports = async (address: typeof alice.address) =>
    (await chain.accounts([address])).accounts[0]?.lamports ?? 0n;
  return { chain, clock, lamports, ledger, prices };
}

describe("practice chain", () => {
  it("moves lamports and charges the fee", async () => {
    const { chain, lamports } = await openChain();
    await chain.fund(alice.address, { lamports: 1_000_000_000n, quoteUnits: 0n });
    const { blockhash } = await chain.latestBlockhash();
    const bytes = signTransaction(
      [alice],
      [transferLamports({ from: alice.address, to: bob.address }, 5_000_000n)],
      blockhash,
    );
    const signature = await chain.send(bytes);
    expect(await lamports(alice.address)).toBe(1_000_000_000n - 5_000_000n - 5_000n);
    expect(await lamports(bob.address)).toBe(5_000_000n);
    const outcome = await chain.transaction(signature);
    expect(outcome?.error).toBeNull();
    expect(outcome?.feeLamports).toBe(5_000n);
    expect(outcome?.lamportDeltas.get(bob.address)).toBe(5_000_000n);
    expect(outcome?.logs).toEqual([
      "Program 11111111111111111111111111111111 invoke [1]",
      "Program 11111111111111111111111111111111 success",
    ]);
    expect(await chain.signaturesFor(bob.address, 10)).toEqual([signature]);
  });

  it("lands the same bytes once", async () => {
    const { chain, lamports, clock } = await openChain();
    await chain.fund(alice.address, { lamports: 1_000_000_000n, quoteUnits: 0n });
    const { blockhash } = await chain.latestBlockhash();
    const transfer = transferLamports({ from: alice.address, to: bob.address }, 5_000_000n);
    const bytes = signTransaction([alice], [transfer], blockhash);
    const first = await chain.send(bytes);
    const again = await Promise.all([chain.send(bytes), chain.send(bytes)]);
    expect(again).toEqual([first, first]);
    clock.ms += 120_000;
    expect(await chain.send(bytes)).toBe(first);
    expect(await lamports(bob.address)).toBe(5_000_000n);
  });

  it("refuses an expired blockhash, a foreign signature, a changed byte and an oversized transaction", async () => {
    const { chain, clock } = await openChain();
    await chain.fund(alice.address, { lamports: 1_000_000_000n, quoteUnits: 0n });
    const { blockhash, lastValidBlockHeight } = await chain.latestBlockhash();
    const transfer = transferLamports({ from: alice.address, to: bob.address }, 5_000_000n);
    const bytes = signTransaction([alice], [transfer], blockhash);
    const changed = Uint8Array.from(bytes);
    changed[changed.length - 3] = 1;
    await expect(chain.send(changed)).rejects.toMatchObject({
      error: { name: "SignatureFailure" },
    });
    await expect(chain.send(bytes.subarray(0, bytes.length - 1))).rejects.toMatchObject({
      error: { name: "SanitizeFailure" },
    });
    await expect(chain.send(new Uint8Array(1_233))).rejects.toMatchObject({
      error: { name: "TransactionTooLarge" },
    });
    clock.ms += 150 * 400;
    expect((await chain.progress("confirmed")).blockHeight).toBe(lastValidBlockHeight);
    clock.ms += 400;
    await expect(chain.send(bytes)).rejects.toMatchObject({ error: { name: "BlockhashNotFound" } });
  });

  it("confirms at once and finalizes after 32 slots", async () => {
    const { chain, clock } = await openChain();
    const signature = await chain.fund(alice.address, { lamports: 1_000_000_000n, quoteUnits: 0n });
    const commitment = async () =>
      (await chain.signatureStatuses([signature])).statuses[0]?.commitment;
    expect(await commitment()).toBe("confirmed");
    clock.ms += 31 * 400;
    expect(await commitment()).toBe("confirmed");
    clock.ms += 400;
    expect(await commitment()).toBe("finalized");
  });

  it("grants practice money, including equal grants within one slot", async () => {
    const { chain } = await openChain();
    const grant = { lamports: 10_000_000n, quoteUnits: 5_000_000n };
    const [first, second] = await Promise.all([
      chain.faucet(alice.address, grant),
      chain.faucet(alice.address, grant),
    ]);
    expect(first).not.toBe(second);
    const account = associatedTokenAddress(alice.address, PRACTICE_QUOTE_MINT);
    const { accounts } = await chain.accounts([account, alice.address]);
    expect(tokenAccountCodec.decode(accounts[0]!.data).amount).toBe(10_000_000n);
    expect(accounts[1]!.lamports).toBe(20_000_000n);
    await expect(
      chain.faucet(alice.address, { lamports: 10_000_000_001n, quoteUnits: 0n }),
    ).rejects.toThrow(RangeError);
  });

  it("undoes the whole transaction when one instruction fails", async () => {
    const { chain, lamports } = await openChain();
    await chain.fund(alice.address, { lamports: 1_000_000_000n, quoteUnits: 5_000_000n });
    const account = associatedTokenAddress(alice.address, PRACTICE_QUOTE_MINT);
    const { blockhash } = await chain.latestBlockhash();
    const bytes = signTransaction(
      [alice],
      [
        transferLamports({ from: alice.address, to: bob.address }, 5_000_000n),
        transferChecked(
          {
            source: account,
            mint: PRACTICE_QUOTE_MINT,
            destination: account,
            authority: alice.address,
          },
          { amount: 5_000_001n, decimals: 6 },
        ),
      ],
      blockhash,
    );
    const refusal = { kind: "instruction", name: "Custom", code: 1, instructionIndex: 1 };
    expect((await chain.simulate(bytes)).error).toEqual(refusal);
    await expect(chain.send(bytes)).rejects.toMatchObject({ error: refusal });
    expect(await lamports(bob.address)).toBe(0n);
    expect(await lamports(alice.address)).toBe(1_000_000_000n);
  });

  it("keeps its state in the ledger", async () => {
    const { chain, ledger, prices, clock } = await openChain();
    await chain.fund(alice.address, { lamports: 7_000_000n, quoteUnits: 0n });
    clock.ms += 3_600_000;
    const reopened = await createPracticeChain({ ledger, clock, prices });
    const { accounts } = await reopened.accounts([alice.address]);
    expect(accounts[0]?.lamports).toBe(7_000_000n);
    expect(await reopened.genesisHash()).toBe(await chain.genesisHash());
  });
});
