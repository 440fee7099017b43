import {
  type Address,
  type Codec,
  fixCodecSize,
  getBytesCodec,
  getDiscriminatedUnionCodec,
  getNullableCodec,
  getStructCodec,
  getUnitCodec,
} from "@solana/kit";
import { addressCodec } from "../encoding/address-codec.ts";
import { anchorStruct, vec } from "../encoding/anchor.ts";
import { i64, u16, u32, u64, u8 } from "../number-codecs.ts";
import { vaultMessageStoredCodec } from "./squads-message.ts";

/** A member with its permission bits: 1 initiate, 2 vote, 4 execute, 7 all. */
export interface Member {
  key: Address;
  permissions: number;
}

/** Codec of a member. */
export const memberCodec: Codec<Member> = getStructCodec([
  ["key", addressCodec],
  ["permissions", u8],
]);

/** Codec of the program's configuration account, 144 bytes. */
export const programConfigCodec = anchorStruct("account", "ProgramConfig", [
  ["authority", addressCodec],
  ["multisigCreationFee", u64],
  ["treasury", addressCodec],
  ["reserved", fixCodecSize(getBytesCodec(), 64)],
]);

/** Codec of a multisig account. A config authority of all zeros means autonomous. */
export const multisigCodec = anchorStruct("account", "Multisig", [
  ["createKey", addressCodec],
  ["configAuthority", addressCodec],
  ["threshold", u16],
  ["timeLock", u32],
  ["transactionIndex", u64],
  ["staleTransactionIndex", u64],
  ["rentCollector", getNullableCodec(addressCodec)],
  ["bump", u8],
  ["members", vec(memberCodec)],
]);

/** A multisig account's content. */
export type Multisig = ReturnType<typeof multisigCodec.decode>;

/** Returns the size of a multisig account in bytes, including the space for a rent collector. */
export function multisigSize(memberCount: number): number {
  return 132 + memberCount * 33;
}

/** Codec of a vault transaction account. */
export const vaultTransactionCodec = anchorStruct("account", "VaultTransaction", [
  ["multisig", addressCodec],
  ["creator", addressCodec],
  ["index", u64],
  ["bump", u8],
  ["vaultIndex", u8],
  ["vaultBump", u8],
  ["ephemeralSignerBumps", vec(u8)],
  ["message", vaultMessageStoredCodec],
]);

/** A vault transaction account's content. */
export type VaultTransaction = ReturnType<typeof vaultTransactionCodec.decode>;

const at = getStructCodec([["timestamp", i64]]);

/** Codec of a proposal account. */
export const proposalCodec = anchorStruct("account", "Proposal", [
  ["multisig", addressCodec],
  ["transactionIndex", u64],
  [
    "status",
    getDiscriminatedUnionCodec([
      ["draft", at],
      ["active", at],
      ["rejected", at],
      ["approved", at],
      ["executing", getUnitCodec()],
      ["executed", at],
      ["cancelled", at],
    ]),
  ],
  ["bump", u8],
  ["approved", vec(addressCodec)],
  ["rejected", vec(addressCodec)],
  ["cancelled", vec(addressCodec)],
]);

/** A proposal account's content. */
export type Proposal = ReturnType<typeof proposalCodec.decode>;

/** Returns the size of a proposal account in bytes. */
export function proposalSize(memberCount: number): number {
  return 70 + memberCount * 96;
}

/** Periods after which a spending limit is restored. */
export const SPENDING_PERIOD = { oneTime: 0, day: 1, week: 2, month: 3 } as const;

/** Codec of a spending limit account. Native SOL is the all-zero mint. */
export const spendingLimitCodec = anchorStruct("account", "SpendingLimit", [
  ["multisig", addressCodec],
  ["createKey", addressCodec],
  ["vaultIndex", u8],
  ["mint", addressCodec],
  ["amount", u64],
  ["period", u8],
  ["remainingAmount", u64],
  ["lastReset", i64],
  ["bump", u8],
  ["members", vec(addressCodec)],
  ["destinations", vec(addressCodec)],
]);

/** A spending limit account's content. */
export type SpendingLimit = ReturnType<typeof spendingLimitCodec.decode>;

/** Returns the size of a spending limit account in bytes. */
export function spendingLimitSize(memberCount: number, destinationCount: number): number {
  return 139 + 32 * (memberCount + destinationCount);
}
