import { type Address, getU64Decoder } from "@solana/kit";
import type { FullInstruction } from "../../../solana/encoding/instruction.ts";
import {
  associatedTokenAddress,
  createAssociatedTokenIdempotent,
} from "../../../solana/programs/associated-token.ts";
import {
  closeTokenAccount,
  transferChecked,
  transferTokens,
} from "../../../solana/programs/token.ts";
import type { Effect } from "../../../venues/effect.ts";
import { insist } from "../../../venues/mismatch.ts";
import type { NamedToken } from "../../../venues/venue-approval.ts";
import { accountAt, requireSame } from "./instruction-parts.ts";

/** First data byte and data length of a token instruction, in bytes. */
const TRANSFER = { tag: 3, bytes: 9 };
const CLOSE = { tag: 9 };
const TRANSFER_CHECKED = { bytes: 10 };

const UNUSUAL = "The transaction asks the Token program for something unusual.";
const UNTRADED = "The transaction is about a token this agent does not trade.";

function tokenOf(tokens: readonly NamedToken[], mint: Address): NamedToken {
  const token = tokens.find((known) => known.mint === mint);
  insist(token !== undefined, UNTRADED);
  return token;
}

const isHeldBy = (owner: Address, account: Address) => (token: NamedToken) =>
  associatedTokenAddress(owner, token.mint, token.tokenProgram) === account;

function readCheckedTransfer(
  given: FullInstruction,
  authority: Address,
  tokens: readonly NamedToken[],
): Effect {
  insist(given.data.length === TRANSFER_CHECKED.bytes, UNUSUAL);
  const amount = getU64Decoder().decode(given.data, 1);
  const [from, to] = [accountAt(given, 0), accountAt(given, 2)];
  const { mint, decimals, symbol, tokenProgram } = tokenOf(tokens, accountAt(given, 1));
  const move = { source: from, mint, destination: to, authority, tokenProgram };
  requireSame(given, transferChecked(move, { amount, decimals }), UNUSUAL);
  return {
    kind: "tokens",
    by: authority,
    from,
    to,
    mint,
    amount,
    decimals,
    symbol,
    namesMint: true,
  };
}

/** Decodes a transfer without a mint; the source, an associated account, determines the token. */
function readPlainTransfer(
  given: FullInstruction,
  authority: Address,
  tokens: readonly NamedToken[],
): Effect {
  insist(given.data.length === TRANSFER.bytes, UNUSUAL);
  const amount = getU64Decoder().decode(given.data, 1);
  const [from, to] = [accountAt(given, 0), accountAt(given, 1)];
  requireSame(given, transferTokens({ source: from, destination: to, authority }, amount), UNUSUAL);
  const token = tokens.find(isHeldBy(authority, from));
  insist(token !== undefined, UNTRADED);
  const { mint, decimals, symbol } = token;
  return {
    kind: "tokens",
    by: authority,
    from,
    to,
    mint,
    amount,
    decimals,
    symbol,
    namesMint: false,
  };
}

function readClosing(
  given: FullInstruction,
  authority: Address,
  tokens: readonly NamedToken[],
): Effect {
  const [account, to] = [accountAt(given, 0), accountAt(given, 1)];
  const tokenProgram = given.programAddress;
  const expected = closeTokenAccount({ account, destination: to, authority, tokenProgram });
  requireSame(given, expected, UNUSUAL);
  const closed = tokens.find(isHeldBy(authority, account));
  insist(closed !== undefined, "A token account would be closed that is not this agent's.");
  return { kind: "close-token-account", account, owner: authority, to, symbol: closed.symbol };
}

/** Decodes a token-program instruction: a transfer by the given authority, or closing one of its accounts. */
export function readTokenCall(
  given: FullInstruction,
  authority: Address,
  tokens: readonly NamedToken[],
): Effect {
  switch (given.data[0]) {
    case TRANSFER.tag:
      return readPlainTransfer(given, authority, tokens);
    case CLOSE.tag:
      return readClosing(given, authority, tokens);
    default:
      return readCheckedTransfer(given, authority, tokens);
  }
}

/** Decodes the creation of a token account paid for by `payer`. */
export function readTokenAccount(
  given: FullInstruction,
  payer: Address,
  tokens: readonly NamedToken[],
): Effect {
  const [account, owner] = [accountAt(given, 1), accountAt(given, 2)];
  const { mint, symbol, tokenProgram } = tokenOf(tokens, accountAt(given, 3));
  requireSame(
    given,
    createAssociatedTokenIdempotent({ payer, owner, mint, tokenProgram }),
    "The transaction would create a token account this page does not expect.",
  );
  return { kind: "create-token-account", account, owner, symbol };
}
