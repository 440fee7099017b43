import { type Address, getBase64Encoder } from "@solana/kit";
import { AccountRole } from "@solana/kit";
import { type FullInstruction, instruction } from "../../solana/encoding/instruction.ts";
import { isAddress } from "../../solana/parse-address.ts";
import type { LookupTables } from "../../solana/programs/squads-message.ts";
import type { SwapBuild } from "./swap-router.ts";

/** A router's answer that does not follow its documentation; the message names the field. */
export class BuildResponseError extends Error {
  override readonly name = "BuildResponseError";
}

/** Limits of a plausible answer: a transaction names at most 64 accounts in 1,232 bytes. */
const MAX_ACCOUNTS = 64;
const MAX_DATA_TEXT = 2_000;
const MAX_TABLES = 16;
const MAX_TABLE_ADDRESSES = 256;

type Fields = Readonly<Record<string, unknown>>;

function fail(field: string): never {
  throw new BuildResponseError(`The router's answer has no usable ${field}`);
}

function fieldsOf(value: unknown, field: string): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return fail(field);
  return value as Fields;
}

function listOf(value: unknown, field: string, most: number): readonly unknown[] {
  return Array.isArray(value) && value.length <= most ? value : fail(field);
}

function addressOf(value: unknown, field: string): Address {
  return typeof value === "string" && isAddress(value) ? value : fail(field);
}

function amountOf(fields: Fields, field: string): bigint {
  const text = fields[field];
  if (typeof text !== "string" || !/^\d{1,20}$/.test(text)) return fail(field);
  const amount = BigInt(text);
  return amount < 2n ** 64n ? amount : fail(field);
}

function flagOf(fields: Fields, field: string): boolean {
  const flag = fields[field];
  return typeof flag === "boolean" ? flag : fail(field);
}

function bytesOf(value: unknown, field: string): Uint8Array {
  if (typeof value !== "string" || value.length > MAX_DATA_TEXT) return fail(field);
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(value)) {
    return fail(field);
  }
  return new Uint8Array(getBase64Encoder().encode(value));
}

function roleOf(isSigner: boolean, isWritable: boolean): AccountRole {
  if (isSigner) return isWritable ? AccountRole.WRITABLE_SIGNER : AccountRole.READONLY_SIGNER;
  return isWritable ? AccountRole.WRITABLE : AccountRole.READONLY;
}

function instructionOf(value: unknown, field: string): FullInstruction {
  const fields = fieldsOf(value, field);
  const accounts = listOf(fields["accounts"], `${field}.accounts`, MAX_ACCOUNTS).map((each) => {
    const account = fieldsOf(each, `${field}.accounts`);
    return {
      address: addressOf(account["pubkey"], `${field}.accounts.pubkey`),
      role: roleOf(flagOf(account, "isSigner"), flagOf(account, "isWritable")),
    };
  });
  const programId = addressOf(fields["programId"], `${field}.programId`);
  return instruction(programId, accounts, bytesOf(fields["data"], `${field}.data`));
}

const instructionsOf = (fields: Fields, field: string): readonly FullInstruction[] =>
  listOf(fields[field], field, 16).map((each) => instructionOf(each, field));

const optionalInstruction = (fields: Fields, field: string): FullInstruction | null => {
  const value = fields[field];
  return value === undefined || value === null ? null : instructionOf(value, field);
};

function tablesOf(fields: Fields): LookupTables {
  const field = "addressesByLookupTableAddress";
  const value = fields[field];
  if (value === null || value === undefined) return {};
  const entries = Object.entries(fieldsOf(value, field));
  if (entries.length > MAX_TABLES) return fail(field);
  return Object.fromEntries(
    entries.map(([table, addresses]) => [
      addressOf(table, field),
      listOf(addresses, field, MAX_TABLE_ADDRESSES).map((each) => addressOf(each, field)),
    ]),
  );
}

/**
 * Parses the body of `GET /swap/v2/build`. Fields this product does not use may be added or removed; every used field
 * must have the documented form. Throws `BuildResponseError`. Source: jup-ag/docs, openapi-spec/swap/v2
 */
export function parseBuildResponse(body: string): SwapBuild {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    return fail("JSON");
  }
  const fields = fieldsOf(json, "body");
  if (fields["swapMode"] !== "ExactIn") return fail("swapMode");
  const slippageBps = fields["slippageBps"];
  if (
    typeof slippageBps !== "number" ||
    !Number.isInteger(slippageBps) ||
    slippageBps < 0 ||
    slippageBps > 10_000
  ) {
    return fail("slippageBps");
  }
  return {
    inputMint: addressOf(fields["inputMint"], "inputMint"),
    outputMint: addressOf(fields["outputMint"], "outputMint"),
    inAmount: amountOf(fields, "inAmount"),
    outAmount: amountOf(fields, "outAmount"),
    otherAmountThreshold: amountOf(fields, "otherAmountThreshold"),
    slippageBps,
    setupInstructions: instructionsOf(fields, "setupInstructions"),
    swapInstruction: instructionOf(fields["swapInstruction"], "swapInstruction"),
    cleanupInstruction: optionalInstruction(fields, "cleanupInstruction"),
    otherInstructions: instructionsOf(fields, "otherInstructions"),
    tipInstruction: optionalInstruction(fields, "tipInstruction"),
    tables: tablesOf(fields),
  };
}
