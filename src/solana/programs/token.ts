import {
  type Address,
  type FixedSizeCodec,
  address,
  getBooleanCodec,
  getNullableCodec,
  getStructCodec,
  getU32Codec,
  getU64Codec,
  getU8Codec,
} from "@solana/kit";
import { addressCodec } from "../encoding/address-codec.ts";
import {
  type FullInstruction,
  instruction,
  readonly,
  signer,
  writable,
} from "../encoding/instruction.ts";

/** The SPL Token program. */
export const TOKEN_PROGRAM = address("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA");

/** The Token-2022 program; its accounts start with the older program's layout and may be longer. */
export const TOKEN_2022_PROGRAM = address("TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb");

/** USDC on mainnet, six decimals. */
export const USDC_MINT = address("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v");

/** Mints of the assets that are swapped: BTC and ETH are Wormhole's. */
export const MINTS = {
  SOL: "So11111111111111111111111111111111111111112",
  BTC: "3NZ9JMVBmGAqocybic2c7LQCJScmgsAZ6vQqTDzcqmJh",
  ETH: "7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs",
  JUP: "JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN",
} as const;

const optionalAddress = getNullableCodec(addressCodec, {
  prefix: getU32Codec(),
  noneValue: "zeroes",
});

const optionalAmount = getNullableCodec(getU64Codec(), {
  prefix: getU32Codec(),
  noneValue: "zeroes",
});

/** A token account, 165 bytes. `state` is 0 uninitialised, 1 initialised, 2 frozen. */
export interface TokenAccount {
  mint: Address;
  owner: Address;
  amount: bigint;
  delegate: Address | null;
  state: number;
  isNative: bigint | null;
  delegatedAmount: bigint;
  closeAuthority: Address | null;
}

/** Bytes of a token account. */
export const TOKEN_ACCOUNT_SIZE = 165;

/** Codec of a token account. */
export const tokenAccountCodec: FixedSizeCodec<TokenAccount, TokenAccount> = getStructCodec([
  ["mint", addressCodec],
  ["owner", addressCodec],
  ["amount", getU64Codec()],
  ["delegate", optionalAddress],
  ["state", getU8Codec()],
  ["isNative", optionalAmount],
  ["delegatedAmount", getU64Codec()],
  ["closeAuthority", optionalAddress],
]);

/** Codec of a mint, 82 bytes. */
export const mintCodec = getStructCodec([
  ["mintAuthority", optionalAddress],
  ["supply", getU64Codec()],
  ["decimals", getU8Codec()],
  ["isInitialized", getBooleanCodec()],
  ["freezeAuthority", optionalAddress],
]);

const checkedCodec = getStructCodec([
  ["kind", getU8Codec()],
  ["amount", getU64Codec()],
  ["decimals", getU8Codec()],
]);

/** Moves tokens; the program refuses when the stated mint or decimals are wrong. Amount in base units. */
export function transferChecked(
  accounts: {
    readonly source: Address;
    readonly mint: Address;
    readonly destination: Address;
    readonly authority: Address;
    readonly tokenProgram?: Address;
  },
  args: { readonly amount: bigint; readonly decimals: number },
): FullInstruction {
  return instruction(
    accounts.tokenProgram ?? TOKEN_PROGRAM,
    [
      writable(accounts.source),
      readonly(accounts.mint),
      writable(accounts.destination),
      signer(accounts.authority),
    ],
    checkedCodec.encode({ kind: 12, ...args }),
  );
}

const plainCodec = getStructCodec([
  ["kind", getU8Codec()],
  ["amount", getU64Codec()],
]);

/** Moves tokens without the mint account, which saves 64 bytes inside a vault transaction. Amount in base units. */
export function transferTokens(
  accounts: {
    readonly source: Address;
    readonly destination: Address;
    readonly authority: Address;
  },
  amount: bigint,
): FullInstruction {
  return instruction(
    TOKEN_PROGRAM,
    [writable(accounts.source), writable(accounts.destination), signer(accounts.authority)],
    plainCodec.encode({ kind: 3, amount }),
  );
}

/** Closes an empty token account and sends its lamports to the destination. */
export function closeTokenAccount(accounts: {
  readonly account: Address;
  readonly destination: Address;
  readonly authority: Address;
  readonly tokenProgram?: Address;
}): FullInstruction {
  return instruction(
    accounts.tokenProgram ?? TOKEN_PROGRAM,
    [writable(accounts.account), writable(accounts.destination), signer(accounts.authority)],
    [9],
  );
}
