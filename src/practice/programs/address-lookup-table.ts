import { addressBytes } from "../../solana/encoding/address-codec.ts";
import {
  encodeLookupTable,
  LOOKUP_TABLE_META_BYTES,
  LOOKUP_TABLE_PROGRAM,
  TABLE_CAPACITY,
} from "../../solana/programs/address-lookup-table.ts";
import { transferLamports } from "../../solana/programs/system.ts";
import { readAddress, readU32, readU64, u64Bytes } from "../runtime/bytes.ts";
import { concatBytes, createProgramAddress } from "../../solana/encoding/pda.ts";
import { InstructionFailure } from "../runtime/instruction-failure.ts";
import type { InstructionContext, Program } from "../runtime/program.ts";
import { call, createDerivedAccount } from "./create-account.ts";

const RECENT_SLOTS = 512n;

function createTable(context: InstructionContext): void {
  const table = context.meta(0).address;
  const authority = context.meta(1).address;
  const payer = context.meta(2);
  const slot = readU64(context.data, 4);
  const bump = context.data[12] ?? 0;
  const age = context.time.slot - slot;
  if (age < 1n || age > RECENT_SLOTS) {
    context.log(`${slot} is not a recent slot`);
    throw new InstructionFailure("InvalidInstructionData");
  }
  const seeds = [addressBytes(authority), u64Bytes(slot), Uint8Array.of(bump)];
  if (createProgramAddress(context.programId, seeds) !== table) {
    throw new InstructionFailure("InvalidArgument");
  }
  if (!payer.isSigner) throw new InstructionFailure("MissingRequiredSignature");
  createDerivedAccount(context, {
    payer: payer.address,
    address: table,
    space: LOOKUP_TABLE_META_BYTES,
    owner: context.programId,
    seeds,
    inSteps: true,
  });
  context.writeData(table, encodeLookupTable(authority, []));
}

function extendTable(context: InstructionContext): void {
  const table = context.meta(0).address;
  const authority = context.meta(1);
  const state = context.read(table);
  if (state.owner !== context.programId) throw new InstructionFailure("InvalidAccountOwner");
  if (state.data[21] !== 1) throw new InstructionFailure("Immutable");
  if (readAddress(state.data, 22) !== authority.address) {
    throw new InstructionFailure("IncorrectAuthority");
  }
  if (!authority.isSigner) throw new InstructionFailure("MissingRequiredSignature");
  const count = readU32(context.data, 4);
  const added = context.data.subarray(12, 12 + count * 32);
  const held = (state.data.length - LOOKUP_TABLE_META_BYTES) / 32;
  if (count === 0 || added.length !== count * 32) {
    throw new InstructionFailure("InvalidInstructionData");
  }
  if (held + count > TABLE_CAPACITY) throw new InstructionFailure("InvalidInstructionData");
  const next = concatBytes([state.data, added]);
  if (readU64(next, 12) !== context.time.slot) {
    next.set(u64Bytes(context.time.slot), 12);
    next[20] = held;
  }
  context.writeData(table, next);
  const missing = context.minimumBalance(next.length) - state.lamports;
  if (missing > 0n) {
    call(context, transferLamports({ from: context.meta(2).address, to: table }, missing));
  }
}

function execute(context: InstructionContext): void {
  switch (readU32(context.data, 0)) {
    case 0:
      context.log("Instruction: CreateLookupTable");
      return createTable(context);
    case 2:
      context.log("Instruction: ExtendLookupTable");
      return extendTable(context);
    default:
      throw new InstructionFailure("InvalidInstructionData");
  }
}

/** The Address Lookup Table program: create and extend. */
export const addressLookupTableProgram: Program = {
  address: LOOKUP_TABLE_PROGRAM,
  builtIn: false,
  units: () => 14_000n,
  execute,
};
