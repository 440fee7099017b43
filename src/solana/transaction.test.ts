import {
  AccountRole,
  type Address,
  type Blockhash,
  getBase58Decoder,
  getTransactionDecoder,
  type Instruction,
} from "@solana/kit";
import { describe, expect, it } from "vitest";
import { verifyStrictly } from "../practice/practice-chain.ts";
import { decodeTransaction } from "./decode-transaction.ts";
import { instruction, readonly, signer, writable } from "./encoding/instruction.ts";
import { keypairFromSeed } from "./encoding/keys.ts";
import { setComputeUnitLimit, setComputeUnitPrice } from "./programs/compute-budget.ts";
import { SYSTEM_PROGRAM, transferLamports } from "./programs/system.ts";
import { attachSignature, signTransaction, signatureOf, unsignedSigners } from "./signing.ts";
import { compileTransaction, compileV1Transaction } from "./transaction.ts";
import { isVersion1, readWire } from "./wire.ts";
import { LIGHTHOUSE_PROGRAM, verifyReturned } from "./verify-returned.ts";

const payer = keypairFromSeed(new Uint8Array(32).fill(1));
const other = keypairFromSeed(new Uint8Array(32).fill(2));
const table = keypairFromSeed(new Uint8Array(32).fill(99)).address;
const lifetime = {
  blockhash: "5E9rRCLgieqMgY1vyKfvRNSGHf9ovvKakHmUG8PCFCSn" as Blockhash,
  lastValidBlockHeight: 150n,
};
const transfer = transferLamports({ from: payer.address, to: other.address }, 5n);
const compile = (
  instructions: readonly Instruction[],
  feePayer: Address = payer.address,
  blockhash = lifetime.blockhash,
) => compileTransaction({ feePayer, lifetime: { ...lifetime, blockhash }, instructions });

describe("compileTransaction", () => {
  it("reads back as it was written", () => {
    const decoded = decodeTransaction(compile([setComputeUnitLimit(9), transfer]));
    expect(decoded.feePayer).toBe(payer.address);
    expect(decoded.blockhash).toBe(lifetime.blockhash);
    expect(decoded.signers).toEqual([{ address: payer.address, signature: null }]);
    expect(decoded.instructions).toEqual([setComputeUnitLimit(9), transfer]);
  });

  it("uses a lookup table where possible and reads back with the same table", () => {
    const far = Array.from(
      { length: 8 },
      (_, at) => keypairFromSeed(new Uint8Array(32).fill(10 + at)).address,
    );
    const wide = instruction(
      SYSTEM_PROGRAM,
      far.map((key, at) => (at % 2 === 0 ? writable(key) : readonly(key))),
      [1],
    );
    const tables = { [table]: far };
    const wire = compileTransaction({
      feePayer: payer.address,
      lifetime,
      instructions: [wide],
      tables,
    });
    expect(wire.length).toBeLessThan(compile([wide]).length);
    expect(decodeTransaction(wire, tables).instructions).toEqual([wide]);
    expect(() => decodeTransaction(wire)).toThrow("no known entry");
  });

  it("names writable and signing accounts like the message", () => {
    const both = instruction(SYSTEM_PROGRAM, [signer(other.address), writable(table)], []);
    const [only] = decodeTransaction(compile([both])).instructions;
    expect(only?.accounts.map(({ role }) => role)).toEqual([
      AccountRole.READONLY_SIGNER,
      AccountRole.WRITABLE,
    ]);
  });
});

const compileV1 = (
  instructions: readonly Instruction[],
  settings: { computeUnitLimit?: number; priorityFeeLamports?: bigint } = {},
) =>
  compileV1Transaction({
    feePayer: payer.address,
    lifetime,
    instructions,
    computeUnitLimit: settings.computeUnitLimit ?? 60_000,
    priorityFeeLamports: settings.priorityFeeLamports ?? 300n,
  });

describe("version 1", () => {
  const mutual = [transfer, transferLamports({ from: other.address, to: payer.address }, 1n)];

  it("reads back as it was written, with the header's settings", () => {
    const wire = compileV1(mutual);
    expect(isVersion1(wire)).toBe(true);
    const decoded = decodeTransaction(wire);
    expect(decoded.instructions).toEqual(decodeTransaction(compile(mutual)).instructions);
    expect(decoded.settings).toEqual({
      computeUnitLimit: 60_000,
      priorityFeeLamports: 300n,
      loadedAccountsBytes: 67_108_864,
      heapBytes: null,
    });
    expect(decodeTransaction(compile([transfer])).settings).toBeNull();
  });

  it("has its signature after the message, as Kit expects", () => {
    const wire = signTransaction(signTransaction(compileV1(mutual), payer), other);
    expect(unsignedSigners(wire, verifyStrictly)).toEqual([]);
    const { messageBytes, signatures } = getTransactionDecoder().decode(wire);
    expect(new Uint8Array(messageBytes)).toEqual(readWire(wire).messageBytes);
    expect(getBase58Decoder().decode(signatures[payer.address] ?? new Uint8Array())).toBe(
      signatureOf(wire),
    );
  });

  it("allows a wallet to raise limits and add assertions, and nothing else", () => {
    const original = compileV1([transfer]);
    const verdict = (returned: Uint8Array) => verifyReturned(original, returned);
    const assertion = instruction(LIGHTHOUSE_PROGRAM, [readonly(payer.address)], [6, 0]);
    const changed = { kind: "refused", reason: "settings_changed" };
    expect(verdict(signTransaction(original, payer))).toEqual({ kind: "same" });
    expect(verdict(compileV1([assertion, transfer], { computeUnitLimit: 90_000 }))).toEqual({
      kind: "same",
    });
    expect(verdict(compileV1([transfer], { computeUnitLimit: 1 }))).toEqual(changed);
    expect(verdict(compileV1([transfer], { priorityFeeLamports: 1n }))).toEqual(changed);
    const most = { priorityFeeLamports: 10_000_000n };
    expect(verdict(compileV1([transfer], most))).toEqual({ kind: "same" });
    expect(verdict(compileV1([transfer], { priorityFeeLamports: 10_000_001n }))).toEqual(changed);
    expect(verdict(compile([transfer]))).toEqual(changed);
    expect(verdict(compileV1(mutual))).toMatchObject({ kind: "refused" });
  });
});

