import {
  type Address,
  addCodecSizePrefix,
  getBooleanCodec,
  getNullableCodec,
  getStructCodec,
  getU16Codec,
  getU32Codec,
  getU64Codec,
  getU8Codec,
  getUnitCodec,
  getUtf8Codec,
} from "@solana/kit";
import { addressCodec } from "../encoding/address-codec.ts";
import { anchorDiscriminator, vec, withDiscriminator } from "../encoding/anchor.ts";
import {
  type FullInstruction,
  instruction,
  readonly,
  signer,
  writable,
  writableSigner,
} from "../encoding/instruction.ts";
import { type Member, memberCodec } from "./squads-accounts.ts";
import {
  type LookupTables,
  type VaultMessage,
  executionAccounts,
  vaultMessageArgumentCodec,
} from "./squads-message.ts";
import {
  SQUADS_PROGRAM,
  deriveMultisig,
  deriveProgramConfig,
  deriveProposal,
  deriveVaultTransaction,
} from "./squads-pdas.ts";
import { SYSTEM_PROGRAM } from "./system.ts";

const memo = getNullableCodec(addCodecSizePrefix(getUtf8Codec(), getU32Codec()));
const optionalAddress = getNullableCodec(addressCodec);
const method = (name: string): Uint8Array => anchorDiscriminator("global", name);

/** Arguments of each instruction behind its discriminator; decoding another instruction's bytes throws. */
export const squadsArguments = {
  multisigCreateV2: withDiscriminator(
    method("multisig_create_v2"),
    getStructCodec([
      ["configAuthority", optionalAddress],
      ["threshold", getU16Codec()],
      ["members", vec(memberCodec)],
      ["timeLock", getU32Codec()],
      ["rentCollector", optionalAddress],
      ["memo", memo],
    ]),
  ),
  vaultTransactionCreate: withDiscriminator(
    method("vault_transaction_create"),
    getStructCodec([
      ["vaultIndex", getU8Codec()],
      ["ephemeralSigners", getU8Codec()],
      ["message", addCodecSizePrefix(vaultMessageArgumentCodec, getU32Codec())],
      ["memo", memo],
    ]),
  ),
  proposalCreate: withDiscriminator(
    method("proposal_create"),
    getStructCodec([
      ["transactionIndex", getU64Codec()],
      ["isDraft", getBooleanCodec()],
    ]),
  ),
  proposalApprove: withDiscriminator(method("proposal_approve"), getStructCodec([["memo", memo]])),
  vaultTransactionExecute: withDiscriminator(method("vault_transaction_execute"), getUnitCodec()),
  vaultTransactionAccountsClose: withDiscriminator(
    method("vault_transaction_accounts_close"),
    getUnitCodec(),
  ),
  multisigAddSpendingLimit: withDiscriminator(
    method("multisig_add_spending_limit"),
    getStructCodec([
      ["createKey", addressCodec],
      ["vaultIndex", getU8Codec()],
      ["mint", addressCodec],
      ["amount", getU64Codec()],
      ["period", getU8Codec()],
      ["members", vec(addressCodec)],
      ["destinations", vec(addressCodec)],
      ["memo", memo],
    ]),
  ),
  multisigRemoveSpendingLimit: withDiscriminator(
    method("multisig_remove_spending_limit"),
    getStructCodec([["memo", memo]]),
  ),
  spendingLimitUse: withDiscriminator(
    method("spending_limit_use"),
    getStructCodec([
      ["amount", getU64Codec()],
      ["decimals", getU8Codec()],
      ["memo", memo],
    ]),
  ),
} as const;

