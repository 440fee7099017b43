import { expect } from "vitest";
import { practiceKeyPair } from "../../src/practice/sign-transaction.ts";
import { associatedTokenAddress } from "../../src/solana/programs/associated-token.ts";
import { SPENDING_PERIOD } from "../../src/solana/programs/squads-accounts.ts";
import { NATIVE_MINT_PLACEHOLDER, spendingLimitUse } from "../../src/solana/programs/squads.ts";
import { transferChecked, USDC_MINT } from "../../src/solana/programs/token.ts";
import { type ChainBench, lamportsOf, tokensOf } from "../chain-bench.ts";
import {
  tradingKey,
  tradingKeyUsdc,
  multisig,
  owner,
  putDollars,
  stranger,
  vault,
  vaultUsdc,
} from "../squads-bench.ts";
import {
  DAY_SECONDS,
  expectError,
  FEE,
  limit,
  removeLimit,
  type SquadsCase,
  useLimit,
  withLimit,
} from "./case.ts";

const EXCEEDED = "Custom 6026 at 0";
const UNAUTHORIZED = "Custom 6004 at 0";
const native = { mint: NATIVE_MINT_PLACEHOLDER };

const drawSol = (amount: bigint, decimals = 9) =>
  spendingLimitUse(
    {
      multisig,
      member: tradingKey.address,
      spendingLimit: limit,
      destination: tradingKey.address,
    },
    { amount, decimals },
  );

/** Uses up the limit and expects it to be empty just before its period ends and full after it. */
const refillsAfter =
  (period: number, days: number) =>
  async (bench: ChainBench): Promise<void> => {
    await withLimit(bench, { period });
    await expectError(bench.send([tradingKey], [useLimit(100_000_000n)]), null);
    bench.advance(days * DAY_SECONDS - 60);
    await expectError(bench.send([tradingKey], [useLimit(1n)]), EXCEEDED);
    bench.advance(120);
    await expectError(bench.send([tradingKey], [useLimit(100_000_000n)]), null);
    expect(await tokensOf(bench, tradingKeyUsdc)).toBe(200_000_000n);
  };

