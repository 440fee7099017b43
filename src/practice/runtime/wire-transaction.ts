import type { Address, Signature } from "@solana/kit";
import { encodeBase58 } from "../../domain/base58.ts";
import { settingsOf, type TransactionSettings } from "../../solana/transaction.ts";
import { type CompiledInstruction, instructionsOf, readWire } from "../../solana/wire.ts";

export interface WireLookup {
  readonly table: Address;
  readonly writableIndexes: readonly number[];
  readonly readonlyIndexes: readonly number[];
}

/** A transaction in wire form; only its structure is checked. */
export interface WireTransaction {
  readonly signature: Signature;
  /** One per required signer, in order. */
  readonly signatures: readonly Uint8Array[];
  readonly messageBytes: Uint8Array;
  readonly signerCount: number;
  readonly readonlySignerCount: number;
  readonly readonlyNonSignerCount: number;
  readonly staticAccounts: readonly Address[];
  readonly blockhash: string;
  readonly instructions: readonly CompiledInstruction[];
  readonly lookups: readonly WireLookup[];
  /** Compute budget of a version 1 header; null for earlier versions. */
  readonly settings: TransactionSettings | null;
}

const NO_SIGNATURE = new Uint8Array(64);

/** Limits of a version 1 transaction. Source: SIMD-0385 */
const V1_MAX_ACCOUNTS = 64;
const V1_MAX_INSTRUCTIONS = 64;
const V1_MAX_SIGNERS = 12;

function exceedsVersion1({ staticAccounts, instructions, signerCount, settings }: WireTransaction) {
  return (
    settings !== null &&
    (staticAccounts.length > V1_MAX_ACCOUNTS ||
      instructions.length > V1_MAX_INSTRUCTIONS ||
      signerCount > V1_MAX_SIGNERS)
  );
}

function hasValidShape(wire: WireTransaction): boolean {
  const { staticAccounts, signerCount, readonlySignerCount, readonlyNonSignerCount } = wire;
  if (exceedsVersion1(wire)) return false;
  if (signerCount === 0 || readonlySignerCount >= signerCount) return false;
  if (signerCount + readonlyNonSignerCount > staticAccounts.length) return false;
  if (new Set(staticAccounts).size !== staticAccounts.length) return false;
  const loaded = wire.lookups.reduce(
    (sum, { writableIndexes, readonlyIndexes }) =>
      sum + writableIndexes.length + readonlyIndexes.length,
    0,
  );
  const total = staticAccounts.length + loaded;
  return wire.instructions.every(
    ({ programIndex, accountIndexes }) =>
      programIndex > 0 &&
      programIndex < staticAccounts.length &&
      accountIndexes.every((index) => index < total),
  );
}

/** Reads a transaction up to version 1; undefined when the bytes are not exactly one well-formed transaction. */
export function parseWireTransaction(bytes: Uint8Array): WireTransaction | undefined {
  try {
    const { message, messageBytes, signers } = readWire(bytes);
    const signatures = signers.map(({ signature }) => signature ?? NO_SIGNATURE);
    const lookups = "addressTableLookups" in message ? (message.addressTableLookups ?? []) : [];
    const wire: WireTransaction = {
      signature: encodeBase58(signatures[0] ?? NO_SIGNATURE) as Signature,
      signatures,
      messageBytes,
      signerCount: message.header.numSignerAccounts,
      readonlySignerCount: message.header.numReadonlySignerAccounts,
      readonlyNonSignerCount: message.header.numReadonlyNonSignerAccounts,
      staticAccounts: message.staticAccounts,
      blockhash: message.lifetimeToken,
      instructions: instructionsOf(message),
      lookups: lookups.map((lookup) => ({
        table: lookup.lookupTableAddress,
        writableIndexes: lookup.writableIndexes,
        readonlyIndexes: lookup.readonlyIndexes,
      })),
      settings: settingsOf(message),
    };
    return hasValidShape(wire) ? wire : undefined;
  } catch {
    return undefined;
  }
}
