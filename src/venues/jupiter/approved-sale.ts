import type { Address } from "@solana/kit";
import { formatDecimal } from "../../domain/amount.ts";
import type { FullInstruction } from "../../solana/encoding/instruction.ts";
import { type JupiterInstance, quoteToken, SALE_SLIPPAGE_BPS, tokenAccountOf } from "./instance.ts";
import { minimumOutput, readRoute } from "./route-instruction.ts";
import { refuseRoute } from "./verify-build.ts";
import { insist } from "../mismatch.ts";
import type { Effect } from "../effect.ts";

/**
 * Decodes a swap that sells an asset for the quote token, from the owner's own account into the vault's.
 *
 * The swap program enforces the amounts; the route is the router's choice.
 */
export function readSale(
  given: FullInstruction,
  authority: Address,
  { vault, wallet }: { readonly vault: Address; readonly wallet: Address },
  instance: JupiterInstance,
): Effect {
  const route = readRoute(given);
  insist(route !== null, "The swap program would be asked for something else than a swap.");
  insist(authority === wallet, "The swap would not be yours.");
  const output = quoteToken(instance);
  const input = instance.assets.find(({ mint }) => mint === route.sourceMint);
  insist(
    input !== undefined && route.destinationMint === output.mint,
    "The swap is not a sale of what the agent trades.",
  );
  const account = tokenAccountOf(vault, output);
  const refusal = refuseRoute(route, { taker: wallet, destination: account, input, output });
  insist(refusal === null, `The sale is not this agent's: ${refusal}.`);
  const strange = instance.assets.flatMap((asset) => [
    tokenAccountOf(vault, asset),
    ...(asset === input ? [] : [tokenAccountOf(wallet, asset)]),
  ]);
  insist(
    route.pools.every(({ address }) => !strange.includes(address)),
    "The sale names an account that is not part of it.",
  );
  insist(route.slippageBps <= SALE_SLIPPAGE_BPS, "The sale accepts too low a price.");
  const least = minimumOutput(route.quotedOutAmount, route.slippageBps);
  insist(route.inAmount > 0n && least > 0n, "The sale pays nothing.");
  const sold = `${formatDecimal(route.inAmount, input.decimals)} ${input.marketId}`;
  const paid = `${formatDecimal(least, output.decimals)} ${instance.quote.symbol}`;
  return {
    kind: "sale",
    account,
    mint: input.mint,
    amount: route.inAmount,
    text: `Sells ${sold} for at least ${paid}, into the vault`,
  };
}
