import { expect } from "vitest";
import { vaultTransactionAccountsClose } from "../../src/solana/programs/squads.ts";
import { transferLamports } from "../../src/solana/programs/system.ts";
import { lamportsOf } from "../chain-bench.ts";
import { asVault, multisig, owner, readMultisig, stranger, vault } from "../squads-bench.ts";
import { expectError, FEE, payDollars, paySol, type SquadsCase, steps, withVault } from "./case.ts";

/** Cases of the order of steps, and of vault transactions that fail or come second. */
export const ORDER_CASES: readonly SquadsCase[] = [
  {
    name: "the transaction index is at byte 78 of the account and counts every vault transaction",
    async run(bench) {
      await withVault(bench);
      for (const index of [1n, 2n]) {
        await expectError(bench.send([owner], await asVault(bench, [paySol(1n)])), null);
        const data = (await bench.account(multisig))?.data ?? new Uint8Array();
        expect(new DataView(data.buffer, data.byteOffset).getBigUint64(78, true)).toBe(index);
      }
    },
  },
  {
    name: "a failing inner instruction reverts all",
    async run(bench) {
      await withVault(bench);
      const life = await asVault(bench, [paySol(1_000_000n), payDollars(1_000_000_001n)]);
      await expectError(bench.send([owner], life), "Custom 1 at 3");
      expect(await lamportsOf(bench, vault)).toBe(100_000_000n);
    },
  },
  {
    name: "a failing step leaves the transaction index where it was",
    async run(bench) {
      await withVault(bench);
      const life = await asVault(bench, [payDollars(1_000_000_001n)]);
      await expectError(bench.send([owner], life), "Custom 1 at 3");
      expect((await readMultisig(bench)).transactionIndex).toBe(0n);
    },
  },
  {
    name: "the second of two transactions prepared with one index fails",
    async run(bench) {
      await withVault(bench);
      const one = steps([paySol(1_000_000n)]);
      const two = steps([paySol(2_000_000n)]);
      await expectError(bench.send([owner], [one.create, one.propose]), null);
      await expectError(bench.send([owner], [two.create]), /^Custom (0|2006) at 0$/);
    },
  },
  {
    name: "the second of two transactions with one index also fails after the first closed its accounts",
    async run(bench) {
      await withVault(bench);
      const one = await asVault(bench, [paySol(1_000_000n)]);
      const two = await asVault(bench, [paySol(2_000_000n)]);
      await expectError(bench.send([owner], one), null);
      await expectError(bench.send([owner], two), "Custom 2006 at 0");
    },
  },
  {
    name: "closing needs a rent collector",
    async run(bench) {
      await withVault(bench, { rentCollector: null });
      const { create: make, propose, approve, execute, close } = steps([paySol(1_000_000n)]);
      const life = [make, propose, approve, execute, close];
      await expectError(bench.send([owner], life), "Custom 6032 at 4");
    },
  },
  {
    name: "rent goes only to the collector",
    async run(bench) {
      await withVault(bench);
      const { create: make, propose, approve, execute } = steps([paySol(1_000_000n)]);
      const close = vaultTransactionAccountsClose(
        { multisig, rentCollector: stranger.address },
        1n,
      );
      const life = [make, propose, approve, execute, close];
      await expectError(bench.send([owner], life), "Custom 6033 at 4");
    },
  },
  {
    name: "executing needs an approval",
    async run(bench) {
      await withVault(bench);
      const { create: make, propose, execute } = steps([paySol(1_000_000n)]);
      await expectError(bench.send([owner], [make, propose, execute]), "Custom 6008 at 2");
    },
  },
  {
    name: "closing waits for the execution",
    async run(bench) {
      await withVault(bench);
      const { create: make, propose, approve, close } = steps([paySol(1_000_000n)]);
      await expectError(bench.send([owner], [make, propose, approve, close]), "Custom 6008 at 3");
    },
  },
  {
    name: "executing happens once",
    async run(bench) {
      await withVault(bench);
      const { create: make, propose, approve, execute } = steps([paySol(1_000_000n)]);
      await expectError(bench.send([owner], [make, propose, approve, execute]), null);
      await expectError(bench.send([owner], [execute]), "Custom 6008 at 0");
      expect(await lamportsOf(bench, vault)).toBe(99_000_000n);
    },
  },
  {
    name: "nothing executes once its accounts are closed",
    async run(bench) {
      await withVault(bench);
      const { create: make, propose, approve, execute, close } = steps([paySol(1_000_000n)]);
      await expectError(bench.send([owner], [make, propose, approve, execute]), null);
      await expectError(bench.send([owner], [close, execute]), "Custom 3012 at 1");
    },
  },
  {
    name: "a wallet that cannot hold the rent for an instant cannot start",
    async run(bench) {
      await withVault(bench);
      const held = await lamportsOf(bench, owner.address);
      const away = transferLamports(
        { from: owner.address, to: stranger.address },
        held - 2n * FEE - 2_000_000n,
      );
      await expectError(bench.send([owner], [away]), null);
      const life = await asVault(bench, [paySol(1n)]);
      await expectError(bench.send([owner], life), /^(Custom 1 at \d|InsufficientFundsForRent)$/);
    },
  },
];
