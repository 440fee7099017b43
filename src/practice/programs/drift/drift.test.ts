import type { Instruction } from "@solana/kit";
import { describe, expect, it } from "vitest";
import { lamportsOf, openPracticeBench, tokensOf } from "../../../../test/chain-bench.ts";
import { instruction, readonly, signer, writable } from "../../../solana/encoding/instruction.ts";
import type { Keypair } from "../../../solana/encoding/keys.ts";
import { associatedTokenAddress } from "../../../solana/programs/associated-token.ts";
import { tokenAmount } from "../../../venues/drift/balance.ts";
import { driftArguments, type OrderParams } from "../../../venues/drift/instruction-arguments.ts";
import {
  deleteUser,
  deposit,
  initializeUser,
  initializeUserStats,
  type MarketAccounts,
  updateUserDelegate,
  withdraw,
  cancelOrders,
  placeAndTakePerpOrder,
  placePerpOrder,
  settlePnl,
} from "../../../venues/drift/instructions.ts";
import { perpMarketLayout } from "../../../venues/drift/layout-perp-market.ts";
import { spotMarketLayout } from "../../../venues/drift/layout-spot-market.ts";
import { userStatsLayout } from "../../../venues/drift/layout-user-stats.ts";
import { userLayout } from "../../../venues/drift/layout-user.ts";
import { takeOrderParams } from "../../../venues/drift/order-params.ts";
import { parseOrderActionLog } from "../../../venues/drift/order-action-record.ts";
import {
  derivePerpMarket,
  deriveSpotMarket,
  deriveSpotMarketVault,
  deriveState,
  deriveUser,
  deriveUserStats,
} from "../../../venues/drift/pdas.ts";
import { DRIFT_V2_INSTANCE as IDS } from "../../../venues/drift/instance.ts";
import { PRACTICE_QUOTE_MINT } from "../../genesis.ts";
import { practiceKeyPair } from "../../sign-transaction.ts";
import { oracleAddress, PRACTICE_MARKETS } from "./drift-genesis.ts";
import { changeExchange, setExchangePaused } from "../../../../test/practice-operator.ts";

const owner = practiceKeyPair("owner");
const delegate = practiceKeyPair("delegate");
const stranger = practiceKeyPair("stranger");

const user = { authority: owner.address, subAccountId: 0 };
const userAddress = deriveUser(IDS, owner.address, 0);
const statsAddress = deriveUserStats(IDS, owner.address);
const ownerUsdc = associatedTokenAddress(owner.address, PRACTICE_QUOTE_MINT);
const vaultUsdc = deriveSpotMarketVault(IDS, 0);
const quoteMarket = deriveSpotMarket(IDS, 0);

const USDC = 1_000_000n;
const SOL_BASE = 1_000_000_000n;
const PRICE = 155_000_000n;

const solMarket = PRACTICE_MARKETS[0]!;
const solMarketAddress = derivePerpMarket(IDS, solMarket.marketIndex);
const noMarkets: MarketAccounts = { oracles: [], spotMarkets: [quoteMarket], perpMarkets: [] };
const withSol = {
  oracles: [oracleAddress(solMarket)],
  spotMarkets: [quoteMarket],
  perpMarkets: [solMarketAddress],
};

const setUp = (subAccountId = 0): Instruction[] => [
  ...(subAccountId === 0 ? [initializeUserStats(IDS, owner.address)] : []),
  initializeUser(IDS, { ...user, subAccountId }, "Agent"),
];

const bring = (amount: bigint) =>
  deposit(IDS, user, { spotMarketIndex: 0, tokenAccount: ownerUsdc, amount, markets: noMarkets });

const take = (amount: bigint, markets = noMarkets, reduceOnly = false) =>
  withdraw(IDS, user, {
    spotMarketIndex: 0,
    tokenAccount: ownerUsdc,
    amount,
    reduceOnly,
    markets,
  });

/** Limit prices that no trade here reaches. */
const ANY_PRICE = { long: 3n * PRICE, short: PRICE / 3n } as const;

const market = (
  side: "long" | "short",
  size: bigint,
  price: bigint = ANY_PRICE[side],
  reduceOnly = false,
) => takeOrderParams({ marketIndex: 0, side, baseSize: size, price, reduceOnly });

