import {
  type Blockhash,
  getTransactionDecoder,
  type Instruction,
  lamports as lamportsOf,
} from "@solana/kit";
import { FailedTransactionMetadata, LiteSVM } from "litesvm";
import { beforeEach, describe, expect, it } from "vitest";
import { instruction, readonly } from "../solana/encoding/instruction.ts";
import { setComputeUnitLimit, setComputeUnitPrice } from "../solana/programs/compute-budget.ts";
import { SYSTEM_PROGRAM, transferLamports } from "../solana/programs/system.ts";
import { signTransaction } from "../solana/signing.ts";
import { compileV1Transaction, sizeLimitOf } from "../solana/transaction.ts";
import { readWire } from "../solana/wire.ts";
import { practiceKeyPair } from "./sign-transaction.ts";
import { createMemoryLedger } from "../../test/memory-ledger.ts";
import { createPracticeChain, type PracticeChain } from "./practice-chain.ts";

const alice = practiceKeyPair("alice");
const bob = practiceKeyPair("bob");
const START = 10_000_000_000n;
const give = transferLamports({ from: alice.address, to: bob.address }, 2_000_000n);

interface Sent {
  readonly error: string | null;
  readonly units: bigint;
  readonly paid: bigint;
}

interface Header {
  readonly computeUnitLimit?: number;
  readonly priorityFeeLamports?: bigint;
}

type Change = (message: Uint8Array) => Uint8Array;

function signed(
  blockhash: Blockhash,
  instructions: readonly Instruction[],
  header: Header,
  change: Change = (message) => message,
): Uint8Array {
  const bytes = compileV1Transaction({
    feePayer: alice.address,
    lifetime: { blockhash, lastValidBlockHeight: 0n },
    instructions,
    computeUnitLimit: header.computeUnitLimit ?? 20_000,
    priorityFeeLamports: header.priorityFeeLamports ?? 0n,
  });
  const message = change(readWire(bytes).messageBytes);
  return signTransaction(Uint8Array.from([...message, ...new Uint8Array(64)]), alice);
}

/** Removes settings from the header: their bits from the mask, their bytes from the values. */
function without(bits: number, start: number, length: number): Change {
  return (message) => {
    const accounts = message[41] ?? 0;
    const at = 42 + accounts * 32 + start;
    const shorter = [...message.slice(0, at), ...message.slice(at + length)];
    shorter[4] = (shorter[4] ?? 0) & ~bits;
    return Uint8Array.from(shorter);
  };
}

function sendToLite(instructions: readonly Instruction[], header: Header, change?: Change): Sent {
  const svm = new LiteSVM();
  svm.airdrop(alice.address, lamportsOf(START));
  const bytes = signed(svm.latestBlockhash(), instructions, header, change);
  const result = svm.sendTransaction(getTransactionDecoder().decode(bytes));
  const paid = START - (svm.getBalance(alice.address) ?? 0n);
  if (!(result instanceof FailedTransactionMetadata)) {
    return { error: null, units: result.computeUnitsConsumed(), paid };
  }
  const failed = /InstructionError\(\d+, (\w+)/.exec(result.toString());
  const error = failed?.[1] ?? /err: (\w+)/.exec(result.toString())?.[1] ?? result.toString();
  return { error, units: result.meta().computeUnitsConsumed(), paid };
}

async function sendToPractice(
  instructions: readonly Instruction[],
  header: Header,
  change?: Change,
): Promise<Sent> {
  const chain = await openChain();
  const { blockhash } = await chain.latestBlockhash();
  const bytes = signed(blockhash, instructions, header, change);
  const simulated = await chain.simulate(bytes);
  await chain.send(bytes).catch(() => undefined);
  const { accounts } = await chain.accounts([alice.address]);
  const paid = START - (accounts[0]?.lamports ?? 0n);
  return { error: simulated.error?.name ?? null, units: simulated.unitsConsumed, paid };
}

async function openChain(): Promise<PracticeChain> {
  const chain = await createPracticeChain({
    ledger: createMemoryLedger(),
    clock: { now: () => 1_700_000_000_000 },
    prices: { label: "none", quote: () => undefined },
    landsFailures: true,
  });
  await chain.fund(alice.address, { lamports: START, quoteUnits: 0n });
  return chain;
}

const budget = [setComputeUnitLimit(100), setComputeUnitPrice(1_000_000n)];
const CASES: Readonly<Record<string, [readonly Instruction[], Header, Change?]>> = {
  "a transfer": [[give], {}],
  "a priority fee in whole lamports": [[give], { priorityFeeLamports: 777n }],
  "as many instructions as it may have": [Array.from({ length: 64 }, () => give), {}],
  "budget instructions, which count for nothing": [[...budget, give], {}],
  "no compute units": [[give], { computeUnitLimit: 0 }],
  "too few compute units": [[give], { computeUnitLimit: 149 }],
  "no compute limit named": [[give], {}, without(0b100, 8, 4)],
  "no room for accounts named": [[give], {}, without(0b1000, 12, 4)],
  "no fee named": [[give], {}, without(0b11, 0, 8)],
};

describe("a version 1 transaction", () => {
  it.each(Object.keys(CASES))("ends on practice as on the real runtime: %s", async (name) => {
    const [instructions, header, change] = CASES[name] ?? [[], {}];
    const real = sendToLite(instructions, header, change);
    expect(await sendToPractice(instructions, header, change)).toEqual(real);
  });
});

describe("the practice chain", () => {
  let chain: PracticeChain;
  let blockhash: Blockhash;
  beforeEach(async () => {
    chain = await openChain();
    ({ blockhash } = await chain.latestBlockhash());
  });
  const filler = (length: number) =>
    instruction(SYSTEM_PROGRAM, [readonly(bob.address)], new Uint8Array(length));
  const wide = (length: number) => signed(blockhash, [give, filler(length)], {});

  it("accepts a version 1 transaction of 4,096 bytes, but no larger one", async () => {
    const room = sizeLimitOf(wide(0)) - wide(0).length;
    expect(wide(room)).toHaveLength(4_096);
    await expect(chain.simulate(wide(room))).resolves.toBeDefined();
    await expect(chain.simulate(wide(room + 1))).rejects.toMatchObject({
      error: { name: "TransactionTooLarge" },
    });
  });

  it.each<[string, Change]>([
    ["a byte after its end", (message) => Uint8Array.from([...message, 0])],
    ["a setting nobody knows", (message) => message.with(4, (message[4] ?? 0) | 0b10_0000)],
    ["half of the bits of a fee", (message) => message.with(4, (message[4] ?? 0) & ~1)],
    ["another version", (message) => message.with(0, 0x82)],
  ])("refuses %s", async (_name, change) => {
    await expect(
      Promise.resolve().then(() => chain.send(signed(blockhash, [give], {}, change))),
    ).rejects.toThrow();
    const { accounts } = await chain.accounts([alice.address]);
    expect(accounts[0]?.lamports).toBe(START);
  });
});
