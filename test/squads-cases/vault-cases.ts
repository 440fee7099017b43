import type { Instruction } from "@solana/kit";
import { expect } from "vitest";
import {
  associatedTokenAddress,
  createAssociatedTokenIdempotent,
} from "../../src/solana/programs/associated-token.ts";
import {
  createLookupTable,
  deriveLookupTable,
  extendLookupTable,
} from "../../src/solana/programs/address-lookup-table.ts";
import {
  setComputeUnitLimit,
  setComputeUnitPrice,
} from "../../src/solana/programs/compute-budget.ts";
import { vaultLife } from "../../src/solana/programs/squads.ts";
import { transferLamports } from "../../src/solana/programs/system.ts";
import { TOKEN_PROGRAM, transferChecked, USDC_MINT } from "../../src/solana/programs/token.ts";
import { type ChainBench, lamportsOf, tokensOf } from "../chain-bench.ts";
import {
  asVault,
  createKey,
  multisig,
  owner,
  putDollars,
  stranger,
  vault,
  vaultUsdc,
} from "../squads-bench.ts";
import {
  create,
  expectError,
  FEE,
  payDollars,
  paySol,
  type SquadsCase,
  steps,
  withVault,
} from "./case.ts";

const ownerUsdc = associatedTokenAddress(owner.address, USDC_MINT);

/** Runs instructions as the vault with a shared table, outside only or inside the vault's message too. */
async function sendWithTable(
  bench: ChainBench,
  instructions: readonly Instruction[],
  where: "outside" | "both",
) {
  const recentSlot = (await bench.time()).slot - 1n;
  const { address: table } = deriveLookupTable(owner.address, recentSlot);
  const shared = [USDC_MINT, TOKEN_PROGRAM];
  await expectError(
    bench.send(
      [owner],
      [
        createLookupTable(owner.address, recentSlot),
        extendLookupTable(table, owner.address, shared),
      ],
    ),
    null,
  );
  bench.nextSlot();
  const tables = { [table]: shared };
  const life = vaultLife({
    multisig,
    transactionIndex: 1n,
    member: owner.address,
    vault,
    rentCollector: owner.address,
    instructions,
    ...(where === "both" ? { tables } : {}),
  });
  return bench.send([owner], life, tables);
}

export const VAULT_CASES: readonly SquadsCase[] = [
  {
    name: "funding costs what arrives, the rent of the vault's token account, and the fee",
    async run(bench) {
      await expectError(bench.send([owner, createKey], [create()]), null);
      await putDollars(bench, owner.address, 1_000_000_000n);
      const before = await lamportsOf(bench, owner.address);
      const funding = [
        transferLamports({ from: owner.address, to: vault }, 100_000_000n),
        createAssociatedTokenIdempotent({ payer: owner.address, owner: vault, mint: USDC_MINT }),
        transferChecked(
          {
            source: ownerUsdc,
            mint: USDC_MINT,
            destination: vaultUsdc,
            authority: owner.address,
          },
          { amount: 1_000_000_000n, decimals: 6 },
        ),
      ];
      await expectError(bench.send([owner], funding), null);
      expect(await lamportsOf(bench, owner.address)).toBe(before - 102_044_280n);
      expect(await tokensOf(bench, vaultUsdc)).toBe(1_000_000_000n);
    },
  },
  {
    name: "a transfer out costs the fee only when it closes its accounts",
    async run(bench) {
      await withVault(bench);
      const before = await lamportsOf(bench, owner.address);
      await expectError(bench.send([owner], await asVault(bench, [paySol(1_000_000n)])), null);
      expect(await lamportsOf(bench, owner.address)).toBe(before + 1_000_000n - FEE);
      expect(await lamportsOf(bench, vault)).toBe(99_000_000n);
    },
  },
  {
    name: "an executed transaction holds 0.00447528 SOL of rent, which closing returns",
    async run(bench) {
      await withVault(bench);
      const before = await lamportsOf(bench, owner.address);
      const { create: make, propose, approve, execute, close } = steps([paySol(1_000_000n)]);
      await expectError(bench.send([owner], [make, propose, approve, execute]), null);
      expect(await lamportsOf(bench, owner.address)).toBe(before + 1_000_000n - 4_475_280n - FEE);
      await expectError(bench.send([owner], [close]), null);
      expect(await lamportsOf(bench, owner.address)).toBe(before + 1_000_000n - 2n * FEE);
    },
  },
  {
    name: "dollars leave with a compute budget for the fee and its priority",
    async run(bench) {
      await withVault(bench);
      const before = await lamportsOf(bench, owner.address);
      const budget = [setComputeUnitLimit(300_000), setComputeUnitPrice(5_000n)];
      const life = await asVault(bench, [payDollars(1_000_000n)]);
      await expectError(bench.send([owner], [...budget, ...life]), null);
      expect(await lamportsOf(bench, owner.address)).toBe(before - 6_500n);
      expect(await tokensOf(bench, ownerUsdc)).toBe(1_000_000n);
    },
  },
  {
    name: "the vault pays for a destination's new account inside its own transaction",
    async run(bench) {
      await withVault(bench);
      const [before, payer] = [
        await lamportsOf(bench, vault),
        await lamportsOf(bench, owner.address),
      ];
      const making = createAssociatedTokenIdempotent({
        payer: vault,
        owner: stranger.address,
        mint: USDC_MINT,
      });
      await expectError(bench.send([owner], await asVault(bench, [making])), null);
      expect(await lamportsOf(bench, vault)).toBe(before - 2_039_280n);
      expect(await lamportsOf(bench, owner.address)).toBe(payer - FEE);
    },
  },
  {
    name: "dollars leave with a shared table outside the vault's message",
    async run(bench) {
      await withVault(bench);
      await expectError(sendWithTable(bench, [payDollars(5n)], "outside"), null);
      expect(await tokensOf(bench, ownerUsdc)).toBe(5n);
    },
  },
  {
    name: "dollars leave with a shared table outside and inside the vault's message",
    async run(bench) {
      await withVault(bench);
      await expectError(sendWithTable(bench, [payDollars(5n)], "both"), null);
      expect(await tokensOf(bench, ownerUsdc)).toBe(5n);
    },
  },
];
