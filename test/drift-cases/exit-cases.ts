import { expect } from "vitest";
import { deleteUser } from "../../src/venues/drift/instructions.ts";
import { REFERRER_STATUS, userStatsLayout } from "../../src/venues/drift/layout-user-stats.ts";
import { deriveUserStats } from "../../src/venues/drift/pdas.ts";
import { DRIFT_V2_INSTANCE as IDS } from "../../src/venues/drift/instance.ts";
import { lamportsOf, tokensOf } from "../chain-bench.ts";
import { tradingKey, owner, stranger } from "../squads-bench.ts";
import {
  bring,
  DOLLAR,
  type DriftCase,
  expectError,
  nameDelegate,
  ownerUsdc,
  readPosition,
  readUser,
  settle,
  SOL_BASE,
  take,
  trade,
  user,
  userAddress,
  withAccount,
  withSol,
} from "./case.ts";

const THIRTEEN_DAYS_SECONDS = 13 * 86_400;

const remove = () => deleteUser(IDS, user);

/** Cases of leaving: margin that blocks a withdrawal, settling, the 13 days before deletion, deletion. */
export const EXIT_CASES: readonly DriftCase[] = [
  {
    name: "beside a position, what its margin does not need can leave if the position's markets are passed",
    async run(bench) {
      await withAccount(bench);
      await expectError(bench.send([tradingKey], [trade("long", 2n * SOL_BASE)]), null);
      await expectError(bench.send([owner], [take(DOLLAR)]), "Custom 6078 at 0");
      // Two SOL at 155 and 20 % hold 62 dollars, and spread and fee cost less than four
      await expectError(bench.send([owner], [take(939n * DOLLAR, withSol)]), "Custom 6003 at 0");
      await expectError(bench.send([owner], [take(934n * DOLLAR, withSol)]), null);
    },
  },
  {
    name: "a gain is settled by anybody, then withdrawn",
    async run(bench) {
      await withAccount(bench);
      await expectError(bench.send([tradingKey], [trade("long", 2n * SOL_BASE)]), null);
      const risen = 165n * DOLLAR;
      await bench.setPrice(risen);
      const closing = trade("short", 2n * SOL_BASE, { price: risen, reduceOnly: true });
      await expectError(bench.send([tradingKey], [closing]), null);
      const gain = (await readPosition(bench))?.quoteAssetAmount ?? 0n;
      expect(gain > 16n * DOLLAR && gain < 20n * DOLLAR).toBe(true);
      await expectError(bench.send([owner], [remove()]), "Custom 6152 at 0");
      await expectError(bench.send([stranger], [settle(stranger)]), null);
      expect(await readPosition(bench)).toBeUndefined();
      await expectError(bench.send([owner], [take(1_000n * DOLLAR + gain)]), null);
      expect(await tokensOf(bench, ownerUsdc)).toBe(2_000n * DOLLAR + gain);
    },
  },
  {
    name: "a position, then money, keeps the account from being deleted; its number never returns",
    async run(bench) {
      await withAccount(bench);
      await expectError(bench.send([tradingKey], [trade("short", SOL_BASE)]), null);
      await expectError(bench.send([owner], [remove()]), "Custom 6152 at 0");
      const closing = trade("long", SOL_BASE, { reduceOnly: true });
      await expectError(bench.send([tradingKey], [closing]), null);
      await expectError(bench.send([tradingKey], [settle()]), null);
      await expectError(bench.send([owner], [remove()]), "Custom 6152 at 0");
      const { totalDeposits, settledPerpPnl } = await readUser(bench);
      await expectError(bench.send([owner], [take(totalDeposits + settledPerpPnl)]), null);
      const before = await lamportsOf(bench, owner.address);
      await expectError(bench.send([owner], [remove()]), null);
      expect(await lamportsOf(bench, owner.address)).toBe(before + 31_347_840n - 5_000n);
      expect(await bench.account(userAddress)).toBeNull();
      expect(await lamportsOf(bench, deriveUserStats(IDS, owner.address))).toBe(2_561_280n);
    },
  },
  {
    name: "an account that somebody named as referrer is never deleted",
    async run(bench) {
      await withAccount(bench);
      await bench.edit(deriveUserStats(IDS, owner.address), (account) => {
        const stats = userStatsLayout.decode(account.data);
        const { isReferrer: referrerStatus } = REFERRER_STATUS;
        return { ...account, data: userStatsLayout.encode({ ...stats, referrerStatus }) };
      });
      await expectError(bench.send([owner], [take(1_000n * DOLLAR)]), null);
      await expectError(bench.send([owner], [remove()]), "Custom 6152 at 0");
    },
  },
  {
    name: "while accounts cost a fee, an account can be deleted only after 13 days",
    async run(bench) {
      await withAccount(bench);
      await bench.setExchange({ maxInitializeUserFee: 1 });
      await expectError(bench.send([owner], [take(1_000n * DOLLAR)]), null);
      await expectError(bench.send([owner], [remove()]), "Custom 6152 at 0");
      bench.advance(THIRTEEN_DAYS_SECONDS - 60);
      bench.nextSlot();
      await expectError(bench.send([owner], [remove()]), "Custom 6152 at 0");
      bench.advance(120);
      bench.nextSlot();
      await expectError(bench.send([owner], [remove()]), null);
    },
  },
  {
    name: "the whole life: delegate, deposit, long, short, pause, withdrawal, 13 days, deletion",
    async run(bench) {
      await withAccount(bench, 500n);
      expect((await readUser(bench)).delegate).toBe(tradingKey.address);
      await expectError(bench.send([tradingKey], [trade("long", SOL_BASE)]), null);
      await expectError(bench.send([tradingKey], [trade("short", 2n * SOL_BASE)]), null);
      await bench.setExchange({ exchangeStatus: 127, maxInitializeUserFee: 1 });
      await expectError(bench.send([owner], [bring(DOLLAR)]), "Custom 6024 at 0");
      await bench.setExchange({ exchangeStatus: 0 });
      await expectError(
        bench.send([tradingKey], [trade("long", 9n * SOL_BASE, { reduceOnly: true })]),
        null,
      );
      await expectError(bench.send([owner], [settle(owner)]), null);
      await expectError(bench.send([owner], [nameDelegate()]), null);
      const { settledPerpPnl } = await readUser(bench);
      const left = 500n * DOLLAR + settledPerpPnl;
      expect(left < 500n * DOLLAR && left > 490n * DOLLAR).toBe(true);
      await expectError(bench.send([owner], [take(left)]), null);
      expect(await tokensOf(bench, ownerUsdc)).toBe(1_500n * DOLLAR + left);
      await expectError(bench.send([owner], [remove()]), "Custom 6152 at 0");
      bench.advance(THIRTEEN_DAYS_SECONDS + 60);
      bench.nextSlot();
      await expectError(bench.send([owner], [remove()]), null);
    },
  },
];