export const DRAW_CASES: readonly SquadsCase[] = [
  {
    name: "the delegate, no member of the multisig, draws dollars for its own fee",
    async run(bench) {
      await withLimit(bench);
      const before = await lamportsOf(bench, tradingKey.address);
      await expectError(bench.send([tradingKey], [useLimit(60_000_000n)]), null);
      expect(await tokensOf(bench, tradingKeyUsdc)).toBe(60_000_000n);
      expect(await lamportsOf(bench, tradingKey.address)).toBe(before - FEE);
    },
  },
  {
    name: "the delegate draws up to the limit and not a unit more",
    async run(bench) {
      await withLimit(bench);
      await expectError(bench.send([tradingKey], [useLimit(60_000_000n)]), null);
      await expectError(bench.send([tradingKey], [useLimit(40_000_001n)]), EXCEEDED);
      await expectError(bench.send([tradingKey], [useLimit(40_000_000n)]), null);
    },
  },
  { name: "a daily limit fills up again after a day", run: refillsAfter(SPENDING_PERIOD.day, 1) },
  { name: "a weekly limit after a week", run: refillsAfter(SPENDING_PERIOD.week, 7) },
  { name: "a monthly limit after thirty days", run: refillsAfter(SPENDING_PERIOD.month, 30) },
  {
    name: "a one-time limit never resets",
    async run(bench) {
      await withLimit(bench, { period: SPENDING_PERIOD.oneTime });
      await expectError(bench.send([tradingKey], [useLimit(100_000_000n)]), null);
      bench.advance(60 * DAY_SECONDS);
      await expectError(bench.send([tradingKey], [useLimit(1n)]), EXCEEDED);
    },
  },
  {
    name: "money returned to the vault does not restore the limit",
    async run(bench) {
      await withLimit(bench);
      await expectError(bench.send([tradingKey], [useLimit(100_000_000n)]), null);
      const back = transferChecked(
        {
          source: tradingKeyUsdc,
          mint: USDC_MINT,
          destination: vaultUsdc,
          authority: tradingKey.address,
        },
        { amount: 100_000_000n, decimals: 6 },
      );
      await expectError(bench.send([tradingKey], [back, useLimit(1n)]), "Custom 6026 at 1");
    },
  },
  {
    name: "a stranger does not draw",
    async run(bench) {
      await withLimit(bench);
      await expectError(bench.send([stranger], [useLimit(1n, stranger)]), UNAUTHORIZED);
    },
  },
  {
    name: "not even the owner draws without being listed",
    async run(bench) {
      await withLimit(bench);
      await expectError(bench.send([owner], [useLimit(1n, owner)]), UNAUTHORIZED);
    },
  },
  {
    name: "all listed keys draw from the same allowance",
    async run(bench) {
      const members = [tradingKey.address, stranger.address];
      await withLimit(bench, { members });
      await expectError(bench.send([stranger], [useLimit(70_000_000n, stranger)]), null);
      await expectError(bench.send([tradingKey], [useLimit(30_000_001n)]), EXCEEDED);
    },
  },
  {
    name: "money goes only to a listed destination",
    async run(bench) {
      await withLimit(bench);
      await putDollars(bench, stranger.address, 0n);
      const elsewhere = useLimit(1n, tradingKey, stranger.address);
      await expectError(bench.send([tradingKey], [elsewhere]), "Custom 6025 at 0");
    },
  },
  {
    name: "an empty list of destinations means anywhere",
    async run(bench) {
      await withLimit(bench, { destinations: [] });
      await putDollars(bench, stranger.address, 0n);
      const elsewhere = useLimit(1n, tradingKey, stranger.address);
      await expectError(bench.send([tradingKey], [elsewhere]), null);
      const theirs = associatedTokenAddress(stranger.address, USDC_MINT);
      expect(await tokensOf(bench, theirs)).toBe(1n);
    },
  },
  {
    name: "a destination is a wallet whose token account has to exist",
    async run(bench) {
      const nobody = practiceKeyPair("nobody").address;
      await withLimit(bench, { destinations: [nobody] });
      const there = useLimit(1n, tradingKey, nobody);
      await expectError(bench.send([tradingKey], [there]), "Custom 3012 at 0");
    },
  },
  {
    name: "dollars are not drawn with wrong decimals",
    async run(bench) {
      await withLimit(bench);
      const wrong = useLimit(1n, tradingKey, tradingKey.address, 9);
      await expectError(bench.send([tradingKey], [wrong]), "Custom 18 at 0");
    },
  },
  {
    name: "more than the vault holds is not drawn, and the allowance stays",
    async run(bench) {
      await withLimit(bench, { amount: 5_000_000_000n });
      await expectError(bench.send([tradingKey], [useLimit(1_000_000_001n)]), "Custom 1 at 0");
      await expectError(bench.send([tradingKey], [useLimit(1_000_000_000n)]), null);
    },
  },
  {
    name: "a removed limit cannot be used",
    async run(bench) {
      await withLimit(bench);
      await expectError(bench.send([owner], [removeLimit()]), null);
      await expectError(bench.send([tradingKey], [useLimit(1n)]), "Custom 3012 at 0");
    },
  },
  {
    name: "native SOL is drawn under the all-zero mint",
    async run(bench) {
      await withLimit(bench, native);
      const before = await lamportsOf(bench, tradingKey.address);
      await expectError(bench.send([tradingKey], [drawSol(10_000_000n)]), null);
      expect(await lamportsOf(bench, tradingKey.address)).toBe(before + 10_000_000n - FEE);
    },
  },
  {
    name: "native SOL has nine decimals",
    async run(bench) {
      await withLimit(bench, native);
      await expectError(bench.send([tradingKey], [drawSol(1_000_000n, 6)]), "Custom 6027 at 0");
    },
  },
  {
    name: "a limit of SOL does not move dollars",
    async run(bench) {
      await withLimit(bench, native);
      await expectError(bench.send([tradingKey], [useLimit(1n)]), "Custom 6024 at 0");
    },
  },
  {
    name: "drawing SOL leaves the vault at zero or at least the rent minimum",
    async run(bench) {
      await withLimit(bench, native);
      await expectError(
        bench.send([tradingKey], [drawSol(99_500_000n)]),
        "InsufficientFundsForRent",
      );
      await expectError(bench.send([tradingKey], [drawSol(100_000_000n)]), null);
      expect(await bench.account(vault)).toBeNull();
    },
  },
];
