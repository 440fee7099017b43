import { getU64Decoder, type Address } from "@solana/kit";
import { type FullInstruction, isSameInstruction } from "../../../solana/encoding/instruction.ts";
import {
  ASSOCIATED_TOKEN_PROGRAM,
  associatedTokenAddress,
  createAssociatedTokenIdempotent,
} from "../../../solana/programs/associated-token.ts";
import { multisigCreateV2, SQUADS_PROGRAM } from "../../../solana/programs/squads.ts";
import { SYSTEM_PROGRAM, transferLamports } from "../../../solana/programs/system.ts";
import {
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  closeTokenAccount,
  transferChecked,
  transferTokens,
} from "../../../solana/programs/token.ts";
import type { Effect } from "../../../venues/effect.ts";
import type { NamedToken } from "../../../venues/venue-approval.ts";
import { Mismatch, insist } from "../../../venues/mismatch.ts";

/** Permission bits of a multisig member: initiate, vote and execute. */
const ALL_PERMISSIONS = 7;

const UNUSUAL_TRANSFER = "The transaction asks the System program for something unusual.";

function readTransfer(given: FullInstruction): Effect {
  insist(given.data.length === 12, UNUSUAL_TRANSFER);
  const [from, to] = [accountAt(given, 0), accountAt(given, 1)];
  const lamports = getU64Decoder().decode(given.data, 4);
  requireSame(given, transferLamports({ from, to }, lamports), UNUSUAL_TRANSFER);
  return { kind: "lamports", from, to, lamports };
}

function readMultisig(given: FullInstruction, wallet: Address): Effect {
  const [treasury, multisig, createKey] = [
    accountAt(given, 1),
    accountAt(given, 2),
    accountAt(given, 3),
  ];
  requireSame(
    given,
    multisigCreateV2(
      { treasury, createKey, creator: wallet },
      {
        configAuthority: wallet,
        threshold: 1,
        members: [{ key: wallet, permissions: ALL_PERMISSIONS }],
        rentCollector: wallet,
      },
    ),
    "The multisig would not belong to your wallet alone.",
  );
  return { kind: "create-multisig", multisig, owner: wallet };
}

/**
 * Reads what one instruction does that is no venue's own. It runs with `authority`, the wallet or the vault, and may be
 * about these tokens only; any other program or call is refused with `Mismatch`.
 */
export function readOwnerInstruction(
  given: FullInstruction,
  { authority, wallet }: { readonly authority: Address; readonly wallet: Address },
  tokens: readonly NamedToken[],
): Effect {
  switch (given.programAddress) {
    case SYSTEM_PROGRAM:
      return readTransfer(given);
    case TOKEN_PROGRAM:
    case TOKEN_2022_PROGRAM:
      return readTokenCall(given, authority, tokens);
    case ASSOCIATED_TOKEN_PROGRAM:
      return readTokenAccount(given, authority, tokens);
    case SQUADS_PROGRAM:
      insist(
        authority === wallet,
        "The vault would ask the custody program for something unusual.",
      );
      return readMultisig(given, wallet);
    default:
      throw new Mismatch(
        `The transaction calls a program that is not on the list: ${given.programAddress}`,
      );
  }
}

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
function readTokenCall(
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
function readTokenAccount(
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

/** Returns the address of an account; throws `Mismatch` where the instruction has too few. */
function accountAt({ accounts }: FullInstruction, at: number): Address {
  const account = accounts[at];
  insist(account !== undefined, "An instruction lacks an account.");
  return account.address;
}

/** Throws `Mismatch` with the sentence unless the instruction equals the expected one. */
function requireSame(given: FullInstruction, expected: FullInstruction, sentence: string): void {
  insist(isSameInstruction(given, expected), sentence);
}
