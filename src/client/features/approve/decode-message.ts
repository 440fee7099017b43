import {
  AccountRole,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type AccountMeta,
  type Address,
} from "@solana/kit";
import type { FullInstruction } from "../../../solana/instruction.ts";
import { insist, Mismatch } from "./mismatch.ts";

/** Largest transaction the network takes, in bytes. */
const MAX_TRANSACTION_BYTES = 1_232;

/** A transaction's message in full addresses. */
export interface DecodedMessage {
  readonly feePayer: Address;
  readonly signers: readonly Address[];
  readonly instructions: readonly FullInstruction[];
}

function roleAt(
  index: number,
  total: number,
  header: {
    readonly numSignerAccounts: number;
    readonly numReadonlySignerAccounts: number;
    readonly numReadonlyNonSignerAccounts: number;
  },
): AccountRole {
  if (index < header.numSignerAccounts) {
    const isWritable = index < header.numSignerAccounts - header.numReadonlySignerAccounts;
    return isWritable ? AccountRole.WRITABLE_SIGNER : AccountRole.READONLY_SIGNER;
  }
  const isWritable = index < total - header.numReadonlyNonSignerAccounts;
  return isWritable ? AccountRole.WRITABLE : AccountRole.READONLY;
}

function decode(bytes: Uint8Array) {
  try {
    const { messageBytes } = getTransactionDecoder().decode(bytes);
    return getCompiledTransactionMessageDecoder().decode(messageBytes);
  } catch {
    throw new Mismatch("The prepared transaction cannot be read.");
  }
}

/** Reads the wire bytes of an unsigned transaction; accounts behind a lookup table cannot be checked and are refused. */
export function decodeMessage(bytes: Uint8Array): DecodedMessage {
  insist(bytes.length <= MAX_TRANSACTION_BYTES, "The prepared transaction is too large.");
  const message = decode(bytes);
  insist(message.version === 0, "The prepared transaction has an unknown format.");
  insist(
    message.addressTableLookups === undefined || message.addressTableLookups.length === 0,
    "The prepared transaction hides accounts in a lookup table, so this page cannot check it.",
  );
  const keys = message.staticAccounts;
  const metas: readonly AccountMeta[] = keys.map((address, index) => ({
    address,
    role: roleAt(index, keys.length, message.header),
  }));
  const at = (index: number): AccountMeta => {
    const meta = metas[index];
    insist(meta !== undefined, "The prepared transaction cannot be read.");
    return meta;
  };
  return {
    feePayer: at(0).address,
    signers: keys.slice(0, message.header.numSignerAccounts),
    instructions: message.instructions.map((each) => ({
      programAddress: at(each.programAddressIndex).address,
      accounts: (each.accountIndices ?? []).map(at),
      data: new Uint8Array(each.data ?? []),
    })),
  };
}
