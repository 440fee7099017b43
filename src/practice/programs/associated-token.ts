import { addressBytes } from "../../solana/encoding/address-codec.ts";
import { ASSOCIATED_TOKEN_PROGRAM } from "../../solana/programs/associated-token.ts";
import { SYSTEM_PROGRAM } from "../../solana/programs/system.ts";
import {
  TOKEN_ACCOUNT_SIZE,
  TOKEN_PROGRAM,
  tokenAccountCodec,
} from "../../solana/programs/token.ts";
import { concatBytes } from "../../solana/encoding/pda.ts";
import { customFailure, InstructionFailure } from "../runtime/instruction-failure.ts";
import type { InstructionContext, Program } from "../runtime/program.ts";
import { createDerivedAccount, derive } from "./create-account.ts";

const INVALID_OWNER = 0;
const INITIALIZE_ACCOUNT_3 = 18;
const GET_ACCOUNT_DATA_SIZE = 21;
const INITIALIZE_IMMUTABLE_OWNER = 22;

/** Extension type that the account size is requested with. */
const IMMUTABLE_OWNER = 7;

function execute(context: InstructionContext): void {
  const kind = context.data[0] ?? 0;
  if (kind > 1) throw new InstructionFailure("InvalidInstructionData");
  const isIdempotent = kind === 1;
  context.log(isIdempotent ? "CreateIdempotent" : "Create");
  const payer = context.meta(0).address;
  const account = context.meta(1).address;
  const owner = context.meta(2).address;
  const mint = context.meta(3).address;
  const parts = [addressBytes(owner), addressBytes(TOKEN_PROGRAM), addressBytes(mint)];
  const { address: expected, seeds } = derive(context.programId, parts);
  if (expected !== account) {
    context.log("Error: Associated address does not match seed derivation");
    throw new InstructionFailure("InvalidSeeds");
  }
  const existing = context.read(account);
  if (isIdempotent && existing.owner === TOKEN_PROGRAM) {
    const holding = tokenAccountCodec.decode(existing.data);
    if (holding.owner !== owner) throw customFailure(INVALID_OWNER);
    if (holding.mint !== mint) throw new InstructionFailure("InvalidAccountData");
    return;
  }
  if (existing.owner !== SYSTEM_PROGRAM) throw new InstructionFailure("IllegalOwner");
  const mintState = context.read(mint);
  if (mintState.owner !== TOKEN_PROGRAM) throw new InstructionFailure("IllegalOwner");
  context.invoke({
    programId: TOKEN_PROGRAM,
    accounts: [{ address: mint, isSigner: false, isWritable: false }],
    data: Uint8Array.of(GET_ACCOUNT_DATA_SIZE, IMMUTABLE_OWNER, 0),
  });
  createDerivedAccount(context, {
    payer,
    address: account,
    space: TOKEN_ACCOUNT_SIZE,
    owner: TOKEN_PROGRAM,
    seeds,
  });
  context.log("Initialize the associated token account");
  context.invoke({
    programId: TOKEN_PROGRAM,
    accounts: [{ address: account, isSigner: false, isWritable: true }],
    data: Uint8Array.of(INITIALIZE_IMMUTABLE_OWNER),
  });
  context.invoke({
    programId: TOKEN_PROGRAM,
    accounts: [
      { address: account, isSigner: false, isWritable: true },
      { address: mint, isSigner: false, isWritable: false },
    ],
    data: concatBytes([Uint8Array.of(INITIALIZE_ACCOUNT_3), addressBytes(owner)]),
  });
}

/** The Associated Token program: create and create idempotent. */
export const associatedTokenProgram: Program = {
  address: ASSOCIATED_TOKEN_PROGRAM,
  builtIn: false,
  units: () => 26_000n,
  execute,
};
