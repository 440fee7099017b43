import { AccountRole, type Instruction } from "@solana/kit";
import { settlePnl } from "../../src/venues/drift/instructions.ts";
import { priceUpdateLayout } from "../../src/solana/programs/pyth-receiver.ts";
import {
  type DriftSpotMarket,
  MARKET_STATUS,
  spotMarketLayout,
} from "../../src/venues/drift/layout-spot-market.ts";
import { EXCHANGE_STATUS } from "../../src/venues/drift/layout-state.ts";
import { userLayout } from "../../src/venues/drift/layout-user.ts";
import { deriveSpotMarket } from "../../src/venues/drift/pdas.ts";
import { DRIFT_V2_INSTANCE as IDS } from "../../src/venues/drift/instance.ts";
import {
  DOLLAR,
  type DriftCase,
  type ExchangeBench,
  settle,
  SOL_BASE,
  START_PRICE,
  trade,
  user,
  userAddress,
  withSol,
} from "../drift-cases/case.ts";
import { SOL_ORACLE } from "../drift-cases/initialised-exchange.ts";
import { tradingKey, owner, stranger } from "../squads-bench.ts";
import { sendEach } from "./orders.ts";
import { putTrader } from "./traders.ts";

const quoteMarket = deriveSpotMarket(IDS, 0);

/** Settles as every allowed caller, twice. */
async function settleByAll(bench: ExchangeBench): Promise<void> {
  await bench.give(stranger.address, SOL_BASE);
  for (const by of [stranger, tradingKey, owner, owner]) await bench.send([by], [settle(by)]);
}

/** Opens a long or short position at the first price, then sets the present price. */
async function afterMove(
  bench: ExchangeBench,
  side: "long" | "short",
  price: bigint,
  base = 2n * SOL_BASE,
): Promise<void> {
  await putTrader(bench, 1_000n);
  await sendEach(bench, trade(side, base));
  await bench.setPrice(price);
}

/** Sets the market's pool for gains to this many dollars. */
async function leavePool(bench: ExchangeBench, dollars: bigint): Promise<void> {
  const scaledBalance = dollars * 1_000_000_000n;
  await bench.setMarket((last) => ({ ...last, pnlPool: { ...last.pnlPool, scaledBalance } }));
}

async function setSpot(
  bench: ExchangeBench,
  change: (market: DriftSpotMarket) => DriftSpotMarket,
): Promise<void> {
  await bench.edit(quoteMarket, (account) => ({
    ...account,
    data: spotMarketLayout.encode(change(spotMarketLayout.decode(account.data))),
  }));
}

const without = (instruction: Instruction, at: number) => ({
  ...instruction,
  accounts: (instruction.accounts ?? []).toSpliced(at, 1),
});

const changedTo = (instruction: Instruction, at: number, role: AccountRole) => ({
  ...instruction,
  accounts: (instruction.accounts ?? []).map((meta, index) =>
    index === at ? { ...meta, role } : meta,
  ),
});

const UP = 165n * DOLLAR;
const DOWN = 146n * DOLLAR;

