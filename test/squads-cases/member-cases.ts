import { expect } from "vitest";
import { closeTokenAccount } from "../../src/solana/programs/token.ts";
import { type ChainBench, lamportsOf } from "../chain-bench.ts";
import { checkMultisig } from "../../src/server/custody/account/read-custody.ts";
import {
  asVault,
  createKey,
  multisig,
  owner,
  stranger,
  tradingKey,
  vault,
  vaultUsdc,
} from "../squads-bench.ts";
import { expectError, payDollars, paySol, type SquadsCase, steps, withVault } from "./case.ts";

const OTHERS = [
  { who: "the delegate", key: tradingKey },
  { who: "a stranger", key: stranger },
];

const NOT_A_MEMBER = "Custom 6005 at 0";

const PLANNED = { owner: owner.address, createKey: createKey.address };

type Step = "create" | "propose" | "approve" | "execute";

/** What the owner has done before somebody else tries the next step. */
const BEFORE: Readonly<Record<Step, readonly Step[]>> = {
  create: [],
  propose: ["create"],
  approve: ["create", "propose"],
  execute: ["create", "propose", "approve"],
};

async function tryAsOther(bench: ChainBench, key: typeof tradingKey, step: Step): Promise<void> {
  await withVault(bench);
  const ours = steps([paySol(1_000_000n, key.address)]);
  const done = BEFORE[step].map((each) => ours[each]);
  if (done.length > 0) await expectError(bench.send([owner], done), null);
  const theirs = steps([paySol(1_000_000n, key.address)], 1n, key);
  await expectError(bench.send([key], [theirs[step]]), NOT_A_MEMBER);
  expect(await lamportsOf(bench, vault)).toBe(100_000_000n);
}

export const MEMBER_CASES: readonly SquadsCase[] = OTHERS.flatMap(({ who, key }) =>
  (["create", "propose", "approve", "execute"] as const).map((step) => ({
    name: `${who} cannot ${step} a vault transaction`,
    run: (bench: ChainBench) => tryAsOther(bench, key, step),
  })),
);

export const RECOVERY_CASES: readonly SquadsCase[] = [
  {
    name: "owner and further member can each move money out of a vault alone",
    async run(bench) {
      const members = [owner, stranger].map(({ address: key }) => ({ key, permissions: 7 }));
      await withVault(bench, { members });
      const account = await bench.account(multisig);
      const checked = account && checkMultisig({ ...account, address: multisig }, PLANNED);
      expect(checked).toMatchObject({ multisig: { threshold: 1, members: { length: 2 } } });
      await expectError(bench.send([owner], await asVault(bench, [paySol(40_000_000n)])), null);
      expect(await lamportsOf(bench, vault)).toBe(60_000_000n);
      const theirs = steps([paySol(20_000_000n, stranger.address)], 2n, stranger);
      const all = [theirs.create, theirs.propose, theirs.approve, theirs.execute];
      await expectError(bench.send([stranger], all), null);
      expect(await lamportsOf(bench, vault)).toBe(40_000_000n);
    },
  },
  {
    name: "all dollars leave and the vault's token account closes into the vault",
    async run(bench) {
      await withVault(bench);
      const before = await lamportsOf(bench, owner.address);
      const inner = [
        payDollars(1_000_000_000n),
        closeTokenAccount({ account: vaultUsdc, destination: vault, authority: vault }),
      ];
      await expectError(bench.send([owner], await asVault(bench, inner)), null);
      expect(await lamportsOf(bench, vault)).toBe(102_039_280n);
      expect(await bench.account(vaultUsdc)).toBeNull();
      expect(await lamportsOf(bench, owner.address)).toBe(before - 5_000n);
    },
  },
  {
    name: "a token account with something in it does not close",
    async run(bench) {
      await withVault(bench);
      const inner = [
        closeTokenAccount({ account: vaultUsdc, destination: vault, authority: vault }),
      ];
      await expectError(bench.send([owner], await asVault(bench, inner)), "Custom 11 at 3");
    },
  },
  {
    name: "the vault cannot be left below the rent of an empty account",
    async run(bench) {
      await withVault(bench);
      const low = await asVault(bench, [paySol(99_500_000n)]);
      await expectError(bench.send([owner], low), "InsufficientFundsForRent");
    },
  },
  {
    name: "the vault's SOL is recovered except for 0.001",
    async run(bench) {
      await withVault(bench);
      const kept = await asVault(bench, [paySol(99_000_000n)]);
      await expectError(bench.send([owner], kept), null);
      expect(await lamportsOf(bench, vault)).toBe(1_000_000n);
    },
  },
  {
    name: "all SOL can be drawn to the last lamport",
    async run(bench) {
      await withVault(bench);
      const all = await asVault(bench, [paySol(100_000_000n)]);
      await expectError(bench.send([owner], all), null);
      expect(await bench.account(vault)).toBeNull();
    },
  },
];
