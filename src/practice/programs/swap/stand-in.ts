import {
  JUPITER_PRACTICE_INSTANCE,
  JUPITER_PROGRAM,
  sharedAddresses,
} from "../../../venues/jupiter/instance.ts";
import type { VenueStandIn } from "../../venue-stand-in.ts";
import {
  QUOTE_POOL,
  swapAccounts,
  swapPriceAddress,
  swapPriceCodec,
  POOL_AUTHORITY,
  poolAccount,
  SWAP_SETTINGS,
  swapSettingsCodec,
  quoteSwap,
} from "./swap-pools.ts";
import type { Address } from "@solana/kit";
import type { PriceSource } from "../../price-source.ts";
import type { AccountState, ReadAccount } from "../../runtime/account-state.ts";
import { addressBytes } from "../../../solana/encoding/address-codec.ts";
import {
  TOKEN_PROGRAM,
  tokenAccountCodec,
  transferTokens,
} from "../../../solana/programs/token.ts";
import {
  EVENT_AUTHORITY,
  minimumOutput,
  routeArguments,
} from "../../../venues/jupiter/route-instruction.ts";
import { u64Bytes } from "../../runtime/bytes.ts";
import { concatBytes, utf8 } from "../../../solana/encoding/pda.ts";
import type { InstructionContext, Program } from "../../runtime/program.ts";
import {
  accountAt,
  anchorError,
  anchorProgram,
  argumentsOf,
  constraintFailure,
  loadAt,
  signerAt,
} from "../anchor.ts";
import { call } from "../create-account.ts";

const ERRORS = {
  SlippageToleranceExceeded: [6001, "Slippage tolerance exceeded"],
  InvalidCalculation: [6002, "Invalid calculation"],
  Paused: [6900, "The practice swap is paused"],
} as const;

function ensure(
  context: InstructionContext,
  condition: boolean,
  name: keyof typeof ERRORS,
): asserts condition {
  if (condition) return;
  const [code, message] = ERRORS[name];
  throw anchorError(context, { name, code, message });
}

function requireAddress(
  context: InstructionContext,
  index: number,
  expected: Address,
  name: string,
): Address {
  const { address } = accountAt(context, index);
  if (address !== expected) throw constraintFailure(context, "ConstraintAddress", name);
  return address;
}

function requireMint(context: InstructionContext, index: number, mint: Address, name: string) {
  const { address } = accountAt(context, index);
  const state = context.read(address);
  if (state.owner !== TOKEN_PROGRAM) {
    throw constraintFailure(context, "AccountOwnedByWrongProgram", name);
  }
  if (tokenAccountCodec.decode(state.data).mint !== mint) {
    throw constraintFailure(context, "ConstraintTokenMint", name);
  }
  return address;
}

