import type { Address } from "@solana/kit";
import { describe, expect, it } from "vitest";
import vectors from "../../../test/vectors.json" with { type: "json" };
import { instruction, readonly, signer, writable } from "../encoding/instruction.ts";
import { keypairFromSeed } from "../encoding/keys.ts";
import {
  multisigCodec,
  multisigSize,
  programConfigCodec,
  proposalCodec,
  proposalSize,
  spendingLimitCodec,
  spendingLimitSize,
  vaultTransactionCodec,
} from "./squads-accounts.ts";
import {
  compileInner,
  executionAccounts,
  vaultMessageArgumentCodec,
  vaultMessageStoredCodec,
} from "./squads-message.ts";
import { SYSTEM_PROGRAM, transferLamports } from "./system.ts";
import { mintCodec, TOKEN_ACCOUNT_SIZE, tokenAccountCodec } from "./token.ts";

const key = (fill: number): Address => keypairFromSeed(new Uint8Array(32).fill(fill)).address;
const vault = vectors.pdas.vault as Address;
const user = vectors.keys.user as Address;
const rent = (bytes: number) => (bytes + 128) * 6960;

const multisig = {
  createKey: key(1),
  configAuthority: user,
  threshold: 1,
  timeLock: 0,
  transactionIndex: 258n,
  staleTransactionIndex: 0n,
  rentCollector: user,
  bump: 254,
  members: [{ key: user, permissions: 7 }],
};

describe("Squads accounts", () => {
  it("have the rent measured on the real program", () => {
    const stored = vaultTransactionCodec.encode({
      multisig: key(1),
      creator: user,
      index: 1n,
      bump: 255,
      vaultIndex: 0,
      vaultBump: 255,
      ephemeralSignerBumps: [],
      message: compileInner(vault, [transferLamports({ from: vault, to: user }, 1n)]),
    });
    expect(rent(multisigSize(1))).toBe(2_039_280);
    expect(rent(stored.length) + rent(proposalSize(1))).toBe(4_475_280);
    expect(rent(spendingLimitSize(1, 1))).toBe(2_303_760);
  });

  it("hold the transaction index at byte 78", () => {
    const bytes = new Uint8Array(multisigCodec.encode(multisig));
    expect(bytes.length).toBe(multisigSize(1));
    expect(bytes.slice(78, 86)).toEqual(Uint8Array.of(2, 1, 0, 0, 0, 0, 0, 0));
  });

  it("survive a round trip, and trailing spare bytes are ignored", () => {
    const withRoom = new Uint8Array(multisigSize(1) + 32);
    withRoom.set(multisigCodec.encode({ ...multisig, rentCollector: null }));
    expect(multisigCodec.decode(withRoom)).toEqual({ ...multisig, rentCollector: null });
    const limit = {
      multisig: key(1),
      createKey: key(2),
      vaultIndex: 0,
      mint: key(3),
      amount: 1_000_000_000n,
      period: 1,
      remainingAmount: 5n,
      lastReset: 1_700_000_000n,
      bump: 253,
      members: [key(4)],
      destinations: [key(5)],
    };
    const bytes = spendingLimitCodec.encode(limit);
    expect(bytes.length).toBe(spendingLimitSize(1, 1));
    expect(spendingLimitCodec.decode(bytes)).toEqual(limit);
    const config = {
      authority: key(1),
      multisigCreationFee: 0n,
      treasury: key(2),
      reserved: new Uint8Array(64),
    };
    expect(programConfigCodec.encode(config).length).toBe(144);
    expect(programConfigCodec.decode(programConfigCodec.encode(config))).toEqual(config);
  });

  it.each([
    { __kind: "active", timestamp: 9n } as const,
    { __kind: "executing" } as const,
    { __kind: "cancelled", timestamp: 9n } as const,
  ])("show a proposal's status: $__kind", (status) => {
    const proposal = {
      multisig: key(1),
      transactionIndex: 3n,
      status,
      bump: 1,
      approved: [user],
      rejected: [],
      cancelled: [],
    };
    expect(proposalCodec.decode(proposalCodec.encode(proposal))).toEqual(proposal);
  });

  it("are distinguished by their discriminators", () => {
    expect(() => proposalCodec.decode(multisigCodec.encode(multisig))).toThrow();
  });
});

describe("compileInner", () => {
  const mixed = instruction(
    SYSTEM_PROGRAM,
    [readonly(key(10)), writable(key(11)), signer(vault), readonly(key(11)), signer(key(12))],
    [9, 9],
  );

  it("orders keys by their rights and keeps the vault first", () => {
    const message = compileInner(vault, [mixed]);
    expect(message.accountKeys).toEqual([vault, key(12), key(11), SYSTEM_PROGRAM, key(10)]);
    expect([message.numSigners, message.numWritableSigners, message.numWritableNonSigners]).toEqual(
      [2, 1, 1],
    );
    expect(message.instructions[0]).toEqual({
      programIdIndex: 3,
      accountIndexes: [4, 2, 0, 2, 1],
      data: Uint8Array.of(9, 9),
    });
  });

  it("takes accounts, but never called programs, from tables, and lists them where the program expects them", () => {
    const table = key(20);
    const tables = { [table]: [SYSTEM_PROGRAM, key(99), key(11), vault, key(10)] };
    const message = compileInner(vault, [mixed], tables);
    expect(message.accountKeys).toEqual([vault, key(12), SYSTEM_PROGRAM]);
    expect(message.addressTableLookups).toEqual([
      { accountKey: table, writableIndexes: [2], readonlyIndexes: [4] },
    ]);
    expect(message.instructions[0]).toMatchObject({
      programIdIndex: 2,
      accountIndexes: [4, 3, 0, 3, 1],
    });
    expect(executionAccounts(message, tables)).toEqual([
      readonly(table),
      writable(vault),
      signer(key(12)),
      readonly(SYSTEM_PROGRAM),
      writable(key(11)),
      readonly(key(10)),
    ]);
    expect(() => executionAccounts(message)).toThrow("lacks entry");
  });

  it("survives both of its encodings", () => {
    const message = compileInner(vault, [mixed]);
    for (const codec of [vaultMessageArgumentCodec, vaultMessageStoredCodec]) {
      expect(codec.decode(codec.encode(message))).toEqual(message);
    }
  });
});

describe("token accounts", () => {
  it("have the token program's sizes", () => {
    expect([tokenAccountCodec.fixedSize, mintCodec.fixedSize]).toEqual([TOKEN_ACCOUNT_SIZE, 82]);
  });
});
