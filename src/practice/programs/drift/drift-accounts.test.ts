import type { Instruction } from "@solana/kit";
import { describe, expect, it } from "vitest";
import {
  BENCH_START_MS,
  type ChainBench,
  lamportsOf,
  openLiteBench,
  openPracticeBench,
  tokensOf,
} from "../../../../test/chain-bench.ts";
import { delegate, owner, prepareSquads, putDollars } from "../../../../test/squads-bench.ts";
import { associatedTokenAddress } from "../../../solana/programs/associated-token.ts";
import {
  deleteUser,
  deposit,
  initializeUser,
  initializeUserStats,
  updateUserDelegate,
  withdraw,
} from "../../../venues/drift/instructions.ts";
import { userLayout } from "../../../venues/drift/layout-user.ts";
import {
  deriveSpotMarket,
  deriveSpotMarketVault,
  deriveUser,
  deriveUserStats,
} from "../../../venues/drift/pdas.ts";
import { DRIFT_V2_PROFILE as IDS } from "../../../venues/drift/profile.ts";
import { exchangeAccounts } from "./drift-genesis.ts";

const user = { authority: owner.address, subAccountId: 0 };
const userAddress = deriveUser(IDS, owner.address, 0);
const ownerUsdc = associatedTokenAddress(owner.address, IDS.quote.mint);
const markets = { oracles: [], spotMarkets: [deriveSpotMarket(IDS, 0)], perpMarkets: [] };
const DOLLAR = 1_000_000n;

const move = (amount: bigint) => ({
  spotMarketIndex: 0,
  tokenAccount: ownerUsdc,
  amount,
  markets,
});

const open = (subAccountId = 0): Instruction[] => [
  initializeUserStats(IDS, owner.address),
  initializeUser(IDS, { ...user, subAccountId }, "Agent"),
];

async function expectError(result: ReturnType<ChainBench["send"]>, error: string | null) {
  expect((await result).error).toBe(error);
}

const CASES: readonly {
  readonly name: string;
  readonly run: (bench: ChainBench) => Promise<void>;
}[] = [
  {
    name: "opening costs 0.03390912 SOL",
    async run(bench) {
      const before = await lamportsOf(bench, owner.address);
      await expectError(bench.send([owner], open()), null);
      expect(await lamportsOf(bench, owner.address)).toBe(before - 33_909_120n - 5_000n);
      expect(await lamportsOf(bench, userAddress)).toBe(31_347_840n);
      expect(await lamportsOf(bench, deriveUserStats(IDS, owner.address))).toBe(2_561_280n);
    },
  },
  {
    name: "the first account is number 0, and statistics exist once",
    async run(bench) {
      await expectError(bench.send([owner], open(1)), "Custom 6214 at 1");
      await expectError(bench.send([owner], open()), null);
      await expectError(bench.send([owner], open(1)), "Custom 0 at 0");
    },
  },
  {
    name: "the delegate is named by the authority",
    async run(bench) {
      await expectError(bench.send([owner], open()), null);
      const naming = updateUserDelegate(IDS, user, delegate.address);
      await expectError(bench.send([owner], [naming]), null);
      const account = await bench.account(userAddress);
      expect(userLayout.decode(account!.data).delegate).toBe(delegate.address);
    },
  },
  {
    name: "deposits move tokens in, withdrawals out, the empty account goes",
    async run(bench) {
      await expectError(bench.send([owner], open()), null);
      await putDollars(bench, owner.address, 1_000n * DOLLAR);
      const vault = deriveSpotMarketVault(IDS, 0);
      const held = await tokensOf(bench, vault);
      await expectError(bench.send([owner], [deposit(IDS, user, move(1_000n * DOLLAR))]), null);
      expect(await tokensOf(bench, vault)).toBe(held + 1_000n * DOLLAR);
      await expectError(bench.send([owner], [deleteUser(IDS, user)]), "Custom 6152 at 0");
      await expectError(bench.send([owner], [withdraw(IDS, user, move(250n * DOLLAR))]), null);
      expect(await tokensOf(bench, ownerUsdc)).toBe(250n * DOLLAR);
      await expectError(bench.send([owner], [withdraw(IDS, user, move(750n * DOLLAR))]), null);
      const before = await lamportsOf(bench, owner.address);
      await expectError(bench.send([owner], [deleteUser(IDS, user)]), null);
      expect(await lamportsOf(bench, owner.address)).toBe(before + 31_347_840n - 5_000n);
      await expectError(bench.send([owner], open().slice(1)), "Custom 6214 at 0");
    },
  },
];

async function prepare(bench: ChainBench): Promise<void> {
  await prepareSquads(bench);
  for (const [address, state] of exchangeAccounts(BigInt(BENCH_START_MS / 1_000))) {
    await bench.put(address, state);
  }
}

const DRIFT_SO = process.env["DRIFT_SO"];

describe("the exchange's accounts on the practice chain", () => {
  it.each(CASES)("$name", async ({ run }) => {
    const { bench } = await openPracticeBench();
    await prepare(bench);
    await run(bench);
    expect.hasAssertions();
  });
});

describe("the exchange's accounts, the real program", () => {
  it.skipIf(DRIFT_SO === undefined).each(CASES)("$name", async ({ run }) => {
    const bench = openLiteBench({ [IDS.programId]: DRIFT_SO ?? "" });
    await prepare(bench);
    await run(bench);
    expect.hasAssertions();
  });
});
