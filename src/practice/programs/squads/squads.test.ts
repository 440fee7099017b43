import type { Address, Instruction } from "@solana/kit";
import { describe, expect, it } from "vitest";
import {
  type ChainBench,
  lamportsOf,
  openLiteBench,
  openPracticeBench,
  tokensOf,
} from "../../../../test/chain-bench.ts";
import {
  asVault,
  createKey,
  delegate,
  delegateUsdc,
  limitKey,
  multisig,
  owner,
  prepareSquads,
  putDollars,
  readMultisig,
  stranger,
  vault,
  vaultUsdc,
} from "../../../../test/squads-bench.ts";
import { signer, writable } from "../../../solana/instruction.ts";
import {
  associatedTokenAddress,
  createAssociatedTokenIdempotent,
} from "../../../solana/programs/associated-token.ts";
import { SPENDING_PERIOD } from "../../../solana/programs/squads-accounts.ts";
import { compileInner } from "../../../solana/programs/squads-message.ts";
import { deriveSpendingLimit, SQUADS_PROGRAM } from "../../../solana/programs/squads-pdas.ts";
import {
  multisigAddSpendingLimit,
  multisigRemoveSpendingLimit,
  NATIVE_MINT_PLACEHOLDER,
  spendingLimitUse,
} from "../../../solana/programs/squads-spending.ts";
import {
  multisigCreateV2,
  proposalApprove,
  proposalCreate,
  vaultTransactionAccountsClose,
  vaultTransactionCreate,
  vaultTransactionExecute,
} from "../../../solana/programs/squads.ts";
import { transferLamports } from "../../../solana/programs/system.ts";
import { closeTokenAccount, transferChecked, USDC_MINT } from "../../../solana/programs/token.ts";
import { anchorDiscriminator } from "../../../solana/anchor.ts";
import { SQUADS_TREASURY } from "../../genesis.ts";

const FEE = 5_000n;
const DAY_SECONDS = 86_400;
const member = { key: owner.address, permissions: 7 };

function create(
  changes: Partial<Parameters<typeof multisigCreateV2>[1]> = {},
  treasury = SQUADS_TREASURY,
): Instruction {
  return multisigCreateV2(
    { treasury, createKey: createKey.address, creator: owner.address },
    {
      configAuthority: owner.address,
      threshold: 1,
      members: [member],
      rentCollector: owner.address,
      ...changes,
    },
  );
}

/** A controlled multisig whose vault holds 0.1 SOL and 1,000 dollars. */
async function withVault(bench: ChainBench, changes: Parameters<typeof create>[0] = {}) {
  const made = await bench.send([owner, createKey], [create(changes)]);
  expect(made.error).toBeNull();
  await bench.give(vault, 100_000_000n);
  await putDollars(bench, vault, 1_000_000_000n);
  await putDollars(bench, delegate.address, 0n);
  await putDollars(bench, owner.address, 0n);
}

const paySol = (lamports: bigint, to = owner.address) =>
  transferLamports({ from: vault, to }, lamports);

const payDollars = (amount: bigint) =>
  transferChecked(
    {
      source: vaultUsdc,
      mint: USDC_MINT,
      destination: associatedTokenAddress(owner.address, USDC_MINT),
      authority: vault,
    },
    { amount, decimals: 6 },
  );

interface LimitChanges {
  readonly mint?: Address;
  readonly amount?: bigint;
  readonly period?: number;
  readonly destinations?: readonly Address[];
}

const addLimit = (changes: LimitChanges = {}, authority = owner) =>
  multisigAddSpendingLimit(
    { multisig, configAuthority: authority.address, rentPayer: authority.address },
    {
      createKey: limitKey.address,
      mint: USDC_MINT,
      amount: 100_000_000n,
      period: SPENDING_PERIOD.day,
      members: [delegate.address],
      destinations: [delegate.address],
      ...changes,
    },
  );

const limit = deriveSpendingLimit(multisig, limitKey.address).address;

const useLimit = (amount: bigint, by = delegate, destination = delegate.address, decimals = 6) =>
  spendingLimitUse(
    { multisig, member: by.address, spendingLimit: limit, destination, mint: USDC_MINT },
    { amount, decimals },
  );

const removeLimit = (authority = owner) =>
  multisigRemoveSpendingLimit({
    multisig,
    configAuthority: authority.address,
    spendingLimit: limit,
    rentCollector: owner.address,
  });

