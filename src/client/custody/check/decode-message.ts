import type { Address } from "@solana/kit";
import { decodeTransaction } from "../../../solana/decode-transaction.ts";
import type { FullInstruction } from "../../../solana/encoding/instruction.ts";
import type { LookupTables } from "../../../solana/programs/squads-message.ts";
import { sizeLimitOf } from "../../../solana/transaction.ts";
import type { TransactionSettings } from "../../../solana/transaction-settings.ts";
import { insist, Mismatch } from "../../../venues/mismatch.ts";

/** Decoded transaction message with lookup-table indexes resolved to addresses. */
export interface DecodedMessage {
  readonly feePayer: Address;
  readonly signers: readonly Address[];
  readonly instructions: readonly FullInstruction[];
  /** Compute budget of a version 1 header; null when instructions set it. */
  readonly settings: TransactionSettings | null;
}

/** Decodes an unsigned transaction; accounts from a lookup table not in `tables` are refused. */
export function decodeMessage(bytes: Uint8Array, tables: LookupTables): DecodedMessage {
  insist(bytes.length <= sizeLimitOf(bytes), "The prepared transaction is too large.");
  try {
    const { feePayer, signers, instructions, settings } = decodeTransaction(bytes, tables);
    return {
      feePayer,
      signers: signers.map((slot) => slot.address),
      instructions: instructions.map(({ programAddress, accounts, data }) => ({
        programAddress,
        accounts,
        data: new Uint8Array(data),
      })),
      settings,
    };
  } catch {
    throw new Mismatch(
      "The prepared transaction cannot be read, or it hides accounts in an unknown lookup table.",
    );
  }
}