const trade = (params: OrderParams, by: Keypair = delegate) =>
  placeAndTakePerpOrder(IDS, user, by.address, params, withSol);

const settle = (by: Keypair = delegate) => settlePnl(IDS, user, by.address, 0, 0, withSol);

const fill = (orderId: number) =>
  instruction(
    IDS.programId,
    [
      readonly(deriveState(IDS)),
      signer(owner.address),
      writable(userAddress),
      writable(statsAddress),
      writable(userAddress),
      writable(statsAddress),
      readonly(oracleAddress(solMarket)),
      writable(quoteMarket),
      writable(solMarketAddress),
    ],
    driftArguments.fillPerpOrder.encode({ orderId, makerOrderId: null }),
  );

/** Creates an owner with an account of 1,000 dollars and a delegate; the price of SOL is 155, and there are no auctions. */
async function openAccount() {
  const open = await openPracticeBench();
  const { chain, bench, market: prices } = open;
  prices.setPrice("SOL", PRICE);
  await changeExchange(chain, { minPerpAuctionDuration: 0 });
  await chain.fund(owner.address, { lamports: SOL_BASE, quoteUnits: 2_000n * USDC });
  await chain.fund(delegate.address, { lamports: SOL_BASE, quoteUnits: 0n });
  await chain.fund(stranger.address, { lamports: SOL_BASE, quoteUnits: 0n });
  const send = async (by: Keypair, ...instructions: Instruction[]) =>
    bench.send([by], instructions);
  const readUser = async () => {
    const account = await bench.account(userAddress);
    return account === null ? null : userLayout.decode(account.data);
  };
  const balance = async () => {
    const state = await readUser();
    const spot = await bench.account(quoteMarket);
    if (state === null || spot === null) throw new Error("The account does not exist");
    const [position] = state.spotPositions;
    return position === undefined ? 0n : tokenAmount(position, spotMarketLayout.decode(spot.data));
  };
  const position = async () => {
    const state = await readUser();
    return state?.perpPositions.find((slot) => slot.marketIndex === 0);
  };
  const opened = await send(
    owner,
    ...setUp(),
    updateUserDelegate(IDS, user, delegate.address),
    bring(1_000n * USDC),
  );
  expect(opened.error).toBeNull();
  return { ...open, send, readUser, balance, position };
}