/** Creates a multisig. With a config authority it is controlled by that key, without one it is autonomous. */
export function multisigCreateV2(
  accounts: { readonly treasury: Address; readonly createKey: Address; readonly creator: Address },
  args: {
    readonly configAuthority?: Address;
    readonly threshold: number;
    readonly members: readonly Member[];
    readonly rentCollector: Address | null;
  },
): FullInstruction {
  return instruction(
    SQUADS_PROGRAM,
    [
      readonly(deriveProgramConfig().address),
      writable(accounts.treasury),
      writable(deriveMultisig(accounts.createKey).address),
      signer(accounts.createKey),
      writableSigner(accounts.creator),
      readonly(SYSTEM_PROGRAM),
    ],
    squadsArguments.multisigCreateV2.encode({
      configAuthority: args.configAuthority ?? null,
      threshold: args.threshold,
      members: [...args.members],
      timeLock: 0,
      rentCollector: args.rentCollector,
      memo: null,
    }),
  );
}

/** Stores a message for the vault under the next transaction index. */
export function vaultTransactionCreate(
  accounts: {
    readonly multisig: Address;
    readonly creator: Address;
    readonly rentPayer: Address;
  },
  args: {
    readonly transactionIndex: bigint;
    readonly vaultIndex: number;
    readonly message: VaultMessage;
  },
): FullInstruction {
  return instruction(
    SQUADS_PROGRAM,
    [
      writable(accounts.multisig),
      writable(deriveVaultTransaction(accounts.multisig, args.transactionIndex).address),
      signer(accounts.creator),
      writableSigner(accounts.rentPayer),
      readonly(SYSTEM_PROGRAM),
    ],
    squadsArguments.vaultTransactionCreate.encode({
      vaultIndex: args.vaultIndex,
      ephemeralSigners: 0,
      message: args.message,
      memo: null,
    }),
  );
}

/** Opens the vote on a stored transaction. */
export function proposalCreate(
  accounts: {
    readonly multisig: Address;
    readonly creator: Address;
    readonly rentPayer: Address;
  },
  transactionIndex: bigint,
): FullInstruction {
  return instruction(
    SQUADS_PROGRAM,
    [
      readonly(accounts.multisig),
      writable(deriveProposal(accounts.multisig, transactionIndex).address),
      signer(accounts.creator),
      writableSigner(accounts.rentPayer),
      readonly(SYSTEM_PROGRAM),
    ],
    squadsArguments.proposalCreate.encode({ transactionIndex, isDraft: false }),
  );
}

/** Casts a member's approving vote. */
export function proposalApprove(
  accounts: { readonly multisig: Address; readonly member: Address },
  transactionIndex: bigint,
): FullInstruction {
  return instruction(
    SQUADS_PROGRAM,
    [
      readonly(accounts.multisig),
      writableSigner(accounts.member),
      writable(deriveProposal(accounts.multisig, transactionIndex).address),
    ],
    squadsArguments.proposalApprove.encode({ memo: null }),
  );
}

/**
 * Executes an approved vault transaction. The account list is derived from the message and the tables it was compiled
 * with.
 */
export function vaultTransactionExecute(
  accounts: { readonly multisig: Address; readonly member: Address },
  args: {
    readonly transactionIndex: bigint;
    readonly message: VaultMessage;
    readonly tables?: LookupTables;
  },
): FullInstruction {
  return instruction(
    SQUADS_PROGRAM,
    [
      readonly(accounts.multisig),
      writable(deriveProposal(accounts.multisig, args.transactionIndex).address),
      readonly(deriveVaultTransaction(accounts.multisig, args.transactionIndex).address),
      signer(accounts.member),
      ...executionAccounts(args.message, args.tables),
    ],
    squadsArguments.vaultTransactionExecute.encode(),
  );
}

/** Closes a finished transaction and its proposal; the rent goes to the multisig's rent collector. */
export function vaultTransactionAccountsClose(
  accounts: { readonly multisig: Address; readonly rentCollector: Address },
  transactionIndex: bigint,
): FullInstruction {
  return instruction(
    SQUADS_PROGRAM,
    [
      readonly(accounts.multisig),
      writable(deriveProposal(accounts.multisig, transactionIndex).address),
      writable(deriveVaultTransaction(accounts.multisig, transactionIndex).address),
      writable(accounts.rentCollector),
      readonly(SYSTEM_PROGRAM),
    ],
    squadsArguments.vaultTransactionAccountsClose.encode(),
  );
}