/** The steps of one vault transaction, to leave some out. */
function steps(instructions: readonly Instruction[], transactionIndex = 1n, by = owner) {
  const message = compileInner(vault, instructions);
  const initiator = { multisig, creator: by.address, rentPayer: by.address };
  const actor = { multisig, member: by.address };
  return {
    create: vaultTransactionCreate(initiator, { transactionIndex, vaultIndex: 0, message }),
    propose: proposalCreate(initiator, transactionIndex),
    approve: proposalApprove(actor, transactionIndex),
    execute: vaultTransactionExecute(actor, { transactionIndex, message }),
    close: vaultTransactionAccountsClose(
      { multisig, rentCollector: owner.address },
      transactionIndex,
    ),
  };
}

interface Case {
  readonly name: string;
  readonly run: (bench: ChainBench) => Promise<void>;
}

async function expectError(result: ReturnType<ChainBench["send"]>, error: string | null) {
  expect((await result).error).toBe(error);
}

const CASES: readonly Case[] = [
  {
    name: "creation costs 0.00203928 SOL and two fees",
    async run(bench) {
      const before = await lamportsOf(bench, owner.address);
      await expectError(bench.send([owner, createKey], [create()]), null);
      expect(await lamportsOf(bench, owner.address)).toBe(before - 2_039_280n - 2n * FEE);
      const made = await readMultisig(bench);
      expect(made.configAuthority).toBe(owner.address);
      expect(made.rentCollector).toBe(owner.address);
      expect(made.transactionIndex).toBe(0n);
      expect(made.members).toEqual([member]);
    },
  },
  {
    name: "creation refuses a wrong treasury, a missing create key and unreachable thresholds",
    async run(bench) {
      const wrongTreasury = [create({}, stranger.address)];
      await expectError(bench.send([owner, createKey], wrongTreasury), "Custom 6014 at 0");
      const unsigned = create();
      const accounts = (unsigned.accounts ?? []).map((meta) =>
        meta.address === createKey.address ? { ...meta, role: 0 } : meta,
      );
      await expectError(bench.send([owner], [{ ...unsigned, accounts }]), "Custom 3010 at 0");
      const high = [create({ threshold: 2 })];
      await expectError(bench.send([owner, createKey], high), "Custom 6003 at 0");
      const voteless = [create({ members: [{ ...member, permissions: 5 }] })];
      const result = await bench.send([owner, createKey], voteless);
      expect(result.error).toMatch(/^Custom 60(03|16) at 0$/);
      expect(await bench.account(multisig)).toBeNull();
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
    name: "a transfer out costs the fee only when it closes its accounts",
    async run(bench) {
      await withVault(bench);
      const before = await lamportsOf(bench, owner.address);
      const life = await asVault(bench, [paySol(1_000_000n)]);
      await expectError(bench.send([owner], life), null);
      expect(await lamportsOf(bench, owner.address)).toBe(before + 1_000_000n - FEE);
      expect(await lamportsOf(bench, vault)).toBe(99_000_000n);
      expect((await readMultisig(bench)).transactionIndex).toBe(1n);
    },
  },
  {
    name: "without closing it holds 0.00447528 SOL of rent",
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
    name: "dollars leave the vault, its account closes into it, the rest is recovered",
    async run(bench) {
      await withVault(bench);
      const inner = [
        payDollars(1_000_000_000n),
        closeTokenAccount({ account: vaultUsdc, destination: vault, authority: vault }),
      ];
      await expectError(bench.send([owner], await asVault(bench, inner)), null);
      const ownerUsdc = associatedTokenAddress(owner.address, USDC_MINT);
      expect(await tokensOf(bench, ownerUsdc)).toBe(1_000_000_000n);
      expect(await lamportsOf(bench, vault)).toBe(102_039_280n);
      const low = await asVault(bench, [paySol(101_539_280n)]);
      await expectError(bench.send([owner], low), "InsufficientFundsForRent");
      const kept = await asVault(bench, [paySol(101_039_280n)]);
      await expectError(bench.send([owner], kept), null);
      expect(await lamportsOf(bench, vault)).toBe(1_000_000n);
      const all = await asVault(bench, [paySol(1_000_000n)]);
      await expectError(bench.send([owner], all), null);
      expect(await bench.account(vault)).toBeNull();
    },
  },
  {
    name: "a failing inner instruction reverts all, the index included",
    async run(bench) {
      await withVault(bench);
      const life = await asVault(bench, [paySol(1_000_000n), payDollars(1_000_000_001n)]);
      await expectError(bench.send([owner], life), "Custom 1 at 3");
      expect(await lamportsOf(bench, vault)).toBe(100_000_000n);
      expect((await readMultisig(bench)).transactionIndex).toBe(0n);
    },
  },
  {
    name: "the second of two transactions prepared with one index fails",
    async run(bench) {
      await withVault(bench);
      const one = await asVault(bench, [paySol(1_000_000n)]);
      const two = await asVault(bench, [paySol(2_000_000n)]);
      await expectError(bench.send([owner], one), null);
      await expectError(bench.send([owner], two), "Custom 2006 at 0");
    },
  },
  {
    name: "strangers and the delegate are no members",
    async run(bench) {
      await withVault(bench);
      for (const other of [stranger, delegate]) {
        const theirs = steps([paySol(1_000_000n, other.address)], 1n, other);
        await expectError(bench.send([other], [theirs.create]), "Custom 6005 at 0");
      }
      const ours = steps([paySol(1_000_000n)]);
      await expectError(bench.send([owner], [ours.create, ours.propose]), null);
      const theirs = steps([paySol(1_000_000n)], 1n, stranger);
      await expectError(bench.send([stranger], [theirs.approve]), "Custom 6005 at 0");
      await expectError(bench.send([owner], [ours.approve]), null);
      await expectError(bench.send([stranger], [theirs.execute]), "Custom 6005 at 0");
    },
  },
  {
    name: "executing needs an approval, happens once, and closing waits for it",
    async run(bench) {
      await withVault(bench);
      const { create: make, propose, approve, execute, close } = steps([paySol(1_000_000n)]);
      await expectError(bench.send([owner], [make, propose, execute]), "Custom 6008 at 2");
      await expectError(bench.send([owner], [make, propose, approve, close]), "Custom 6008 at 3");
      await expectError(bench.send([owner], [make, propose, approve, execute]), null);
      await expectError(bench.send([owner], [execute]), "Custom 6008 at 0");
      await expectError(bench.send([owner], [close, execute]), "Custom 3012 at 1");
    },
  },
  {
    name: "closing needs a rent collector, and the right one",
    async run(bench) {
      await withVault(bench, { rentCollector: null });
      const { create: make, propose, approve, execute, close } = steps([paySol(1_000_000n)]);
      const life = [make, propose, approve, execute, close];
      await expectError(bench.send([owner], life), "Custom 6032 at 4");
    },
  },
  {
    name: "rent goes to nobody but the collector",
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
    name: "config transactions are refused when controlled",
    async run(bench) {
      await withVault(bench);
      const data = new Uint8Array(8 + 4 + 1);
      data.set(anchorDiscriminator("global", "config_transaction_create"));
      const instruction = {
        programAddress: SQUADS_PROGRAM,
        accounts: [
          writable(multisig),
          writable(limit),
          signer(owner.address),
          { ...signer(owner.address), role: 3 },
          { address: NATIVE_MINT_PLACEHOLDER, role: 0 },
        ],
        data,
      };
      const { error } = await bench.send([owner], [instruction]);
      // The real program looks at the derived address before the multisig's kind
      expect(error).toMatch(/^Custom (6020|2006) at 0$/);
    },
  },
  {
    name: "a spending limit costs 0.00230376 SOL and gives it back",
    async run(bench) {
      await withVault(bench);
      const before = await lamportsOf(bench, owner.address);
      await expectError(bench.send([owner], [addLimit()]), null);
      expect(await lamportsOf(bench, owner.address)).toBe(before - 2_303_760n - FEE);
      await expectError(bench.send([owner], [removeLimit(), addLimit()]), null);
      expect(await lamportsOf(bench, owner.address)).toBe(before - 2_303_760n - 2n * FEE);
      await expectError(bench.send([owner], [removeLimit()]), null);
      expect(await lamportsOf(bench, owner.address)).toBe(before - 3n * FEE);
      await expectError(bench.send([delegate], [useLimit(1n)]), "Custom 3012 at 0");
    },
  },
  {
    name: "the delegate draws up to the limit and again after the period",
    async run(bench) {
      await withVault(bench);
      await expectError(bench.send([owner], [addLimit()]), null);
      await expectError(bench.send([delegate], [useLimit(60_000_000n)]), null);
      expect(await tokensOf(bench, delegateUsdc)).toBe(60_000_000n);
      await expectError(bench.send([delegate], [useLimit(40_000_001n)]), "Custom 6026 at 0");
      await expectError(bench.send([delegate], [useLimit(40_000_000n)]), null);
      bench.advance(DAY_SECONDS - 60);
      await expectError(bench.send([delegate], [useLimit(1n)]), "Custom 6026 at 0");
      bench.advance(120);
      await expectError(bench.send([delegate], [useLimit(100_000_000n)]), null);
      expect(await tokensOf(bench, delegateUsdc)).toBe(200_000_000n);
    },
  },
  {
    name: "money returned to the vault does not restore the limit",
    async run(bench) {
      await withVault(bench);
      await expectError(bench.send([owner], [addLimit()]), null);
      await expectError(bench.send([delegate], [useLimit(100_000_000n)]), null);
      const back = transferChecked(
        {
          source: delegateUsdc,
          mint: USDC_MINT,
          destination: vaultUsdc,
          authority: delegate.address,
        },
        { amount: 100_000_000n, decimals: 6 },
      );
      await expectError(bench.send([delegate], [back, useLimit(1n)]), "Custom 6026 at 1");
    },
  },
  {
    name: "a one-time limit never fills up again",
    async run(bench) {
      await withVault(bench);
      const once = addLimit({ period: SPENDING_PERIOD.oneTime });
      await expectError(bench.send([owner], [once]), null);
      await expectError(bench.send([delegate], [useLimit(100_000_000n)]), null);
      bench.advance(60 * DAY_SECONDS);
      await expectError(bench.send([delegate], [useLimit(1n)]), "Custom 6026 at 0");
    },
  },
  {
    name: "nobody else draws, nowhere else, and not with wrong decimals",
    async run(bench) {
      await withVault(bench);
      await putDollars(bench, stranger.address, 0n);
      await expectError(bench.send([owner], [addLimit()]), null);
      for (const other of [stranger, owner]) {
        const theirs = useLimit(1n, other);
        await expectError(bench.send([other], [theirs]), "Custom 6004 at 0");
      }
      const elsewhere = useLimit(1n, delegate, stranger.address);
      await expectError(bench.send([delegate], [elsewhere]), "Custom 6025 at 0");
      const wrong = useLimit(1n, delegate, delegate.address, 9);
      await expectError(bench.send([delegate], [wrong]), "Custom 18 at 0");
    },
  },
  {
    name: "only the owner sets limits, and never of nothing",
    async run(bench) {
      await withVault(bench);
      await expectError(bench.send([stranger], [addLimit({}, stranger)]), "Custom 6004 at 0");
      await expectError(bench.send([owner], [addLimit({ amount: 0n })]), "Custom 6039 at 0");
      await expectError(bench.send([owner], [addLimit()]), null);
      await expectError(bench.send([stranger], [removeLimit(stranger)]), "Custom 6004 at 0");
    },
  },
  {
    name: "native SOL has nine decimals and leaves the vault at nothing or the rent minimum",
    async run(bench) {
      await withVault(bench);
      const native = addLimit({ mint: NATIVE_MINT_PLACEHOLDER });
      await expectError(bench.send([owner], [native]), null);
      const draw = (amount: bigint, decimals = 9) =>
        spendingLimitUse(
          {
            multisig,
            member: delegate.address,
            spendingLimit: limit,
            destination: delegate.address,
          },
          { amount, decimals },
        );
      await expectError(bench.send([delegate], [draw(1_000_000n, 6)]), "Custom 6027 at 0");
      await expectError(bench.send([delegate], [useLimit(1n)]), "Custom 6024 at 0");
      const before = await lamportsOf(bench, delegate.address);
      await expectError(bench.send([delegate], [draw(10_000_000n)]), null);
      expect(await lamportsOf(bench, delegate.address)).toBe(before + 10_000_000n - FEE);
      const low = [draw(89_500_000n)];
      await expectError(bench.send([delegate], low), "InsufficientFundsForRent");
    },
  },
  {
    name: "the vault pays for a destination's new account inside its own transaction",
    async run(bench) {
      await withVault(bench);
      const before = await lamportsOf(bench, vault);
      const making = createAssociatedTokenIdempotent({
        payer: vault,
        owner: stranger.address,
        mint: USDC_MINT,
      });
      await expectError(bench.send([owner], await asVault(bench, [making])), null);
      expect(await lamportsOf(bench, vault)).toBe(before - 2_039_280n);
    },
  },
];

const SQUADS_SO = process.env["SQUADS_SO"];

describe("Squads v4 on the practice chain", () => {
  it.each(CASES)("$name", async ({ run }) => {
    const { bench } = await openPracticeBench();
    await prepareSquads(bench);
    await run(bench);
    expect.hasAssertions();
  });

  it("names its errors in the logs as the real program does", async () => {
    const { bench } = await openPracticeBench();
    await prepareSquads(bench);
    const { logs } = await bench.send([owner, createKey], [create({}, stranger.address)]);
    expect(logs).toContain("Program log: Instruction: MultisigCreateV2");
    expect(logs).toContain(
      "Program log: AnchorError occurred. Error Code: InvalidAccount. Error Number: 6014. Error Message: Invalid account provided.",
    );
    expect(logs.at(-1)).toBe(`Program ${SQUADS_PROGRAM} failed: custom program error: 0x177e`);
  });
});

describe("Squads v4, the real program", () => {
  it.skipIf(SQUADS_SO === undefined).each(CASES)("$name", async ({ run }) => {
    const bench = openLiteBench({ [SQUADS_PROGRAM]: SQUADS_SO ?? "" });
    await prepareSquads(bench);
    await run(bench);
    expect.hasAssertions();
  });
});