/** Swaps an exact input against the practice pool at the market price less the spread. */
function routeV2(context: InstructionContext): void {
  const args = argumentsOf(context, routeArguments.routeV2);
  const authority = signerAt(context, 0, "user_transfer_authority");
  const sourceMint = accountAt(context, 3).address;
  const destinationMint = accountAt(context, 4).address;
  const { quote, assets } = JUPITER_PRACTICE_INSTANCE;
  const isBuy = sourceMint === quote.mint;
  const asset = assets.find(({ mint }) => mint === (isBuy ? destinationMint : sourceMint));
  ensure(context, asset !== undefined, "InvalidCalculation");
  ensure(context, isBuy || destinationMint === quote.mint, "InvalidCalculation");
  requireAddress(context, 5, TOKEN_PROGRAM, "source_token_program");
  requireAddress(context, 6, TOKEN_PROGRAM, "destination_token_program");
  requireAddress(context, 8, EVENT_AUTHORITY, "event_authority");
  requireAddress(context, 9, JUPITER_PROGRAM, "program");
  const source = requireMint(context, 1, sourceMint, "user_source_token_account");
  const output = requireMint(context, 2, destinationMint, "user_destination_token_account");
  const named = accountAt(context, 7).address;
  const destination =
    named === JUPITER_PROGRAM
      ? output
      : requireMint(context, 7, destinationMint, "destination_token_account");

  requireAddress(context, 10, POOL_AUTHORITY.address, "pool_authority");
  const quoteToken = { ...quote, tokenProgram: TOKEN_PROGRAM };
  const [paidIn, paidOut] = isBuy ? [quoteToken, asset] : [asset, quoteToken];
  const poolIn = requireAddress(context, 11, poolAccount(paidIn), "pool_source");
  const poolOut = requireAddress(context, 12, poolAccount(paidOut), "pool_destination");
  requireAddress(context, 13, swapPriceAddress(asset), "pool_price");
  requireAddress(context, 14, SWAP_SETTINGS, "pool_settings");
  const { price } = loadAt(context, 13, "pool_price", swapPriceCodec).value;
  const { isPaused } = loadAt(context, 14, "pool_settings", swapSettingsCodec).value;
  ensure(context, !isPaused, "Paused");

  const amount = quoteSwap(asset, isBuy, args.inAmount, price);
  ensure(context, args.inAmount > 0n && amount > 0n, "InvalidCalculation");
  const minimum = minimumOutput(args.quotedOutAmount, args.slippageBps);
  ensure(context, amount >= minimum, "SlippageToleranceExceeded");
  call(context, transferTokens({ source, destination: poolIn, authority }, args.inAmount));
  const seeds = [utf8("practice pool"), Uint8Array.of(POOL_AUTHORITY.bump)];
  const payout = { source: poolOut, destination, authority: POOL_AUTHORITY.address };
  call(context, transferTokens(payout, amount), seeds);
  context.logData(
    concatBytes([
      addressBytes(sourceMint),
      u64Bytes(args.inAmount),
      addressBytes(destinationMint),
      u64Bytes(amount),
    ]),
  );
}

/** The swap program at Jupiter's address: the same instruction bytes, with a single pool on the practice chain. */
const swapProgram: Program = anchorProgram(JUPITER_PROGRAM, [
  { name: "route_v2", units: 90_000n, run: routeV2 },
]);

/** Age of a price at which the pool trades no more, in milliseconds. */
const MAX_PRICE_AGE_MS = 30_000;

const ASSETS = new Map(
  JUPITER_PRACTICE_INSTANCE.assets.map((asset) => [swapPriceAddress(asset), asset] as const),
);

/** Returns accounts with the swap's price accounts at the market's present prices; nothing is written. */
function withSwapPrices(account: ReadAccount, prices: PriceSource, nowMs: number): ReadAccount {
  const made = new Map<Address, AccountState>();
  return (address) => {
    const asset = ASSETS.get(address);
    if (asset === undefined) return account(address);
    const known = made.get(address);
    if (known !== undefined) return known;
    const state = account(address);
    const quote = prices.quote(asset.marketId, nowMs);
    if (state === undefined || quote === undefined) return state;
    // Without a new price there is no route, as where a pool's makers have left
    const price = nowMs - quote.publishedAtMs > MAX_PRICE_AGE_MS ? 0n : quote.price;
    const data = swapPriceCodec.encode({
      mint: asset.mint,
      price,
      confidence: quote.confidence,
      publishedAt: BigInt(Math.floor(quote.publishedAtMs / 1_000)),
    });
    const next = { ...state, data: new Uint8Array(data) };
    made.set(address, next);
    return next;
  };
}

/** Stand-in for the swap venue on the practice chain. */
export const swapPool: VenueStandIn = {
  program: swapProgram,
  accounts: swapAccounts,
  quotePool: QUOTE_POOL,
  live: (account, prices, { nowMs }) => withSwapPrices(account, prices, nowMs),
  sharedAddresses: () => sharedAddresses(JUPITER_PRACTICE_INSTANCE),
};
