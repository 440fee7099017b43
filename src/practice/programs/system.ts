import type { Address } from "@solana/kit";
import { SYSTEM_PROGRAM } from "../../solana/programs/system.ts";
import { readAddress, readU32, readU64, u64Bytes } from "../runtime/bytes.ts";
import { customFailure, InstructionFailure } from "../runtime/instruction-failure.ts";
import type { InstructionContext, Program } from "../runtime/program.ts";

const ACCOUNT_ALREADY_IN_USE = 0;
const RESULT_WITH_NEGATIVE_LAMPORTS = 1;
const INVALID_ACCOUNT_DATA_LENGTH = 3;
const MAX_SPACE = 10n * 1024n * 1024n;

function requireSigner(context: InstructionContext, index: number, complaint: string): void {
  if (context.meta(index).isSigner) return;
  context.log(complaint);
  throw new InstructionFailure("MissingRequiredSignature");
}

function transfer(context: InstructionContext, toIndex: number, lamports: bigint): void {
  const from = context.meta(0).address;
  const to = context.meta(toIndex).address;
  requireSigner(context, 0, `Transfer: \`from\` account ${from} must sign`);
  const source = context.read(from);
  if (source.data.length > 0) {
    context.log("Transfer: `from` must not carry data");
    throw new InstructionFailure("InvalidArgument");
  }
  if (source.lamports < lamports) {
    context.log(`Transfer: insufficient lamports ${source.lamports}, need ${lamports}`);
    throw customFailure(RESULT_WITH_NEGATIVE_LAMPORTS);
  }
  context.moveLamports(from, to, lamports);
}

function allocate(context: InstructionContext, index: number, space: bigint): void {
  const { address } = context.meta(index);
  requireSigner(context, index, `Allocate: 'to' account ${address} must sign`);
  const state = context.read(address);
  if (state.data.length > 0 || state.owner !== SYSTEM_PROGRAM) {
    context.log(`Allocate: account Address { address: ${address}, base: None } already in use`);
    throw customFailure(ACCOUNT_ALREADY_IN_USE);
  }
  if (space > MAX_SPACE) {
    context.log(`Allocate: requested ${space}, max allowed ${MAX_SPACE}`);
    throw customFailure(INVALID_ACCOUNT_DATA_LENGTH);
  }
  // Sizes here are below ten million, so the lower half of the u64 suffices
  context.writeData(address, new Uint8Array(readU32(u64Bytes(space), 0)));
}

function assign(context: InstructionContext, index: number, owner: Address): void {
  const { address } = context.meta(index);
  if (context.read(address).owner === owner) return;
  requireSigner(context, index, `Assign: account ${address} must sign`);
  context.assign(address, owner);
}

function createAccount(context: InstructionContext): void {
  const lamports = readU64(context.data, 4);
  const space = readU64(context.data, 12);
  const owner = readAddress(context.data, 20);
  const { address } = context.meta(1);
  if (context.read(address).lamports > 0n) {
    context.log(
      `Create Account: account Address { address: ${address}, base: None } already in use`,
    );
    throw customFailure(ACCOUNT_ALREADY_IN_USE);
  }
  allocate(context, 1, space);
  assign(context, 1, owner);
  transfer(context, 1, lamports);
}

function execute(context: InstructionContext): void {
  const kind = readU32(context.data, 0);
  switch (kind) {
    case 0:
      return createAccount(context);
    case 1:
      return assign(context, 0, readAddress(context.data, 4));
    case 2:
      return transfer(context, 1, readU64(context.data, 4));
    case 8:
      return allocate(context, 0, readU64(context.data, 4));
    default:
      throw new InstructionFailure("InvalidInstructionData");
  }
}

/** The System program: create account, assign, transfer, allocate. */
export const systemProgram: Program = {
  address: SYSTEM_PROGRAM,
  builtIn: true,
  units: () => 150n,
  execute,
};
