import {
  type AccountMeta,
  type Address,
  getU64Decoder,
  type Instruction,
  isSignerRole,
} from "@solana/kit";
import { MAX_SLIPPAGE_BPS } from "../../domain/slippage.ts";
import { type FullInstruction, isSameInstruction } from "../../solana/encoding/instruction.ts";
import { squadsArguments, spendingLimitUse, SQUADS_PROGRAM } from "../../solana/programs/squads.ts";
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM, transferChecked } from "../../solana/programs/token.ts";
import type { OrderAllowList } from "../order-signing.ts";
import type { VenueAccount } from "../venue.ts";
import {
  type JupiterInstance,
  JUPITER_PROGRAM,
  quoteToken,
  type SpotToken,
  tokenAccountOf,
} from "./instance.ts";
import { readRoute } from "./route-instruction.ts";
import { limitAddress } from "./spending-limits.ts";
import { refuseRoute } from "./verify-build.ts";

const TRANSFER_CHECKED = 12;

const addressAt = (accounts: readonly AccountMeta[], at: number): Address | undefined =>
  accounts[at]?.address;

/**
 * Returns the allow-list of a trading key's instructions on the swap venue: drawing under the agent's own spending
 * limits to its own account, swapping that between the quote token and an asset with the output going to the agent's
 * vault, and returning leftovers to the vault. No swap accepts more slippage than an agent can be set to, an exit's
 * neither.
 *
 * Refuses any instruction that decodes differently from what this product would build.
 */
export function createJupiterAllowList(instance: JupiterInstance): OrderAllowList {
  const quote = quoteToken(instance);
  const tokens: readonly SpotToken[] = [quote, ...instance.assets];
  const tokenOf = (mint: Address | undefined): SpotToken | undefined =>
    tokens.find((token) => token.mint === mint);

  const refuseDraw = (account: VenueAccount, given: Required<Instruction>): string | null => {
    let args: ReturnType<typeof squadsArguments.spendingLimitUse.decode>;
    try {
      args = squadsArguments.spendingLimitUse.decode(given.data);
    } catch {
      return "the custody program is asked for something else than a draw";
    }
    const token = tokenOf(addressAt(given.accounts, 6));
    if (token === undefined) return "the token is not traded here";
    if (args.amount <= 0n) return "it draws nothing";
    return isSameInstruction(given, draw(account, token, args.amount))
      ? null
      : "the draw is not the agent's own";
  };

  const refuseSwap = (account: VenueAccount, given: Required<Instruction>): string | null => {
    const route = readRoute(given);
    if (route === null) return "the swap program is asked for something else than a swap";
    const [input, output] = [tokenOf(route.sourceMint), tokenOf(route.destinationMint)];
    if (input === undefined || output === undefined) return "a token is not traded here";
    if (input === output || (input !== quote && output !== quote)) {
      return "the swap is not between the quote token and an asset";
    }
    if (route.inAmount <= 0n || route.quotedOutAmount <= 0n) return "the swap has no size";
    if (route.slippageBps > MAX_SLIPPAGE_BPS) return "the swap accepts too much slippage";
    return refuseRoute(route, {
      taker: account.tradingKey,
      destination: tokenAccountOf(account.vault, output),
      input,
      output,
    });
  };

  const refuseSweep = (account: VenueAccount, given: Required<Instruction>): string | null => {
    const token = tokenOf(addressAt(given.accounts, 1));
    if (token === undefined || given.data[0] !== TRANSFER_CHECKED || given.data.length !== 10) {
      return "tokens move in another way than back to the vault";
    }
    const amount = getU64Decoder().decode(given.data, 1);
    const expected = sweep(account, token, amount);
    return isSameInstruction(given, expected) ? null : "the tokens do not go back to the vault";
  };

  return (account, given) => {
    if (
      given.accounts.some(
        ({ address, role }) => isSignerRole(role) && address !== account.tradingKey,
      )
    ) {
      return "a further account signs";
    }
    switch (given.programAddress) {
      case SQUADS_PROGRAM:
        return refuseDraw(account, given);
      case JUPITER_PROGRAM:
        return refuseSwap(account, given);
      case TOKEN_PROGRAM:
      case TOKEN_2022_PROGRAM:
        return refuseSweep(account, given);
      default:
        return "the program is not one of the swap venue";
    }
  };
}

/** Returns the trading key's draw of a token under its limit, to its own account. */
export function draw(account: VenueAccount, token: SpotToken, amount: bigint): FullInstruction {
  const { mint, tokenProgram, decimals } = token;
  return spendingLimitUse(
    {
      multisig: account.multisig,
      member: account.tradingKey,
      spendingLimit: limitAddress(account, mint),
      destination: account.tradingKey,
      mint,
      tokenProgram,
    },
    { amount, decimals },
  );
}

/** Returns the transfer that returns the trading key's remaining tokens to the vault. */
export function sweep(account: VenueAccount, token: SpotToken, amount: bigint): FullInstruction {
  return transferChecked(
    {
      source: tokenAccountOf(account.tradingKey, token),
      mint: token.mint,
      destination: tokenAccountOf(account.vault, token),
      authority: account.tradingKey,
      tokenProgram: token.tokenProgram,
    },
    { amount, decimals: token.decimals },
  );
}
