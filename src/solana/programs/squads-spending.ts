import { type Address, address } from "@solana/kit";
import {
  type FullInstruction,
  readonly,
  signer,
  writable,
  writableSigner,
} from "../encoding/instruction.ts";
import { associatedTokenAddress } from "./associated-token.ts";
import { squadsCall } from "./squads.ts";
import { SQUADS_PROGRAM, deriveSpendingLimit, deriveVault } from "./squads-pdas.ts";
import { SYSTEM_PROGRAM } from "./system.ts";
import { TOKEN_PROGRAM } from "./token.ts";

/** Mint that represents native SOL in spending limits: all zeros, nine decimals. */
export const NATIVE_MINT_PLACEHOLDER = address("11111111111111111111111111111111");

/**
 * Adds a spending limit that lets members draw from the vault; signed by the config authority. Amount in base units per
 * period.
 */
export function multisigAddSpendingLimit(
  accounts: {
    readonly multisig: Address;
    readonly configAuthority: Address;
    readonly rentPayer: Address;
  },
  args: {
    readonly createKey: Address;
    readonly mint: Address;
    readonly amount: bigint;
    readonly period: number;
    readonly members: readonly Address[];
    readonly destinations: readonly Address[];
  },
): FullInstruction {
  return squadsCall(
    "multisigAddSpendingLimit",
    [
      readonly(accounts.multisig),
      signer(accounts.configAuthority),
      writable(deriveSpendingLimit(accounts.multisig, args.createKey).address),
      writableSigner(accounts.rentPayer),
      readonly(SYSTEM_PROGRAM),
    ],
    {
      ...args,
      vaultIndex: 0,
      members: [...args.members],
      destinations: [...args.destinations],
      memo: null,
    },
  );
}

/** Removes a spending limit; its rent goes to the collector. */
export function multisigRemoveSpendingLimit(accounts: {
  readonly multisig: Address;
  readonly configAuthority: Address;
  readonly spendingLimit: Address;
  readonly rentCollector: Address;
}): FullInstruction {
  return squadsCall(
    "multisigRemoveSpendingLimit",
    [
      readonly(accounts.multisig),
      signer(accounts.configAuthority),
      writable(accounts.spendingLimit),
      writable(accounts.rentCollector),
    ],
    { memo: null },
  );
}

/** Draws from the vault under a spending limit. Without a mint it draws native SOL. */
export function spendingLimitUse(
  accounts: {
    readonly multisig: Address;
    readonly member: Address;
    readonly spendingLimit: Address;
    readonly destination: Address;
    readonly mint?: Address;
    readonly tokenProgram?: Address;
  },
  args: { readonly amount: bigint; readonly decimals: number },
): FullInstruction {
  const vault = deriveVault(accounts.multisig).address;
  const { mint, tokenProgram = TOKEN_PROGRAM } = accounts;
  return squadsCall(
    "spendingLimitUse",
    [
      readonly(accounts.multisig),
      signer(accounts.member),
      writable(accounts.spendingLimit),
      writable(vault),
      writable(accounts.destination),
      readonly(SYSTEM_PROGRAM),
      ...(mint === undefined
        ? Array.from({ length: 4 }, () => readonly(SQUADS_PROGRAM))
        : [
            readonly(mint),
            writable(associatedTokenAddress(vault, mint, tokenProgram)),
            writable(associatedTokenAddress(accounts.destination, mint, tokenProgram)),
            readonly(tokenProgram),
          ]),
    ],
    { ...args, memo: null },
  );
}