describe("the practice exchange", () => {
  it("costs 0.03390912 SOL for the two accounts", async () => {
    const { chain, bench } = await openPracticeBench();
    await chain.fund(owner.address, { lamports: SOL_BASE, quoteUnits: 0n });
    expect((await bench.send([owner], setUp())).error).toBeNull();
    expect(await lamportsOf(bench, owner.address)).toBe(SOL_BASE - 33_909_120n - 5_000n);
    expect((await bench.account(userAddress))?.data.length).toBe(4_376);
    expect((await bench.account(statsAddress))?.data.length).toBe(240);
    expect((await bench.send([owner], setUp(2))).error).toBe("Custom 6214 at 0");
    expect((await bench.send([owner], setUp(1))).error).toBeNull();
  });

  it("moves deposits into its vault and back", async () => {
    const { send, balance, bench, readUser } = await openAccount();
    const before = await tokensOf(bench, vaultUsdc);
    expect(await balance()).toBe(1_000n * USDC);
    expect((await send(owner, take(250n * USDC))).error).toBeNull();
    expect(await balance()).toBe(750n * USDC - 1n);
    expect(await tokensOf(bench, vaultUsdc)).toBe(before - 250n * USDC);
    expect(await tokensOf(bench, ownerUsdc)).toBe(1_250n * USDC);
    expect(await readUser()).toMatchObject({
      totalDeposits: 1_000n * USDC,
      totalWithdraws: 250n * USDC,
    });
    expect((await send(owner, take(750n * USDC + 1n))).error).toBe("Custom 6003 at 0");
    expect((await send(owner, bring(2_000n * USDC))).error).toBe("Custom 1 at 0");
    expect((await send(owner, bring(0n))).error).toBe("Custom 6002 at 0");
  });

  it("fills an order on the curve around the oracle price, for 0.035 %", async () => {
    const { send, position, bench, readUser } = await openAccount();
    const { error, logs } = await send(delegate, trade(market("long", 2n * SOL_BASE)));
    expect(error).toBeNull();
    const price = PRICE + (PRICE * 250n) / 1_000_000n;
    const paid = 310_078_126n;
    const fee = 108_528n;
    const record = logs.flatMap((line) => parseOrderActionLog(line) ?? []).at(-1);
    expect(record).toMatchObject({
      action: 2,
      taker: userAddress,
      baseAssetAmountFilled: 2n * SOL_BASE,
      quoteAssetAmountFilled: paid,
      takerFee: fee,
      oraclePrice: PRICE,
    });
    // Two of a million SOL move the curve by 0.000313 dollars
    expect(paid / 2n - price).toBe(313n);
    expect(await position()).toMatchObject({
      baseAssetAmount: 2n * SOL_BASE,
      quoteAssetAmount: -paid - fee,
      quoteEntryAmount: -paid,
      quoteBreakEvenAmount: -paid - fee,
      openOrders: 0,
      openBids: 0n,
    });
    expect(await readUser()).toMatchObject({ openOrders: 0, hasOpenOrder: false, nextOrderId: 2 });
    const stats = userStatsLayout.decode((await bench.account(statsAddress))!.data);
    expect(stats).toMatchObject({ totalFeePaid: fee, takerVolume30d: paid });
    const held = perpMarketLayout.decode((await bench.account(solMarketAddress))!.data);
    expect(held.amm.baseAssetAmountLong).toBe(2n * SOL_BASE);
    expect(held.numberOfUsersWithBase).toBe(1);
  });

  it("does not fill beyond the limit price and leaves nothing open", async () => {
    const { send, position, readUser } = await openAccount();
    const { error, logs } = await send(delegate, trade(market("long", SOL_BASE, PRICE)));
    expect(error).toBeNull();
    expect(logs.flatMap((line) => parseOrderActionLog(line)?.action ?? [])).toEqual([0, 1]);
    expect((await position())?.baseAssetAmount).toBe(0n);
    expect(await readUser()).toMatchObject({ openOrders: 0 });
    expect((await send(delegate, trade(market("short", SOL_BASE, PRICE)))).error).toBeNull();
    expect((await position())?.baseAssetAmount).toBe(0n);
    const within = market("short", SOL_BASE, PRICE - 40_000n);
    expect((await send(delegate, trade(within))).error).toBeNull();
    expect((await position())?.baseAssetAmount).toBe(-SOL_BASE);
  });

  it("refuses orders without collateral, too small orders and missing markets", async () => {
    const { send } = await openAccount();
    const large = trade(market("long", 33n * SOL_BASE));
    expect((await send(delegate, large)).error).toBe("Custom 6003 at 0");
    const fits = trade(market("long", 32n * SOL_BASE));
    expect((await send(delegate, fits)).error).toBeNull();
    const tiny = trade(market("long", 9_999_999n));
    expect((await send(delegate, tiny)).error).toBe("Custom 6059 at 0");
    expect((await send(owner, take(1n))).error).toBe("Custom 6078 at 0");
    const blind = placeAndTakePerpOrder(
      IDS,
      user,
      delegate.address,
      market("long", SOL_BASE),
      noMarkets,
    );
    expect((await send(delegate, blind)).error).toBe("Custom 6078 at 0");
  });

  it("allows the delegate only to trade, and strangers nothing", async () => {
    const { send } = await openAccount();
    const theirs = { ...take(USDC) };
    const accounts = (theirs.accounts ?? []).map((meta) =>
      meta.address === owner.address ? { ...meta, address: delegate.address } : meta,
    );
    expect((await send(delegate, { ...theirs, accounts })).error).toBe("Custom 2001 at 0");
    expect((await send(stranger, trade(market("long", SOL_BASE), stranger))).error).toBe(
      "Custom 2003 at 0",
    );
    const rename = updateUserDelegate(IDS, user, stranger.address);
    const hijack = (rename.accounts ?? []).map((meta) =>
      meta.address === owner.address ? { ...meta, address: delegate.address } : meta,
    );
    expect((await send(delegate, { ...rename, accounts: hijack })).error).toBe("Custom 2006 at 0");
    const unsigned = trade(market("long", SOL_BASE));
    const silent = (unsigned.accounts ?? []).map((meta) =>
      meta.address === delegate.address ? { ...meta, role: 0 } : meta,
    );
    expect((await send(stranger, { ...unsigned, accounts: silent })).error).toBe(
      "Custom 3010 at 0",
    );
  });

  it("allows withdrawing exactly what the margin leaves", async () => {
    const { send, market: prices } = await openAccount();
    expect((await send(delegate, trade(market("long", 2n * SOL_BASE)))).error).toBeNull();
    // Deposit, less the loss of spread and fee, less 20 % of two SOL at 155
    const loss = 78_126n + 108_528n;
    const allowed = 1_000n * USDC - loss - 62n * USDC;
    expect((await send(owner, take(allowed + 1n, withSol))).error).toBe("Custom 6003 at 0");
    // An unsettled gain does not back a withdrawal
    prices.setPrice("SOL", 2n * PRICE);
    expect((await send(owner, take(876n * USDC + 1n, withSol))).error).toBe("Custom 6003 at 0");
    prices.setPrice("SOL", PRICE);
    expect((await send(owner, take(allowed, withSol))).error).toBe("Custom 6003 at 0");
    // The rest is rounded against its owner by one unit, and margin is required at an average of the dollar's price
    expect((await send(owner, take(allowed - 1n, withSol))).error).toBe("Custom 6003 at 0");
    expect((await send(owner, take(allowed - 63n, withSol))).error).toBeNull();
  });

  it("reduces a reduce-only withdrawal to the permitted amount", async () => {
    const { send, balance } = await openAccount();
    expect((await send(owner, take(5_000n * USDC, noMarkets, true))).error).toBeNull();
    expect(await balance()).toBe(0n);
  });

  it("closes a position, settles the gain into the deposit and pays it out", async () => {
    const { send, position, balance, bench, market: prices } = await openAccount();
    expect((await send(delegate, trade(market("long", 2n * SOL_BASE)))).error).toBeNull();
    prices.setPrice("SOL", 165_000_000n);
    const close = trade(market("short", 5n * SOL_BASE, undefined, true));
    expect((await send(delegate, close)).error).toBeNull();
    const closed = await position();
    const gain = closed?.quoteAssetAmount ?? 0n;
    expect(closed).toMatchObject({ baseAssetAmount: 0n, quoteEntryAmount: 0n });
    expect(gain > 19n * USDC && gain < 20n * USDC).toBe(true);
    expect((await send(owner, deleteUser(IDS, user))).error).toBe("Custom 6152 at 0");
    expect((await send(stranger, settle(stranger))).error).toBeNull();
    expect(await balance()).toBe(1_000n * USDC + gain);
    expect((await send(delegate, settle())).error).toBe("Custom 6010 at 0");
    expect((await send(owner, take(1_000n * USDC + gain))).error).toBeNull();
    expect(await tokensOf(bench, ownerUsdc)).toBe(2_000n * USDC + gain);
  });

  it("settles an open position once, and then refuses to settle again", async () => {
    const { send, balance, market: prices } = await openAccount();
    expect((await send(delegate, trade(market("short", SOL_BASE)))).error).toBeNull();
    prices.setPrice("SOL", PRICE + USDC);
    expect((await send(delegate, settle())).error).toBeNull();
    const after = await balance();
    expect(after < 999n * USDC && after > 998n * USDC).toBe(true);
    expect((await send(delegate, settle())).error).toBe("Custom 6259 at 0");
  });

  it("flips a position in one order", async () => {
    const { send, position } = await openAccount();
    expect((await send(delegate, trade(market("long", SOL_BASE)))).error).toBeNull();
    expect((await send(delegate, trade(market("short", 3n * SOL_BASE)))).error).toBeNull();
    const flipped = await position();
    expect(flipped?.baseAssetAmount).toBe(-2n * SOL_BASE);
    // Entry amount of the two remaining SOL of three sold around 154.9608
    expect(flipped?.quoteEntryAmount).toBe(309_921_575n);
  });

  it("charges longs hourly funding and pays it to shorts", async () => {
    const { send, position, bench, clock } = await openAccount();
    expect((await send(delegate, trade(market("long", 2n * SOL_BASE)))).error).toBeNull();
    const before = (await position())?.quoteAssetAmount ?? 0n;
    clock.ms += 10 * 3_600_000;
    expect((await send(delegate, trade(market("long", 10_000_000n, USDC)))).error).toBeNull();
    const after = (await position())?.quoteAssetAmount ?? 0n;
    // 310 dollars at 0.00125 % for ten hours
    expect(after - before).toBe(-38_750n);
    expect(await bench.account(solMarketAddress)).not.toBeNull();
  });

  it("keeps a resting order for a keeper, or cancels it", async () => {
    const { send, position, readUser, market: prices } = await openAccount();
    const limit = { ...market("long", SOL_BASE, 150_000_000n), orderType: 1, bitFlags: 0 };
    const place = placePerpOrder(IDS, user, delegate.address, limit, withSol);
    expect((await send(delegate, place)).error).toBeNull();
    expect(await readUser()).toMatchObject({ openOrders: 1, hasOpenOrder: true });
    expect(await position()).toMatchObject({ openBids: SOL_BASE, openOrders: 1 });
    expect((await send(owner, fill(1))).error).toBeNull();
    expect((await position())?.baseAssetAmount).toBe(0n);
    prices.setPrice("SOL", 149_000_000n);
    expect((await send(owner, fill(1))).error).toBeNull();
    expect(await position()).toMatchObject({ baseAssetAmount: SOL_BASE, openBids: 0n });
    // Filling a finished order is no error for a keeper
    expect((await send(owner, fill(1))).error).toBeNull();

    expect((await send(delegate, place)).error).toBeNull();
    const cancel = cancelOrders(IDS, user, delegate.address, withSol);
    expect((await send(delegate, cancel)).error).toBeNull();
    expect(await readUser()).toMatchObject({ openOrders: 0, hasOpenOrder: false });
    expect(await position()).toMatchObject({ openBids: 0n, openOrders: 0 });
  });

  it("stops deposits, withdrawals and trades when paused", async () => {
    const { chain, send } = await openAccount();
    await setExchangePaused(chain, true);
    for (const part of [bring(USDC), take(USDC)]) {
      expect((await send(owner, part)).error).toBe("Custom 6024 at 0");
    }
    expect((await send(delegate, trade(market("long", SOL_BASE)))).error).toBe("Custom 6024 at 0");
    await setExchangePaused(chain, false);
    expect((await send(owner, bring(USDC))).error).toBeNull();
  });

  it("deletes an empty account, returns its rent and never reuses its number", async () => {
    const { send, bench } = await openAccount();
    expect((await send(owner, deleteUser(IDS, user))).error).toBe("Custom 6152 at 0");
    const before = await lamportsOf(bench, owner.address);
    expect((await send(owner, take(1_000n * USDC), deleteUser(IDS, user))).error).toBeNull();
    expect(await lamportsOf(bench, owner.address)).toBe(before + 31_347_840n - 5_000n);
    expect(await bench.account(userAddress)).toBeNull();
    expect((await bench.account(statsAddress))?.lamports).toBe(2_561_280n);
    const again = initializeUser(IDS, user, "Agent");
    expect((await send(owner, again)).error).toBe("Custom 6214 at 0");
    expect((await send(owner, ...setUp(1))).error).toBeNull();
  });

  it("refuses to delete an account younger than 13 days while accounts cost a fee", async () => {
    const { chain, send, clock } = await openAccount();
    await changeExchange(chain, { maxInitializeUserFee: 1 });
    expect((await send(owner, take(1_000n * USDC))).error).toBeNull();
    expect((await send(owner, deleteUser(IDS, user))).error).toBe("Custom 6152 at 0");
    clock.ms += 13 * 86_400_000;
    expect((await send(owner, deleteUser(IDS, user))).error).toBeNull();
  });
});
