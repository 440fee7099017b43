import { address, type Instruction, getStructCodec } from "@solana/kit";
import { u32, u64, u8 } from "../number-codecs.ts";
import { type FullInstruction, instruction } from "../encoding/instruction.ts";

/** The program that sets a transaction's compute limit and priority fee. */
export const COMPUTE_BUDGET_PROGRAM = address("ComputeBudget111111111111111111111111111111");

const limitCodec = getStructCodec([
  ["kind", u8],
  ["units", u32],
]);

const priceCodec = getStructCodec([
  ["kind", u8],
  ["microLamports", u64],
]);

/** Caps the compute units of the transaction. */
export function setComputeUnitLimit(units: number): FullInstruction {
  return instruction(COMPUTE_BUDGET_PROGRAM, [], limitCodec.encode({ kind: 2, units }));
}

/** Sets the priority fee in micro-lamports per compute unit. */
export function setComputeUnitPrice(microLamports: bigint): FullInstruction {
  return instruction(COMPUTE_BUDGET_PROGRAM, [], priceCodec.encode({ kind: 3, microLamports }));
}

/** Returns the compute unit limit an instruction sets, or null when it sets none. */
export function readComputeUnitLimit({ programAddress, data }: Instruction): number | null {
  if (programAddress !== COMPUTE_BUDGET_PROGRAM || data?.length !== limitCodec.fixedSize)
    return null;
  const { kind, units } = limitCodec.decode(data);
  return kind === 2 ? units : null;
}

/** Returns the unit price an instruction sets, in micro-lamports per compute unit, or null when it sets none. */
export function readComputeUnitPrice({ programAddress, data }: Instruction): bigint | null {
  if (programAddress !== COMPUTE_BUDGET_PROGRAM || data?.length !== priceCodec.fixedSize)
    return null;
  const { kind, microLamports } = priceCodec.decode(data);
  return kind === 3 ? microLamports : null;
}