describe("signing", () => {
  it("signs, returns the transaction's id and lists missing signers", () => {
    const wire = compile([
      transfer,
      transferLamports({ from: other.address, to: payer.address }, 1n),
    ]);
    expect(unsignedSigners(wire, verifyStrictly)).toEqual([payer.address, other.address]);
    expect(() => signatureOf(wire)).toThrow("has not signed");
    const half = signTransaction(wire, payer);
    expect(unsignedSigners(half, verifyStrictly)).toEqual([other.address]);
    const whole = signTransaction(half, other);
    expect(unsignedSigners(whole, verifyStrictly)).toEqual([]);
    expect(signatureOf(whole)).toBe(signatureOf(half));
  });

  it("refuses a wrong signature and one that is not required", () => {
    const wire = attachSignature(compile([transfer]), payer.address, new Uint8Array(64).fill(3));
    expect(unsignedSigners(wire, verifyStrictly)).toEqual([payer.address]);
    expect(() => attachSignature(wire, other.address, new Uint8Array(64))).toThrow("does not ask");
  });
});

describe("verifyReturned", () => {
  const original = compile([setComputeUnitLimit(9), transfer]);
  const assertion = instruction(LIGHTHOUSE_PROGRAM, [readonly(payer.address)], [6, 0]);

  it("accepts the same transaction signed, also with added assertions and a priority fee", () => {
    expect(verifyReturned(original, signTransaction(original, payer))).toEqual({ kind: "same" });
    const added = compile([
      setComputeUnitPrice(5n),
      setComputeUnitLimit(9),
      assertion,
      transfer,
      assertion,
    ]);
    expect(verifyReturned(original, added)).toEqual({ kind: "same" });
  });

  it("accepts a limit that a wallet raised and a price that it replaced, wherever it put them", () => {
    const priced = compile([setComputeUnitLimit(9), setComputeUnitPrice(7n), transfer]);
    const replaced = compile([
      setComputeUnitPrice(100_000n),
      setComputeUnitLimit(30_000),
      transfer,
    ]);
    expect(verifyReturned(priced, replaced)).toEqual({ kind: "same" });
    expect(verifyReturned(priced, compile([setComputeUnitLimit(9), transfer])).kind).toBe("same");
  });

  const nonce = instruction(SYSTEM_PROGRAM, [writable(table), signer(payer.address)], [4, 0, 0, 0]);
  const extraSigner = instruction(LIGHTHOUSE_PROGRAM, [signer(other.address)], [6]);
  it.each([
    ["instructions_changed", compile([setComputeUnitLimit(9)])],
    ["instructions_changed", compile([transfer, setComputeUnitLimit(9)])],
    ["instructions_changed", compile([setComputeUnitLimit(8), transfer])],
    ["instructions_changed", compile([setComputeUnitLimit(9), setComputeUnitLimit(9), transfer])],
    [
      "instructions_changed",
      compile([setComputeUnitLimit(1_000_000), setComputeUnitPrice(10_000_001n), transfer]),
    ],
    [
      "instructions_changed",
      compile([setComputeUnitLimit(9), transfer, setComputeUnitPrice(1_111_111_111_112n)]),
    ],
    [
      "instructions_changed",
      compile([
        setComputeUnitLimit(9),
        setComputeUnitPrice(1n),
        setComputeUnitPrice(1_111_111_111_112n),
        transfer,
      ]),
    ],
    ["instructions_changed", compile([setComputeUnitLimit(9), transfer, transfer])],
    [
      "instructions_changed",
      compile([
        setComputeUnitLimit(9),
        transferLamports({ from: payer.address, to: other.address }, 6n),
      ]),
    ],
    [
      "instructions_changed",
      compile([
        setComputeUnitLimit(9),
        transferLamports({ from: payer.address, to: payer.address }, 5n),
      ]),
    ],
    ["fee_payer_changed", compile([setComputeUnitLimit(9), transfer], other.address)],
    [
      "blockhash_changed",
      compile([setComputeUnitLimit(9), transfer], payer.address, other.address as never),
    ],
    ["signers_changed", compile([setComputeUnitLimit(9), transfer, extraSigner])],
    ["durable_nonce", compile([nonce, setComputeUnitLimit(9), transfer])],
    ["unreadable", original.slice(0, -3)],
  ])("refuses %s", (reason, returned) => {
    expect(verifyReturned(original, returned)).toEqual({ kind: "refused", reason });
  });
});
