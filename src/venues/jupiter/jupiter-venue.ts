import type { Clock } from "../../domain/clock.ts";
import type { Chain } from "../../solana/chain.ts";
import type { PlanStep, Venue, VenueAccount } from "../venue.ts";
import { accountStateOf, type AssetPrices, marketsNeeded } from "./account-state.ts";
import { bookAddresses, bookTransaction } from "./book-transaction.ts";
import { buildOrderFrom, type LeftoverAlarm } from "./build-order.ts";
import { ownerDeedsOf } from "./owner-deeds.ts";
import { reportOrderOf } from "./order-report.ts";
import { planSaleFrom } from "./plan-sale.ts";
import { assetLimitFor, planLimitsFrom, readSetUpRents } from "./plan-set-up.ts";
import {
  planDepositFrom,
  planHandOverFrom,
  emptyStep,
  planRemovalFrom,
  planRevokeFrom,
  planWithdrawFrom,
} from "./plan-transfer.ts";
import { assetOf, type JupiterInstance, quoteToken, tokenAccountOf } from "./instance.ts";
import { excessLimits } from "./excess-limits.ts";
import { readJupiterBook } from "./read-book.ts";
import { jupiterErrors } from "./program-errors.ts";
import { sharedAddresses } from "./shared-addresses.ts";
import { listLimits } from "./list-limits.ts";
import { isOurLimit, limitAddress } from "./spending-limits.ts";
import type { SpotPrices, SwapRouter } from "./swap-router.ts";
import { delegateRentLamports, readVault, readVaults, type VaultReading } from "./vault-reader.ts";
import { SWAP_COSTS } from "./trading-costs.ts";

/** The swap venue, with what only a venue of spending limits has. */
export interface JupiterVenue extends Venue {
  /**
   * Replaces both spending limits in one transaction; limits of other assets go with it. `quoteLimit` in quote base
   * units a day, 1 to 1,000,000 USDC; throws `RangeError` outside.
   */
  planLimits(account: VenueAccount, quoteLimit: bigint): Promise<readonly PlanStep[]>;
}

