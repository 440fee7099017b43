import { getU64Decoder, type Address } from "@solana/kit";
import type { FullInstruction } from "../../../solana/encoding/instruction.ts";
import { ASSOCIATED_TOKEN_PROGRAM } from "../../../solana/programs/associated-token.ts";
import { multisigCreateV2 } from "../../../solana/programs/squads.ts";
import { SQUADS_PROGRAM } from "../../../solana/programs/squads-pdas.ts";
import { SYSTEM_PROGRAM, transferLamports } from "../../../solana/programs/system.ts";
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from "../../../solana/programs/token.ts";
import type { Effect } from "../../../venues/effect.ts";
import { insist, Mismatch } from "../../../venues/mismatch.ts";
import type { NamedToken } from "../../../venues/venue-approval.ts";
import { accountAt, requireSame } from "./instruction-parts.ts";
import { readTokenAccount, readTokenCall } from "./read-token-instruction.ts";

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
