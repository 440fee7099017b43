import { expect } from "vitest";
import { lamportsOf } from "../chain-bench.ts";
import { tradingKey, owner, readMultisig, stranger } from "../squads-bench.ts";
import {
  addLimit,
  expectError,
  FEE,
  limit,
  removeLimit,
  type SquadsCase,
  useLimit,
  withLimit,
  withVault,
} from "./case.ts";

const UNAUTHORIZED = "Custom 6004 at 0";

export const LIMIT_CASES: readonly SquadsCase[] = [
  {
    name: "a spending limit costs 0.00230376 SOL",
    async run(bench) {
      await withVault(bench);
      const before = await lamportsOf(bench, owner.address);
      await expectError(bench.send([owner], [addLimit()]), null);
      expect(await lamportsOf(bench, owner.address)).toBe(before - 2_303_760n - FEE);
    },
  },
  {
    name: "removing a spending limit returns its rent",
    async run(bench) {
      await withVault(bench);
      const before = await lamportsOf(bench, owner.address);
      await expectError(bench.send([owner], [addLimit()]), null);
      await expectError(bench.send([owner], [removeLimit()]), null);
      expect(await lamportsOf(bench, owner.address)).toBe(before - 2n * FEE);
      expect(await bench.account(limit)).toBeNull();
    },
  },
  {
    name: "replacing one in one transaction costs the fee",
    async run(bench) {
      await withLimit(bench);
      const before = await lamportsOf(bench, owner.address);
      await expectError(bench.send([owner], [removeLimit(), addLimit({ amount: 7n })]), null);
      expect(await lamportsOf(bench, owner.address)).toBe(before - FEE);
      await expectError(bench.send([tradingKey], [useLimit(8n)]), "Custom 6026 at 0");
    },
  },
  {
    name: "a limit is set without a vault transaction: the index stays",
    async run(bench) {
      await withLimit(bench);
      expect((await readMultisig(bench)).transactionIndex).toBe(0n);
    },
  },
  {
    name: "the same limit cannot be added twice",
    async run(bench) {
      await withLimit(bench);
      await expectError(bench.send([owner], [addLimit()]), "Custom 0 at 0");
    },
  },
  {
    name: "a limit of nothing is refused",
    async run(bench) {
      await withVault(bench);
      await expectError(bench.send([owner], [addLimit({ amount: 0n })]), "Custom 6039 at 0");
    },
  },
  {
    name: "nobody but the owner sets limits",
    async run(bench) {
      await withVault(bench);
      for (const other of [stranger, tradingKey]) {
        await expectError(bench.send([other], [addLimit({}, other)]), UNAUTHORIZED);
      }
    },
  },
  {
    name: "nobody but the owner removes limits",
    async run(bench) {
      await withLimit(bench);
      for (const other of [stranger, tradingKey]) {
        await expectError(bench.send([other], [removeLimit(other)]), UNAUTHORIZED);
      }
    },
  },
];