/** Makes the swap venue of a chain. The clock only decides whether a spending limit has filled up again. */
export function createJupiterVenue(options: {
  readonly chain: Chain;
  readonly router: SwapRouter;
  /** Not the router: what the router's quotes are checked against. */
  readonly prices: SpotPrices;
  readonly instance: JupiterInstance;
  readonly clock: Clock;
  readonly onLeftover?: LeftoverAlarm;
}): JupiterVenue {
  const { chain, router, prices, instance, clock } = options;
  const nowSeconds = (): bigint => BigInt(Math.floor(clock.now() / 1_000));

  async function pricesFor(
    pairs: readonly (readonly [VenueAccount, VaultReading])[],
  ): Promise<AssetPrices> {
    const needed = new Set(pairs.flatMap(([account, reading]) => marketsNeeded(reading, account)));
    const entries = [...needed].map(
      async (marketId) => [marketId, await prices.price(marketId)] as const,
    );
    return new Map(await Promise.all(entries));
  }

  async function accountStates(accounts: readonly VenueAccount[]) {
    const readings = await readVaults(chain, instance, accounts);
    const pairs = accounts.flatMap((account, at) => {
      const reading = readings[at];
      return reading === undefined ? [] : [[account, reading] as const];
    });
    const known = await pricesFor(pairs);
    return pairs.map(([account, reading]) => accountStateOf(reading, account, known, nowSeconds()));
  }

  async function planSetUp(account: VenueAccount): Promise<readonly PlanStep[]> {
    const asset = assetOf(instance, account.marketId);
    const reading = await readVault(chain, instance, account);
    const traded = reading.assets.find((known) => known.asset === asset);
    const { limit } = reading.quote;
    const quote = isOurLimit(limit, account, instance.quote.mint)
      ? limit.amount
      : instance.dailyLimit;
    const present = traded?.limit ?? null;
    const assetLimit = isOurLimit(present, account, asset.mint)
      ? present.amount
      : assetLimitFor(asset, quote, (await prices.price(asset.marketId)).price);
    const wanted = { quote, asset: assetLimit };
    return planLimitsFrom(instance, account, asset, reading, wanted, await readSetUpRents(chain));
  }

  return {
    id: "jupiter",
    instance,
    keepsNoCost: true,
    programErrors: jupiterErrors,
    async health() {
      const { accounts } = await chain.accounts([instance.programId]);
      if (accounts[0] == null) {
        return { status: "retired", reason: "Jupiter does not run on this network." };
      }
      return router.health();
    },
    sharedAddresses: async () => sharedAddresses(instance),
    price: async (marketId) => prices.price(assetOf(instance, marketId).marketId),
    tradingCosts: async (marketId) => {
      assetOf(instance, marketId);
      return SWAP_COSTS;
    },
    async accountState(account) {
      const [state] = await accountStates([account]);
      if (state === undefined) throw new Error("One account was asked for and none was answered");
      return state;
    },
    accountStates,
    async buildOrder(account, order) {
      const reading = await readVault(chain, instance, account);
      return buildOrderFrom(options, account, order, reading, nowSeconds());
    },
    buildSettle: async () => [],
    reportOrder: (account, outcome) => reportOrderOf(instance, account, outcome),
    planSetUp,
    limitAccounts: (account) => ({
      quote: limitAddress(account, instance.quote.mint),
      asset: limitAddress(account, assetOf(instance, account.marketId).mint),
    }),
    async planLimits(account, quoteLimit) {
      const asset = assetOf(instance, account.marketId);
      const reading = await readVault(chain, instance, account);
      const { price } = await prices.price(asset.marketId);
      const wanted = { quote: quoteLimit, asset: assetLimitFor(asset, quoteLimit, price) };
      return planLimitsFrom(instance, account, asset, reading, wanted, await readSetUpRents(chain));
    },
    planDeposit: async (account, amount) => planDepositFrom(instance, account, amount),
    planWithdraw: async (account, amount) => planWithdrawFrom(instance, account, amount),
    async planClose(account) {
      return planSaleFrom(options, account, await readVault(chain, instance, account));
    },
    async planMoveOut(account, marketId) {
      const reading = await readVault(chain, instance, account);
      const wanted = reading.assets.filter(
        ({ asset }) => marketId === undefined || asset.marketId === marketId,
      );
      const held = wanted.find((each) => (each.held ?? 0n) > 0n);
      if (held === undefined) return emptyStep("Move assets to your wallet");
      const [step = emptyStep("")] = planHandOverFrom(account, { ...reading, assets: [held] });
      const target = tokenAccountOf(account.owner, held.asset);
      const [present] = (await chain.accounts([target])).accounts;
      if (present != null) return step;
      return { ...step, ownerRentLamports: (await readSetUpRents(chain)).tokenAccount };
    },
    ownerDeeds: (account, outcome) => ownerDeedsOf(instance, account, outcome),
    planSettle: async () => emptyStep("Settle PnL"),
    async planRevoke(account) {
      return planRevokeFrom(instance, account, await readVault(chain, instance, account));
    },
    async readCustody(account) {
      const reading = await readVault(chain, instance, account);
      const { quote } = reading;
      return {
        account: quote.limit === null ? null : tokenAccountOf(account.vault, quoteToken(instance)),
        delegate: quote.limit?.members[0] ?? null,
        heldLamports: 0n,
        deletableAtMs: null,
        unrecoverableLamports: delegateRentLamports(reading),
        limits: listLimits(instance, account, reading, nowSeconds()),
        assets: reading.assets.flatMap(({ asset: { marketId, decimals }, held }) =>
          held === null || held === 0n ? [] : [{ marketId, decimals, held }],
        ),
        excessPermissions: excessLimits(instance, account, reading),
      };
    },
    async planTearDown(account) {
      const reading = await readVault(chain, instance, account);
      const held = reading.quote.held ?? 0n;
      return [
        ...planHandOverFrom(account, reading),
        ...(held > 0n ? [planWithdrawFrom(instance, account, held)] : []),
        ...planRemovalFrom(instance, account, reading),
      ];
    },
    async withdrawable(account) {
      return (await readVault(chain, instance, account)).quote.held ?? 0n;
    },
    bookAddresses: (account) => bookAddresses(instance, account),
    bookTransaction: (account, outcome) => bookTransaction(instance, account, outcome),
    readBook: (account) => readJupiterBook(options, account),
  };
}
