import { getU64Decoder, type Address } from "@solana/kit";
import type { FullInstruction } from "../../solana/instruction.ts";
import {
  ASSOCIATED_TOKEN_PROGRAM,
  createAssociatedTokenIdempotent,
} from "../../solana/programs/associated-token.ts";
import { multisigCreateV2 } from "../../solana/programs/squads.ts";
import { SQUADS_PROGRAM } from "../../solana/programs/squads-pdas.ts";
import { SYSTEM_PROGRAM, transferLamports } from "../../solana/programs/system.ts";
import {
  closeTokenAccount,
  TOKEN_PROGRAM,
  transferChecked,
  transferTokens,
} from "../../solana/programs/token.ts";
import { insist, Mismatch } from "./mismatch.ts";
import { isSameInstruction } from "./same-instruction.ts";
import type { Effect } from "./transaction-summary.ts";

/** A member of a multisig that may start, vote and execute. */
const ALL_PERMISSIONS = 7;

const accountAt = (instruction: FullInstruction, at: number): Address => {
  const account = instruction.accounts[at];
  insist(account !== undefined, "An instruction lacks an account.");
  return account.address;
};

function same(given: FullInstruction, expected: FullInstruction, sentence: string): void {
  insist(isSameInstruction(given, expected), sentence);
}

function readTransfer(given: FullInstruction): Effect {
  insist(
    given.data.length === 12,
    "The transaction asks the System program for something unusual.",
  );
  const [from, to] = [accountAt(given, 0), accountAt(given, 1)];
  const lamports = getU64Decoder().decode(given.data, 4);
  same(
    given,
    transferLamports({ from, to }, lamports),
    "The transaction asks the System program for something unusual.",
  );
  return { kind: "lamports", from, to, lamports };
}

const UNUSUAL_TOKENS = "The transaction asks the Token program for something unusual.";

function readCheckedTransfer(given: FullInstruction): Effect {
  insist(given.data.length === 10, UNUSUAL_TOKENS);
  const amount = getU64Decoder().decode(given.data, 1);
  const decimals = given.data[9] ?? 0;
  const [from, mint, to] = [accountAt(given, 0), accountAt(given, 1), accountAt(given, 2)];
  const authority = accountAt(given, 3);
  same(
    given,
    transferChecked({ source: from, mint, destination: to, authority }, { amount, decimals }),
    UNUSUAL_TOKENS,
  );
  return { kind: "tokens", by: authority, from, to, mint, amount, decimals };
}

/** The transfer that names no mint: the token accounts at both ends say which token it is. */
function readPlainTransfer(given: FullInstruction): Effect {
  insist(given.data.length === 9, UNUSUAL_TOKENS);
  const amount = getU64Decoder().decode(given.data, 1);
  const [from, to, authority] = [accountAt(given, 0), accountAt(given, 1), accountAt(given, 2)];
  same(given, transferTokens({ source: from, destination: to, authority }, amount), UNUSUAL_TOKENS);
  return { kind: "tokens", by: authority, from, to, mint: null, amount, decimals: null };
}

function readTokenClosing(given: FullInstruction): Effect {
  const [account, to, authority] = [accountAt(given, 0), accountAt(given, 1), accountAt(given, 2)];
  same(given, closeTokenAccount({ account, destination: to, authority }), UNUSUAL_TOKENS);
  return { kind: "close-token-account", account, owner: authority, to };
}

function readTokenCall(given: FullInstruction): Effect {
  switch (given.data[0]) {
    case 3:
      return readPlainTransfer(given);
    case 9:
      return readTokenClosing(given);
    default:
      return readCheckedTransfer(given);
  }
}

function readTokenAccount(given: FullInstruction, wallet: Address): Effect {
  const [account, owner, mint] = [accountAt(given, 1), accountAt(given, 2), accountAt(given, 3)];
  same(
    given,
    createAssociatedTokenIdempotent({ payer: wallet, owner, mint }),
    "The transaction would create a token account this page does not expect.",
  );
  return { kind: "create-token-account", account, owner };
}

function readMultisig(given: FullInstruction, wallet: Address): Effect {
  const [treasury, multisig, createKey] = [
    accountAt(given, 1),
    accountAt(given, 2),
    accountAt(given, 3),
  ];
  same(
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

/** Reads what one instruction does with the owner's own authority; any other program or call is refused. */
export function readOwnerInstruction(given: FullInstruction, wallet: Address): Effect {
  switch (given.programAddress) {
    case SYSTEM_PROGRAM:
      return readTransfer(given);
    case TOKEN_PROGRAM:
      return readTokenCall(given);
    case ASSOCIATED_TOKEN_PROGRAM:
      return readTokenAccount(given, wallet);
    case SQUADS_PROGRAM:
      return readMultisig(given, wallet);
    default:
      throw new Mismatch(
        `The transaction calls a program that is not on the list: ${given.programAddress}`,
      );
  }
}
