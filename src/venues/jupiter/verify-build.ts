import { type Address, isSignerRole } from "@solana/kit";
import { ASSOCIATED_TOKEN_PROGRAM } from "../../solana/programs/associated-token.ts";
import { JUPITER_PROGRAM, type SpotToken, tokenAccountOf } from "./instance.ts";
import { EVENT_AUTHORITY, minimumOutput, readRoute, type RouteCall } from "./route-instruction.ts";
import type { SwapBuild, SwapRequest } from "./swap-router.ts";

/** The requested swap with its two tokens. */
export interface SwapExpectation {
  readonly request: SwapRequest;
  readonly input: SpotToken;
  readonly output: SpotToken;
}

/** Returns why a swap instruction must not run with the taker's authority, or null when it may. */
export function refuseRoute(
  route: RouteCall,
  expected: {
    readonly taker: Address;
    readonly destination: Address;
    readonly input: SpotToken;
    readonly output: SpotToken;
  },
): string | null {
  const { taker, destination, input, output } = expected;
  const source = tokenAccountOf(taker, input);
  const ownOutput = tokenAccountOf(taker, output);
  return (
    (route.authority !== taker && "somebody else gives the input") ||
    (route.source !== source && "the input comes from another account") ||
    (route.destination !== destination && "the output goes to another account") ||
    (route.output !== destination &&
      route.output !== ownOutput &&
      "the output passes through another account") ||
    (route.sourceMint !== input.mint && "the input is another token") ||
    (route.destinationMint !== output.mint && "the output is another token") ||
    (route.sourceTokenProgram !== input.tokenProgram && "the input's program is another one") ||
    (route.destinationTokenProgram !== output.tokenProgram &&
      "the output's program is another one") ||
    (route.eventAuthority !== EVENT_AUTHORITY && "its events go elsewhere") ||
    (route.program !== JUPITER_PROGRAM && "it names another program") ||
    (route.platformFeeBps !== 0 && "it takes a platform fee") ||
    (route.positiveSlippageBps !== 0 && "it takes the price improvement") ||
    (route.pools.some(({ address, role }) => isSignerRole(role) && address !== taker) &&
      "a further account signs") ||
    null
  );
}

/**
 * Returns why a router's answer must not be used, or null when it matches the request exactly.
 *
 * Only the swap itself is ever signed: set-up instructions for token accounts, which already exist, are accepted and
 * left out; any other instruction beside the swap is refused.
 */
export function refuseBuild(build: SwapBuild, expected: SwapExpectation): string | null {
  const { request, input, output } = expected;
  const route = readRoute(build.swapInstruction);
  if (route === null) return "the swap is not one with an exact input";
  const quoted = minimumOutput(route.quotedOutAmount, route.slippageBps);
  return (
    (build.inputMint !== request.inputMint && "the answer is about another input") ||
    (build.outputMint !== request.outputMint && "the answer is about another output") ||
    (build.inAmount !== request.amount && "the answer is about another amount") ||
    (route.inAmount !== request.amount && "it swaps another amount") ||
    (route.quotedOutAmount !== build.outAmount && "its quote differs from the answer's") ||
    (route.slippageBps > request.slippageBps && "it accepts more slippage than asked for") ||
    (build.outAmount <= 0n && "it pays nothing") ||
    (quoted < build.otherAmountThreshold && "it accepts less than the answer says") ||
    (build.setupInstructions.some(
      ({ programAddress }) => programAddress !== ASSOCIATED_TOKEN_PROGRAM,
    ) &&
      "it prepares something else than token accounts") ||
    (build.cleanupInstruction !== null && "it does something after the swap") ||
    (build.otherInstructions.length > 0 && "it does something beside the swap") ||
    (build.tipInstruction !== null && "it pays a tip") ||
    refuseRoute(route, {
      taker: request.taker,
      destination: request.destination,
      input,
      output,
    })
  );
}
