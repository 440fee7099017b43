import type { Clock } from "../../../domain/clock.ts";
import { readonly, writable } from "../../../solana/encoding/instruction.ts";
import { type Chain, ChainUnavailableError } from "../../../solana/chain.ts";
import {
  JUPITER_PRACTICE_INSTANCE,
  quoteToken,
  tokenAccountOf,
} from "../../../venues/jupiter/instance.ts";
import { minimumOutput, routeV2 } from "../../../venues/jupiter/route-instruction.ts";
import {
  RouteNotFoundError,
  type SpotPrices,
  type SwapRouter,
} from "../../../venues/jupiter/swap-router.ts";
import type { PriceSource } from "../../price-source.ts";
import {
  POOL_AUTHORITY,
  poolAccount,
  SWAP_SETTINGS,
  swapPriceAddress,
  swapPriceCodec,
  swapSettingsCodec,
  quoteSwap,
} from "./swap-pools.ts";

/** Route plan with one step through the practice pool: the whole input, from the first token to the second. */
const ROUTE_PLAN = Uint8Array.of(1, 0, 0, 0, 0, 0x10, 0x27, 0, 1);

/** Creates the router of the practice chain: one pool, quoted at the chain's own price accounts. */
export function createPracticeSwapRouter(chain: Chain): SwapRouter {
  const instance = JUPITER_PRACTICE_INSTANCE;
  const quote = quoteToken(instance);

  async function isPaused(): Promise<boolean> {
    const { accounts } = await chain.accounts([SWAP_SETTINGS]);
    const settings = accounts[0];
    if (settings == null) throw new ChainUnavailableError("The practice swap is not on this chain");
    return swapSettingsCodec.decode(settings.data).isPaused;
  }

  return {
    async build(request) {
      const isBuy = request.inputMint === quote.mint;
      const assetMint = isBuy ? request.outputMint : request.inputMint;
      const asset = instance.assets.find(({ mint }) => mint === assetMint);
      if (asset === undefined || (!isBuy && request.outputMint !== quote.mint)) {
        throw new RouteNotFoundError("The practice swap does not trade that");
      }
      if (await isPaused()) throw new RouteNotFoundError("The practice swap is paused");
      const { accounts } = await chain.accounts([swapPriceAddress(asset)]);
      const account = accounts[0];
      const price = account == null ? 0n : swapPriceCodec.decode(account.data).price;
      const outAmount = quoteSwap(asset, isBuy, request.amount, price);
      if (outAmount === 0n) throw new RouteNotFoundError("The practice swap has no price");
      const [input, output] = isBuy ? [quote, asset] : [asset, quote];
      return {
        inputMint: request.inputMint,
        outputMint: request.outputMint,
        inAmount: request.amount,
        outAmount,
        otherAmountThreshold: minimumOutput(outAmount, request.slippageBps),
        slippageBps: request.slippageBps,
        setupInstructions: [],
        swapInstruction: routeV2(
          {
            authority: request.taker,
            source: tokenAccountOf(request.taker, input),
            destination: request.destination,
            sourceMint: input.mint,
            destinationMint: output.mint,
            sourceTokenProgram: input.tokenProgram,
            destinationTokenProgram: output.tokenProgram,
            pools: [
              readonly(POOL_AUTHORITY.address),
              writable(poolAccount(input)),
              writable(poolAccount(output)),
              readonly(swapPriceAddress(asset)),
              readonly(SWAP_SETTINGS),
            ],
          },
          {
            inAmount: request.amount,
            quotedOutAmount: outAmount,
            slippageBps: request.slippageBps,
            routePlan: ROUTE_PLAN,
          },
        ),
        cleanupInstruction: null,
        otherInstructions: [],
        tipInstruction: null,
        tables: {},
      };
    },
    async health() {
      return (await isPaused())
        ? {
            status: "paused",
            reason: "The practice swap is paused: no new positions until it resumes.",
          }
        : { status: "available" };
    },
  };
}

/** Returns the chain's market prices, against which the practice router's quotes are checked. */
export function createPracticeSpotPrices(prices: PriceSource, clock: Clock): SpotPrices {
  return {
    isPriced: (marketId) => prices.has?.(marketId) ?? true,
    async price(marketId) {
      const quote = prices.quote(marketId, clock.now());
      if (quote === undefined) throw new ChainUnavailableError(`No price of ${marketId}`);
      const { price, confidence, publishedAtMs } = quote;
      return { price, confidence, publishedAtMs };
    },
  };
}
