import type { Address, Instruction } from "@solana/kit";
import type { Approved, OrderIntent } from "../../domain/order/order.ts";
import { MAX_SLIPPAGE_BPS } from "../../domain/slippage.ts";
import type { Chain } from "../../solana/chain.ts";
import { setComputeUnitLimit, setComputeUnitPrice } from "../../solana/programs/compute-budget.ts";
import { OrderRefusedError, type PricedOrder } from "../placed-order.ts";
import type { VenueAccount } from "../venue.ts";
import { draw, sweep } from "./allow-list.ts";
import { isNearPrice, slippageFor, swapOf, worstPriceOf } from "./order-swap.ts";
import { type JupiterInstance, type SpotToken, quoteToken, tokenAccountOf } from "./instance.ts";
import { readTables } from "../../solana/programs/address-lookup-table.ts";
import { withSlippage } from "./route-instruction.ts";
import { RouteNotFoundError, type SpotPrices, type SwapRouter } from "./swap-router.ts";
import type { TokenReading, VaultReading } from "./vault-reader.ts";
import { refuseBuild } from "./verify-build.ts";

/** Compute unit limit of draw and swap; a route of four exchanges takes about half. */
const ORDER_COMPUTE_UNITS = 600_000;

/** Unit price of the trading key's orders in micro-lamports: 0.000003 SOL at the limit above. */
const ORDER_MICRO_LAMPORTS = 5_000n;

/** Largest number of accounts requested of the router; the transaction's own accounts come on top. */
const ROUTE_ACCOUNTS = 48;

/** Largest number of accounts per transaction in the runtime. */
const MAX_ACCOUNTS = 64;

/** Called when the trading key's own account was not empty before a trade. Amount in the token's base units. */
export type LeftoverAlarm = (account: VenueAccount, token: SpotToken, amount: bigint) => void;

export interface OrderSurroundings {
  readonly chain: Chain;
  readonly router: SwapRouter;
  readonly prices: SpotPrices;
  readonly instance: JupiterInstance;
  readonly onLeftover?: LeftoverAlarm | undefined;
}

function sweepLeftovers(
  account: VenueAccount,
  readings: readonly (readonly [SpotToken, TokenReading])[],
  onLeftover: LeftoverAlarm | undefined,
): readonly Instruction[] {
  return readings.flatMap(([token, { held, heldByTradingKey }]) => {
    if (heldByTradingKey === null || heldByTradingKey === 0n || held === null) return [];
    onLeftover?.(account, token, heldByTradingKey);
    return [sweep(account, token, heldByTradingKey)];
  });
}

/**
 * Returns the trading key's order: return leftovers to the vault, draw the input under its limit, swap it directly into
 * the vault, all or nothing.
 *
 * Throws `OrderRefusedError` when the order cannot be a swap, when there is no route, when the quote is further from
 * the market than the order's slippage, and when the router's answer differs from the request.
 */
export async function buildOrderFrom(
  surroundings: OrderSurroundings,
  account: VenueAccount,
  order: Approved<OrderIntent>,
  reading: VaultReading,
  nowSeconds: bigint,
): Promise<PricedOrder> {
  const { chain, router, prices, instance, onLeftover } = surroundings;
  const swap = swapOf(instance, order, reading, nowSeconds);
  const { asset, input, output, amount } = swap;
  const request = {
    inputMint: input.mint,
    outputMint: output.mint,
    amount,
    slippageBps: order.slippageBps,
    taker: account.tradingKey,
    destination: tokenAccountOf(account.vault, output),
    maxAccounts: ROUTE_ACCOUNTS,
  };
  const build = await router.build(request).catch((error: unknown) => {
    if (error instanceof RouteNotFoundError) {
      throw new OrderRefusedError("venue_refused", error.message);
    }
    throw error;
  });
  const refusal = refuseBuild(build, { request, input, output });
  if (refusal !== null) throw new OrderRefusedError("venue_refused", refusal);
  const { price } = await prices.price(asset.marketId);
  // An exit's limit may be wider than what the trading key signs between quote and landing
  const mostBps = Math.min(order.slippageBps, MAX_SLIPPAGE_BPS);
  const slippageBps = slippageFor(swap.minimum, build.outAmount, mostBps);
  if (slippageBps === null || !isNearPrice(swap, build.outAmount, price, order.slippageBps)) {
    throw new OrderRefusedError("price_deviation");
  }
  const traded = reading.assets.find((known) => known.asset === asset);
  const instructions = [
    setComputeUnitLimit(ORDER_COMPUTE_UNITS),
    setComputeUnitPrice(ORDER_MICRO_LAMPORTS),
    ...sweepLeftovers(
      account,
      [
        [quoteToken(instance), reading.quote],
        ...(traded === undefined ? [] : [[asset, traded] as const]),
      ],
      onLeftover,
    ),
    draw(account, input, amount),
    withSlippage(build.swapInstruction, slippageBps),
  ];
  if (countAccounts(instructions) > MAX_ACCOUNTS) {
    throw new OrderRefusedError("venue_refused", "the route names too many accounts");
  }
  const tables = await readTables(chain, Object.keys(build.tables) as Address[]);
  const priced = { instructions, worstPrice: worstPriceOf(swap), baseSize: order.baseSize };
  return Object.keys(tables).length === 0 ? priced : { ...priced, tables };
}

/** Returns the number of accounts a transaction of these instructions names, the fee payer included. */
function countAccounts(instructions: readonly Instruction[]): number {
  const named = new Set<Address>();
  for (const { programAddress, accounts } of instructions) {
    named.add(programAddress);
    for (const { address } of accounts ?? []) named.add(address);
  }
  return named.size + 1;
}
