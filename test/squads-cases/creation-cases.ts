import type { Address } from "@solana/kit";
import { expect } from "vitest";
import { practiceKeyPair } from "../../src/practice/sign-transaction.ts";
import { anchorDiscriminator } from "../../src/solana/encoding/anchor.ts";
import { signer, writable } from "../../src/solana/encoding/instruction.ts";
import { multisigCodec } from "../../src/solana/programs/squads-accounts.ts";
import {
  multisigCreateV2,
  NATIVE_MINT_PLACEHOLDER,
  deriveMultisig,
  deriveVaultTransaction,
  SQUADS_PROGRAM,
} from "../../src/solana/programs/squads.ts";
import { SYSTEM_PROGRAM } from "../../src/solana/programs/system.ts";
import { SQUADS_TREASURY } from "../../src/practice/genesis.ts";
import { lamportsOf } from "../chain-bench.ts";
import {
  asVault,
  createKey,
  multisig,
  owner,
  readMultisig,
  stranger,
  vault,
} from "../squads-bench.ts";
import {
  addLimit,
  create,
  expectError,
  FEE,
  limit,
  member,
  paySol,
  type SquadsCase,
  withVault,
} from "./case.ts";

const RENT = 2_039_280n;

export const CREATION_CASES: readonly SquadsCase[] = [
  {
    name: "creation of a controlled multisig costs 0.00203928 SOL and two fees",
    async run(bench) {
      const before = await lamportsOf(bench, owner.address);
      await expectError(bench.send([owner, createKey], [create()]), null);
      expect(await lamportsOf(bench, owner.address)).toBe(before - RENT - 2n * FEE);
    },
  },
  {
    name: "creation of an autonomous multisig costs the same and names no authority",
    async run(bench) {
      const before = await lamportsOf(bench, owner.address);
      const autonomous = multisigCreateV2(
        { treasury: SQUADS_TREASURY, createKey: createKey.address, creator: owner.address },
        { threshold: 1, members: [member], rentCollector: owner.address },
      );
      await expectError(bench.send([owner, createKey], [autonomous]), null);
      expect(await lamportsOf(bench, owner.address)).toBe(before - RENT - 2n * FEE);
      expect((await readMultisig(bench)).configAuthority).toBe(SYSTEM_PROGRAM);
    },
  },
  {
    name: "a created multisig reads back exactly as requested",
    async run(bench) {
      await expectError(bench.send([owner, createKey], [create()]), null);
      expect(await readMultisig(bench)).toMatchObject({
        createKey: createKey.address,
        configAuthority: owner.address,
        rentCollector: owner.address,
        threshold: 1,
        timeLock: 0,
        transactionIndex: 0n,
        members: [member],
      });
    },
  },
  {
    name: "creation refuses a wrong treasury",
    async run(bench) {
      const wrong = [create({}, stranger.address)];
      await expectError(bench.send([owner, createKey], wrong), "Custom 6014 at 0");
      expect(await bench.account(multisig)).toBeNull();
    },
  },
  {
    name: "creation needs the create key's signature",
    async run(bench) {
      const unsigned = create();
      const accounts = (unsigned.accounts ?? []).map((meta) =>
        meta.address === createKey.address ? { ...meta, role: 0 } : meta,
      );
      await expectError(bench.send([owner], [{ ...unsigned, accounts }]), "Custom 3010 at 0");
    },
  },
  {
    name: "creation refuses a threshold nobody can reach",
    async run(bench) {
      const high = [create({ threshold: 2 })];
      await expectError(bench.send([owner, createKey], high), "Custom 6003 at 0");
    },
  },
  {
    name: "creation refuses members without a voter",
    async run(bench) {
      const voteless = [create({ members: [{ ...member, permissions: 5 }] })];
      await expectError(bench.send([owner, createKey], voteless), /^Custom 60(03|16) at 0$/);
    },
  },
  {
    name: "creation refuses one member twice",
    async run(bench) {
      const twice = [create({ members: [member, member] })];
      await expectError(bench.send([owner, createKey], twice), "Custom 6000 at 0");
    },
  },
  {
    name: "creating the same multisig twice fails",
    async run(bench) {
      await withVault(bench);
      await expectError(bench.send([owner, createKey], [create()]), "Custom 0 at 0");
    },
  },
  {
    name: "somebody else can list our owner as a member, at another address",
    async run(bench) {
      const theirKey = practiceKeyPair("poison");
      const poisoned = multisigCreateV2(
        { treasury: SQUADS_TREASURY, createKey: theirKey.address, creator: stranger.address },
        { threshold: 1, members: [member], rentCollector: stranger.address },
      );
      await expectError(bench.send([stranger, theirKey], [poisoned]), null);
      const { address } = deriveMultisig(theirKey.address);
      const made = await bench.account(address);
      expect(address).not.toBe(multisig);
      expect(multisigCodec.decode(made?.data ?? new Uint8Array()).members).toEqual([member]);
      expect(await bench.account(multisig)).toBeNull();
    },
  },
  {
    name: "config transactions are refused when controlled",
    async run(bench) {
      await withVault(bench);
      const data = new Uint8Array(8 + 4 + 1);
      data.set(anchorDiscriminator("global", "config_transaction_create"));
      const instruction = (transaction: Address) => ({
        programAddress: SQUADS_PROGRAM,
        accounts: [
          writable(multisig),
          writable(transaction),
          signer(owner.address),
          { ...signer(owner.address), role: 3 },
          { address: NATIVE_MINT_PLACEHOLDER, role: 0 },
        ],
        data,
      });
      await expectError(bench.send([owner], [instruction(limit)]), "Custom 2006 at 0");
      const { address: next } = deriveVaultTransaction(multisig, 1n);
      await expectError(bench.send([owner], [instruction(next)]), "Custom 6020 at 0");
    },
  },
  {
    name: "an autonomous multisig lets nobody set limits with one instruction",
    async run(bench) {
      await withVault(bench, { configAuthority: SYSTEM_PROGRAM });
      await expectError(bench.send([owner], [addLimit()]), "Custom 6004 at 0");
    },
  },
  {
    name: "the multisig's account stays for ever: nothing gives its rent back",
    async run(bench) {
      await withVault(bench);
      await expectError(bench.send([owner], await asVault(bench, [paySol(100_000_000n)])), null);
      expect(await bench.account(vault)).toBeNull();
      expect(await lamportsOf(bench, multisig)).toBe(RENT);
    },
  },
];
