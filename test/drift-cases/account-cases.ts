import { expect } from "vitest";
import { deleteUser } from "../../src/venues/drift/instructions.ts";
import { spotMarketLayout } from "../../src/venues/drift/layout-spot-market.ts";
import {
  deriveSpotMarket,
  deriveSpotMarketVault,
  deriveUserStats,
} from "../../src/venues/drift/pdas.ts";
import { DRIFT_V2_INSTANCE as IDS } from "../../src/venues/drift/instance.ts";
import { lamportsOf, tokensOf } from "../chain-bench.ts";
import { tradingKey, owner, putDollars, stranger } from "../squads-bench.ts";
import {
  as,
  bring,
  DOLLAR,
  type DriftCase,
  expectError,
  nameDelegate,
  noMarkets,
  open,
  ownerUsdc,
  readUser,
  take,
  user,
  userAddress,
  withAccount,
} from "./case.ts";
import { openVenue, ownAccount as account } from "./venue-bench.ts";

/** Cases of opening an account, setting its trading key, depositing and withdrawing, without a trade. */
export const ACCOUNT_CASES: readonly DriftCase[] = [
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
      await expectError(bench.send([owner], [nameDelegate()]), null);
      expect((await readUser(bench)).delegate).toBe(tradingKey.address);
    },
  },
  {
    name: "the delegate cannot name another one or withdraw",
    async run(bench) {
      await withAccount(bench);
      await expectError(
        bench.send([tradingKey], [as(tradingKey.address, nameDelegate())]),
        "Custom 2006 at 0",
      );
      await expectError(
        bench.send([tradingKey], [as(tradingKey.address, take(DOLLAR))]),
        "Custom 2001 at 0",
      );
      await expectError(
        bench.send([stranger], [as(stranger.address, take(DOLLAR))]),
        "Custom 2001 at 0",
      );
    },
  },
  {
    name: "deposits move tokens in, withdrawals out, the empty account goes",
    async run(bench) {
      await expectError(bench.send([owner], open()), null);
      await putDollars(bench, owner.address, 1_000n * DOLLAR);
      const vault = deriveSpotMarketVault(IDS, 0);
      const held = await tokensOf(bench, vault);
      await expectError(bench.send([owner], [bring(1_000n * DOLLAR)]), null);
      expect(await tokensOf(bench, vault)).toBe(held + 1_000n * DOLLAR);
      await expectError(bench.send([owner], [deleteUser(IDS, user)]), "Custom 6152 at 0");
      await expectError(bench.send([owner], [take(250n * DOLLAR)]), null);
      expect(await tokensOf(bench, ownerUsdc)).toBe(250n * DOLLAR);
      // A withdrawal may cost the balance a billionth more, so that the rest is what is left of it
      await expectError(bench.send([owner], [take(750n * DOLLAR, noMarkets, true)]), null);
      expect(await tokensOf(bench, ownerUsdc)).toBeGreaterThanOrEqual(1_000n * DOLLAR - 1n);
      const before = await lamportsOf(bench, owner.address);
      await expectError(bench.send([owner], [deleteUser(IDS, user)]), null);
      expect(await lamportsOf(bench, owner.address)).toBe(before + 31_347_840n - 5_000n);
      await expectError(bench.send([owner], open().slice(1)), "Custom 6214 at 0");
    },
  },
  {
    name: "no account remains with less than a unit",
    async run(bench) {
      await expectError(bench.send([owner], open()), null);
      await putDollars(bench, owner.address, 10n * DOLLAR);
      await expectError(bench.send([owner], [bring(DOLLAR)]), null);
      const { venue } = await openVenue(bench);
      // What would stay is less than a unit: the program refuses, and the venue does so before it
      const allButOne = take(DOLLAR - 1n, noMarkets, true);
      await expectError(bench.send([owner], [allButOne]), "Custom 6073 at 0");
      await expect(venue.planWithdraw(account, DOLLAR - 1n)).rejects.toThrow(RangeError);
      await venue.planWithdraw(account, DOLLAR - 2n);
      await expectError(bench.send([owner], [take(DOLLAR, noMarkets, true)]), null);
      // With interest a unit brought in would count as less than one
      await bench.edit(deriveSpotMarket(IDS, 0), (state) => {
        const market = spotMarketLayout.decode(state.data);
        const earned = { ...market, cumulativeDepositInterest: 10_500_000_000n };
        return { ...state, data: new Uint8Array(spotMarketLayout.encode(earned)) };
      });
      await expectError(bench.send([owner], [bring(1n)]), "Custom 6216 at 0");
      expect(await tokensOf(bench, ownerUsdc)).toBe(10n * DOLLAR);
      await expectError(bench.send([owner], [deleteUser(IDS, user)]), null);
    },
  },
  {
    name: "a deleted account is opened again under the next number by the venue's own plan",
    async run(bench) {
      const { venue, wait } = await openVenue(bench);
      const openAt = async (subAccountId: number): Promise<string | null> => {
        const steps = await venue.planSetUp({ ...account, subAccountId }, "Agent");
        const asVault = steps.flatMap((step) => step.asVault);
        return (await bench.send([owner], asVault)).error;
      };
      expect(await venue.accountNumber?.(account)).toBe(0);
      expect(await openAt(0)).toBeNull();
      expect(await venue.accountNumber?.(account)).toBe(0);
      for (const number of [0, 1]) {
        const present = { ...user, subAccountId: number };
        await expectError(bench.send([owner], [deleteUser(IDS, present)]), null);
        expect(await venue.accountNumber?.({ ...account, subAccountId: number })).toBe(number + 1);
        expect(await openAt(number)).toBe("Custom 6214 at 0");
        expect(await openAt(number + 1)).toBeNull();
        wait(1);
      }
      const opened = { ...account, subAccountId: 2 };
      expect(await venue.accountNumber?.(opened)).toBe(2);
      expect(await venue.readCustody(opened)).toMatchObject({ tradingKey: tradingKey.address });
      expect(await venue.readCustody(account)).toMatchObject({ account: null });
    },
  },
];
