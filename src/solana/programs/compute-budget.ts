import {
  address,
  type Instruction,
  getStructCodec,
  getU32Codec,
  getU64Codec,
  getU8Codec,
} from "@solana/kit";
import { type FullInstruction, instruction } from "../encoding/instruction.ts";

/** The program that sets a transaction's compute limit and priority fee. */
export const COMPUTE_BUDGET_PROGRAM = address("ComputeBudget111111111111111111111111111111");

const limitCodec = getStructCodec([
  ["kind", getU8Codec()],
  ["units", getU32Codec()],
]);

const priceCodec = getStructCodec([
  ["kind", getU8Codec()],
  ["microLamports", getU64Codec()],
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
