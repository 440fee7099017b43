import {
  type Address,
  type Codec,
  type Decoder,
  type Encoder,
  fixCodecSize,
  getArrayCodec,
  getBytesCodec,
  getDiscriminatedUnionCodec,
  getI64Codec,
  getNullableCodec,
  getStructCodec,
  getU16Codec,
  getU32Codec,
  getU64Codec,
  getU8Codec,
  getUnitCodec,
} from "@solana/kit";
import { addressCodec } from "../encoding/address-codec.ts";
import { anchorDiscriminator, vec, withDiscriminator } from "../encoding/anchor.ts";
import { vaultMessageStoredCodec } from "./squads-message.ts";

const of = <TCodec extends Encoder<never> & Decoder<unknown>>(name: string, body: TCodec): TCodec =>
  withDiscriminator(anchorDiscriminator("account", name), body);

/** A member with its permission bits: 1 initiate, 2 vote, 4 execute, 7 all. */
export interface Member {
  key: Address;
  permissions: number;
}

/** Codec of a member. */
export const memberCodec: Codec<Member> = getStructCodec([
  ["key", addressCodec],
  ["permissions", getU8Codec()],
]);

/** Codec of the program's configuration account, 144 bytes. */
export const programConfigCodec = of(
  "ProgramConfig",
  getStructCodec([
    ["authority", addressCodec],
    ["multisigCreationFee", getU64Codec()],
    ["treasury", addressCodec],
    ["reserved", fixCodecSize(getBytesCodec(), 64)],
  ]),
);

/** Codec of a multisig account. A config authority of all zeros means autonomous. */
export const multisigCodec = of(
  "Multisig",
  getStructCodec([
    ["createKey", addressCodec],
    ["configAuthority", addressCodec],
    ["threshold", getU16Codec()],
    ["timeLock", getU32Codec()],
    ["transactionIndex", getU64Codec()],
    ["staleTransactionIndex", getU64Codec()],
    ["rentCollector", getNullableCodec(addressCodec)],
    ["bump", getU8Codec()],
    ["members", vec(memberCodec)],
  ]),
);

/** A multisig account's content. */
export type Multisig = ReturnType<typeof multisigCodec.decode>;

/** Returns the size of a multisig account in bytes, including the space for a rent collector. */
export function multisigSize(memberCount: number): number {
  return 132 + memberCount * 33;
}

/** Offset of the last used transaction index, a u64, in a multisig account. */
export const TRANSACTION_INDEX_OFFSET = 78;

/** Reads the last used transaction index without decoding the rest. */
export function readTransactionIndex(data: Uint8Array): bigint {
  return getU64Codec().read(data, TRANSACTION_INDEX_OFFSET)[0];
}

/** Codec of a vault transaction account. */
export const vaultTransactionCodec = of(
  "VaultTransaction",
  getStructCodec([
    ["multisig", addressCodec],
    ["creator", addressCodec],
    ["index", getU64Codec()],
    ["bump", getU8Codec()],
    ["vaultIndex", getU8Codec()],
    ["vaultBump", getU8Codec()],
    ["ephemeralSignerBumps", getArrayCodec(getU8Codec(), { size: getU32Codec() })],
    ["message", vaultMessageStoredCodec],
  ]),
);

/** A vault transaction account's content. */
export type VaultTransaction = ReturnType<typeof vaultTransactionCodec.decode>;

const at = getStructCodec([["timestamp", getI64Codec()]]);

/** Codec of a proposal account. */
export const proposalCodec = of(
  "Proposal",
  getStructCodec([
    ["multisig", addressCodec],
    ["transactionIndex", getU64Codec()],
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
    ["bump", getU8Codec()],
    ["approved", vec(addressCodec)],
    ["rejected", vec(addressCodec)],
    ["cancelled", vec(addressCodec)],
  ]),
);

/** A proposal account's content. */
export type Proposal = ReturnType<typeof proposalCodec.decode>;

/** Returns the size of a proposal account in bytes. */
export function proposalSize(memberCount: number): number {
  return 70 + memberCount * 96;
}

/** Periods after which a spending limit is restored. */
export const SPENDING_PERIOD = { oneTime: 0, day: 1, week: 2, month: 3 } as const;

/** Codec of a spending limit account. Native SOL is the all-zero mint. */
export const spendingLimitCodec = of(
  "SpendingLimit",
  getStructCodec([
    ["multisig", addressCodec],
    ["createKey", addressCodec],
    ["vaultIndex", getU8Codec()],
    ["mint", addressCodec],
    ["amount", getU64Codec()],
    ["period", getU8Codec()],
    ["remainingAmount", getU64Codec()],
    ["lastReset", getI64Codec()],
    ["bump", getU8Codec()],
    ["members", vec(addressCodec)],
    ["destinations", vec(addressCodec)],
  ]),
);

/** A spending limit account's content. */
export type SpendingLimit = ReturnType<typeof spendingLimitCodec.decode>;

/** Returns the size of a spending limit account in bytes. */
export function spendingLimitSize(memberCount: number, destinationCount: number): number {
  return 139 + 32 * (memberCount + destinationCount);
}