/** Cases of settling PnL into collateral: amount, caller, and effect on the market's pools. */
export const SETTLE_CASES: readonly DriftCase[] = [
  {
    name: "settling a gain with the position open",
    async run(bench) {
      await afterMove(bench, "long", UP);
      await settleByAll(bench);
    },
  },
  {
    name: "settling a loss with the position open",
    async run(bench) {
      await afterMove(bench, "long", DOWN);
      await settleByAll(bench);
    },
  },
  {
    name: "settling a short's gain, then its loss, then a closed position",
    async run(bench) {
      await afterMove(bench, "short", DOWN);
      await settleByAll(bench);
      await bench.setPrice(UP);
      await settleByAll(bench);
      await sendEach(bench, trade("long", 2n * SOL_BASE, { price: UP, reduceOnly: true }));
      await settleByAll(bench);
    },
  },
  {
    name: "settling when there is nothing, and no longer anything",
    async run(bench) {
      await putTrader(bench, 1_000n);
      await sendEach(bench, settle(), trade("long", SOL_BASE));
      await sendEach(bench, trade("short", SOL_BASE, { reduceOnly: true }));
      await sendEach(bench, settle(), settle());
    },
  },
  {
    name: "a gain beyond the pools can be settled by its owner, up to the realised part",
    async run(bench) {
      await afterMove(bench, "long", UP, 4n * SOL_BASE);
      await leavePool(bench, 5n);
      await sendEach(bench, trade("short", 2n * SOL_BASE, { price: UP }));
      await settleByAll(bench);
      await leavePool(bench, 0n);
      await settleByAll(bench);
      await leavePool(bench, 100n);
      await settleByAll(bench);
    },
  },
  {
    name: "settling first pays and charges the funding",
    async run(bench) {
      await afterMove(bench, "long", UP);
      await bench.setMarket((last) => ({
        ...last,
        amm: {
          ...last.amm,
          cumulativeFundingRateLong: last.amm.cumulativeFundingRateLong + 9n ** 9n,
        },
      }));
      await settleByAll(bench);
    },
  },
  {
    name: "settling with old, uncertain and far prices",
    async run(bench) {
      await afterMove(bench, "long", DOWN);
      for (const [age, conf, price] of [
        [11n, 1n, DOWN],
        [500n, 1n, DOWN],
        [0n, 20n * DOLLAR, DOWN],
        [0n, 1n, 130n * DOLLAR],
        [0n, 1n, 1_000n * DOLLAR],
        [0n, 1n, 0n],
        [0n, 1n, -DOLLAR],
      ] as const) {
        const { slot } = await bench.time();
        await bench.edit(SOL_ORACLE, (account) => ({
          ...account,
          data: priceUpdateLayout.encode({
            ...priceUpdateLayout.decode(account.data),
            postedSlot: slot - age,
            conf,
            price,
          }),
        }));
        await sendEach(bench, settle());
      }
    },
  },
  {
    name: "settling while the exchange or the market pauses it",
    async run(bench) {
      await afterMove(bench, "long", UP);
      for (const exchangeStatus of [EXCHANGE_STATUS.settlePnlPaused, 127, 128, 255, 63, 0]) {
        await bench.setExchange({ exchangeStatus });
        await sendEach(bench, settle());
      }
      await bench.setPrice(DOWN);
      for (const pausedOperations of [8, 16, 24, 39]) {
        await bench.setMarket((last) => ({ ...last, pausedOperations }));
        await sendEach(bench, settle());
      }
      await bench.setPrice(UP);
      await bench.setMarket((last) => ({ ...last, pausedOperations: 0 }));
      const { initialized, reduceOnly, delisted, active } = MARKET_STATUS;
      for (const status of [initialized, reduceOnly, delisted, active]) {
        await bench.setMarket((last) => ({ ...last, status }));
        await sendEach(bench, settle());
      }
    },
  },
  {
    name: "settling a closed position in a market that only reduces",
    async run(bench) {
      await afterMove(bench, "long", UP);
      await sendEach(bench, trade("short", 2n * SOL_BASE, { price: UP, reduceOnly: true }));
      await bench.setMarket((last) => ({ ...last, pausedOperations: 16, status: 6 }));
      await settleByAll(bench);
    },
  },
  {
    name: "settling the wrong market, without accounts, and with read-only accounts",
    async run(bench) {
      await afterMove(bench, "long", UP);
      await bench.give(stranger.address, SOL_BASE);
      await sendEach(bench, settlePnl(IDS, user, tradingKey.address, 1, 0, withSol));
      await sendEach(bench, settlePnl(IDS, user, tradingKey.address, 0, 1, withSol));
      const plain = settle();
      const count = plain.accounts?.length ?? 0;
      for (let at = 0; at < count; at += 1) {
        if (at === 2) continue;
        await sendEach(bench, without(plain, at), changedTo(plain, at, AccountRole.READONLY));
        await sendEach(bench, { ...plain, accounts: plain.accounts?.slice(0, at) ?? [] });
      }
      await bench.send([stranger], [changedTo(plain, 2, AccountRole.READONLY)]);
      await sendEach(bench, { ...plain, accounts: plain.accounts?.toReversed() ?? [] });
    },
  },
  {
    name: "settling a loss beyond the margin, or of a bankrupt account",
    async run(bench) {
      await afterMove(bench, "long", 145n * DOLLAR, 30n * SOL_BASE);
      const write = (change: Partial<ReturnType<typeof userLayout.decode>>) =>
        bench.edit(userAddress, (account) => ({
          ...account,
          data: userLayout.encode({ ...userLayout.decode(account.data), ...change }),
        }));
      await settleByAll(bench);
      await bench.setPrice(130n * DOLLAR);
      await settleByAll(bench);
      await bench.setPrice(UP);
      await write({ status: 2 });
      await settleByAll(bench);
    },
  },
  {
    name: "fees that were earned go from the pools to the revenue pool, and come back",
    async run(bench) {
      await afterMove(bench, "long", DOWN);
      await bench.setMarket((last) => ({
        ...last,
        insuranceClaim: { ...last.insuranceClaim, maxRevenueWithdrawPerPeriod: 40n * DOLLAR },
        amm: {
          ...last.amm,
          totalExchangeFee: 1_000n * DOLLAR,
          totalFeeMinusDistributions: 900n * DOLLAR,
          totalLiquidationFee: 7n * DOLLAR,
          netRevenueSinceLastFunding: 60n * DOLLAR,
        },
      }));
      await sendEach(bench, settle());
      await bench.setPrice(UP);
      await sendEach(bench, settle());
      const { unixTime } = await bench.time();
      bench.advance(60);
      await setSpot(bench, (last) => ({
        ...last,
        insuranceFund: { ...last.insuranceFund, lastRevenueSettleTs: unixTime + 30n },
      }));
      await bench.setPrice(DOWN);
      await sendEach(bench, settle());
      await bench.setMarket((last) => ({
        ...last,
        amm: { ...last.amm, totalFeeMinusDistributions: -50n * DOLLAR },
      }));
      await bench.setPrice(START_PRICE);
      await sendEach(bench, settle());
      await bench.setPrice(UP);
      await sendEach(bench, settle());
    },
  },
  {
    name: "settling when others owe the exchange, and beyond the deposit",
    async run(bench) {
      await afterMove(bench, "long", DOWN);
      await setSpot(bench, (last) => ({
        ...last,
        borrowBalance: last.depositBalance / 2n,
        cumulativeDepositInterest: (last.cumulativeDepositInterest * 11n) / 10n,
        cumulativeBorrowInterest: (last.cumulativeBorrowInterest * 12n) / 10n,
        withdrawGuardThreshold: 1n,
      }));
      bench.advance(3_600);
      await settleByAll(bench);
      await bench.setPrice(UP);
      await settleByAll(bench);
    },
  },
];
