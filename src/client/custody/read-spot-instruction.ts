import { type Address, getU64Decoder, type Instruction } from "@solana/kit";
import { formatDecimal } from "../../domain/amount.ts";
import type { FullInstruction } from "../../solana/instruction.ts";
import {
  ASSOCIATED_TOKEN_PROGRAM,
  createAssociatedTokenIdempotent,
} from "../../solana/programs/associated-token.ts";
import { SPENDING_PERIOD } from "../../solana/programs/squads-accounts.ts";
import { SQUADS_PROGRAM } from "../../solana/programs/squads-pdas.ts";
import { squadsArguments } from "../../solana/programs/squads.ts";
import {
  closeTokenAccount,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  transferChecked,
} from "../../solana/programs/token.ts";
import {
  JUPITER_PROGRAM,
  type JupiterInstance,
  quoteToken,
  type SpotToken,
  tokenAccountOf,
} from "../../venues/jupiter/instance.ts";
import { addLimit, limitAddress, removeLimit } from "../../venues/jupiter/spending-limits.ts";
import { insist, Mismatch } from "./mismatch.ts";
import { readOwnerInstruction } from "./read-owner-instruction.ts";
import { readSale } from "./read-sale.ts";
import { isSameInstruction } from "./same-instruction.ts";
import type { Effect } from "./transaction-summary.ts";

/** The addresses of one agent, from this browser's own knowledge. */
export interface SpotParties {
  readonly wallet: Address;
  readonly multisig: Address;
  readonly vault: Address;
}

interface NamedToken extends SpotToken {
  readonly symbol: string;
}

const UNUSUAL = "The transaction asks for something this page does not expect.";

function tokensOf(instance: JupiterInstance): readonly NamedToken[] {
  return [
    { ...quoteToken(instance), symbol: instance.quote.symbol },
    ...instance.assets.map((asset) => ({ ...asset, symbol: asset.marketId })),
  ];
}

function tokenOf(instance: JupiterInstance, mint: Address): NamedToken {
  const token = tokensOf(instance).find((known) => known.mint === mint);
  insist(token !== undefined, "The transaction is about a token this agent does not trade.");
  return token;
}

const accountAt = ({ accounts }: Instruction, at: number): Address => {
  const account = accounts?.[at];
  insist(account !== undefined, "An instruction lacks an account.");
  return account.address;
};

function decoded<T>(decode: () => T): T | null {
  try {
    return decode();
  } catch {
    return null;
  }
}

function readLimit(
  given: FullInstruction,
  parties: SpotParties,
  instance: JupiterInstance,
): Effect {
  const { multisig, vault, wallet } = parties;
  const added = decoded(() => squadsArguments.multisigAddSpendingLimit.decode(given.data));
  if (added !== null) {
    const token = tokenOf(instance, added.mint);
    const [delegate] = added.members;
    insist(delegate !== undefined && delegate !== vault && delegate !== wallet, UNUSUAL);
    insist(added.period === SPENDING_PERIOD.day && added.amount > 0n, UNUSUAL);
    const account = { owner: wallet, multisig, vault, delegate, subAccountId: 0 };
    insist(isSameInstruction(given, addLimit(account, token.mint, added.amount)), UNUSUAL);
    const most = `${formatDecimal(added.amount, token.decimals)} ${token.symbol}`;
    return {
      kind: "spending-limit",
      account: limitAddress(account, token.mint),
      delegate,
      mint: token.mint,
      amount: added.amount,
      decimals: token.decimals,
      symbol: token.symbol,
      text: `Lets the trading key move at most ${most} a day`,
    };
  }
  const removed = decoded(() => squadsArguments.multisigRemoveSpendingLimit.decode(given.data));
  insist(removed !== null, "The transaction asks the custody program for something unusual.");
  const account = { owner: wallet, multisig, vault, delegate: vault, subAccountId: 0 };
  const token = tokensOf(instance).find(({ mint }) =>
    isSameInstruction(given, removeLimit(account, mint)),
  );
  insist(token !== undefined, UNUSUAL);
  return {
    kind: "limit-removal",
    account: limitAddress(account, token.mint),
    text: `Takes the trading key's ${token.symbol} limit away`,
  };
}

function readTokenAccount(
  given: FullInstruction,
  payer: Address,
  instance: JupiterInstance,
): Effect {
  const [account, owner] = [accountAt(given, 1), accountAt(given, 2)];
  const { mint, symbol, tokenProgram } = tokenOf(instance, accountAt(given, 3));
  const expected = createAssociatedTokenIdempotent({ payer, owner, mint, tokenProgram });
  insist(isSameInstruction(given, expected), UNUSUAL);
  return { kind: "create-token-account", account, owner, symbol };
}

function readTokens(given: FullInstruction, authority: Address, instance: JupiterInstance): Effect {
  const tokenProgram = given.programAddress;
  if (given.data[0] === 9) {
    const [account, destination] = [accountAt(given, 0), accountAt(given, 1)];
    const expected = closeTokenAccount({ account, destination, authority, tokenProgram });
    insist(isSameInstruction(given, expected), UNUSUAL);
    const closed = tokensOf(instance).find((token) => tokenAccountOf(authority, token) === account);
    insist(closed !== undefined, "A token account would be closed that is not this agent's.");
    const { symbol } = closed;
    return { kind: "close-token-account", account, owner: authority, to: destination, symbol };
  }
  insist(given.data.length === 10, UNUSUAL);
  const amount = getU64Decoder().decode(given.data, 1);
  const [source, destination] = [accountAt(given, 0), accountAt(given, 2)];
  const token = tokenOf(instance, accountAt(given, 1));
  const { mint, decimals, symbol } = token;
  const move = { source, mint, destination, authority, tokenProgram: token.tokenProgram };
  insist(isSameInstruction(given, transferChecked(move, { amount, decimals })), UNUSUAL);
  const [by, from, to] = [authority, source, destination];
  return { kind: "tokens", by, from, to, mint, amount, decimals, symbol };
}

/** Reads what one instruction of a swap venue's agent does with the given authority; any other is refused. */
export function readSpotInstruction(
  given: FullInstruction,
  authority: Address,
  parties: SpotParties,
  instance: JupiterInstance,
): Effect {
  switch (given.programAddress) {
    case SQUADS_PROGRAM: {
      const isCreation =
        decoded(() => squadsArguments.multisigCreateV2.decode(given.data)) !== null;
      if (authority !== parties.wallet) throw new Mismatch(UNUSUAL);
      return isCreation
        ? readOwnerInstruction(given, parties.wallet)
        : readLimit(given, parties, instance);
    }
    case ASSOCIATED_TOKEN_PROGRAM:
      return readTokenAccount(given, authority, instance);
    case TOKEN_PROGRAM:
    case TOKEN_2022_PROGRAM:
      return readTokens(given, authority, instance);
    case JUPITER_PROGRAM:
      return readSale(given, authority, parties, instance);
    default:
      return readOwnerInstruction(given, authority);
  }
}
