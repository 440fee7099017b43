import {
  type AccountMeta,
  addCodecSizePrefix,
  type Address,
  type Encoder,
  getNullableCodec,
  getU32Codec,
  getUtf8Codec,
  type Instruction,
} from "@solana/kit";
import { addressCodec } from "../encoding/address-codec.ts";
import { anchorStruct, vec } from "../encoding/anchor.ts";
import {
  type FullInstruction,
  instruction,
  readonly,
  signer,
  writable,
  writableSigner,
} from "../encoding/instruction.ts";
import { bool, u16, u32, u64, u8 } from "../number-codecs.ts";
import { type Member, memberCodec } from "./squads-accounts.ts";
import {
  compileInner,
  executionAccounts,
  type LookupTables,
  type VaultMessage,
  vaultMessageArgumentCodec,
} from "./squads-message.ts";
import {
  deriveMultisig,
  deriveProgramConfig,
  deriveProposal,
  deriveVaultTransaction,
  SQUADS_PROGRAM,
} from "./squads-pdas.ts";
import { SYSTEM_PROGRAM } from "./system.ts";

const memo = getNullableCodec(addCodecSizePrefix(getUtf8Codec(), getU32Codec()));
const optionalAddress = getNullableCodec(addressCodec);

/** Arguments of each instruction behind its discriminator; decoding another instruction's bytes throws. */
export const squadsArguments = {
  multisigCreateV2: anchorStruct("global", "multisig_create_v2", [
    ["configAuthority", optionalAddress],
    ["threshold", u16],
    ["members", vec(memberCodec)],
    ["timeLock", u32],
    ["rentCollector", optionalAddress],
    ["memo", memo],
  ]),
  vaultTransactionCreate: anchorStruct("global", "vault_transaction_create", [
    ["vaultIndex", u8],
    ["ephemeralSigners", u8],
    ["message", addCodecSizePrefix(vaultMessageArgumentCodec, getU32Codec())],
    ["memo", memo],
  ]),
  proposalCreate: anchorStruct("global", "proposal_create", [
    ["transactionIndex", u64],
    ["isDraft", bool],
  ]),
  proposalApprove: anchorStruct("global", "proposal_approve", [["memo", memo]]),
  vaultTransactionExecute: anchorStruct("global", "vault_transaction_execute", []),
  vaultTransactionAccountsClose: anchorStruct("global", "vault_transaction_accounts_close", []),
  multisigAddSpendingLimit: anchorStruct("global", "multisig_add_spending_limit", [
    ["createKey", addressCodec],
    ["vaultIndex", u8],
    ["mint", addressCodec],
    ["amount", u64],
    ["period", u8],
    ["members", vec(addressCodec)],
    ["destinations", vec(addressCodec)],
    ["memo", memo],
  ]),
  multisigRemoveSpendingLimit: anchorStruct("global", "multisig_remove_spending_limit", [
    ["memo", memo],
  ]),
  spendingLimitUse: anchorStruct("global", "spending_limit_use", [
    ["amount", u64],
    ["decimals", u8],
    ["memo", memo],
  ]),
} as const;

type SquadsMethod = keyof typeof squadsArguments;

/** Returns a call of the program with its accounts in the program's order. */
export const squadsCall = <M extends SquadsMethod>(
  method: M,
  accounts: readonly AccountMeta[],
  args: ReturnType<(typeof squadsArguments)[M]["decode"]>,
): FullInstruction =>
  instruction(
    SQUADS_PROGRAM,
    accounts,
    (squadsArguments[method] as Encoder<typeof args>).encode(args),
  );

/** Creates a multisig. With a config authority it is controlled by that key, without one it is autonomous. */
export const multisigCreateV2 = (
  accounts: { readonly treasury: Address; readonly createKey: Address; readonly creator: Address },
  args: {
    readonly configAuthority?: Address;
    readonly threshold: number;
    readonly members: readonly Member[];
    readonly rentCollector: Address | null;
  },
): FullInstruction =>
  squadsCall(
    "multisigCreateV2",
    [
      readonly(deriveProgramConfig().address),
      writable(accounts.treasury),
      writable(deriveMultisig(accounts.createKey).address),
      signer(accounts.createKey),
      writableSigner(accounts.creator),
      readonly(SYSTEM_PROGRAM),
    ],
    {
      configAuthority: args.configAuthority ?? null,
      threshold: args.threshold,
      members: [...args.members],
      timeLock: 0,
      rentCollector: args.rentCollector,
      memo: null,
    },
  );

/** Who stores a transaction or opens its vote. */
interface Initiator {
  readonly multisig: Address;
  readonly creator: Address;
  readonly rentPayer: Address;
}

/** Stores a message for the vault under the next transaction index. */
export const vaultTransactionCreate = (
  { multisig, creator, rentPayer }: Initiator,
  args: {
    readonly transactionIndex: bigint;
    readonly vaultIndex: number;
    readonly message: VaultMessage;
  },
): FullInstruction =>
  squadsCall(
    "vaultTransactionCreate",
    [
      writable(multisig),
      writable(deriveVaultTransaction(multisig, args.transactionIndex).address),
      signer(creator),
      writableSigner(rentPayer),
      readonly(SYSTEM_PROGRAM),
    ],
    { vaultIndex: args.vaultIndex, ephemeralSigners: 0, message: args.message, memo: null },
  );

/** Opens the vote on a stored transaction. */
export const proposalCreate = (
  { multisig, creator, rentPayer }: Initiator,
  transactionIndex: bigint,
): FullInstruction =>
  squadsCall(
    "proposalCreate",
    [
      readonly(multisig),
      writable(deriveProposal(multisig, transactionIndex).address),
      signer(creator),
      writableSigner(rentPayer),
      readonly(SYSTEM_PROGRAM),
    ],
    { transactionIndex, isDraft: false },
  );

/** Casts a member's approving vote. */
export const proposalApprove = (
  { multisig, member }: { readonly multisig: Address; readonly member: Address },
  transactionIndex: bigint,
): FullInstruction =>
  squadsCall(
    "proposalApprove",
    [
      readonly(multisig),
      writableSigner(member),
      writable(deriveProposal(multisig, transactionIndex).address),
    ],
    { memo: null },
  );

/**
 * Executes an approved vault transaction. The account list is derived from the message and the tables it was compiled
 * with.
 */
export const vaultTransactionExecute = (
  { multisig, member }: { readonly multisig: Address; readonly member: Address },
  args: {
    readonly transactionIndex: bigint;
    readonly message: VaultMessage;
    readonly tables?: LookupTables;
  },
): FullInstruction =>
  squadsCall(
    "vaultTransactionExecute",
    [
      readonly(multisig),
      writable(deriveProposal(multisig, args.transactionIndex).address),
      readonly(deriveVaultTransaction(multisig, args.transactionIndex).address),
      signer(member),
      ...executionAccounts(args.message, args.tables),
    ],
    {},
  );

/** Closes a finished transaction and its proposal; the rent goes to the multisig's rent collector. */
export const vaultTransactionAccountsClose = (
  { multisig, rentCollector }: { readonly multisig: Address; readonly rentCollector: Address },
  transactionIndex: bigint,
): FullInstruction =>
  squadsCall(
    "vaultTransactionAccountsClose",
    [
      readonly(multisig),
      writable(deriveProposal(multisig, transactionIndex).address),
      writable(deriveVaultTransaction(multisig, transactionIndex).address),
      writable(rentCollector),
      readonly(SYSTEM_PROGRAM),
    ],
    {},
  );

/**
 * Returns the instructions that create, propose, approve, execute and close one vault transaction.
 *
 * In one transaction they are atomic: any failing step reverts all and the transaction index is unchanged.
 * `transactionIndex` is the multisig's last used index plus one.
 */
export function vaultLife(life: {
  readonly multisig: Address;
  readonly transactionIndex: bigint;
  readonly member: Address;
  readonly vault: Address;
  readonly rentCollector: Address;
  readonly instructions: readonly Instruction[];
  readonly tables?: LookupTables;
}): readonly FullInstruction[] {
  const { multisig, transactionIndex, member, tables = {} } = life;
  const message = compileInner(life.vault, life.instructions, tables);
  const initiator = { multisig, creator: member, rentPayer: member };
  return [
    vaultTransactionCreate(initiator, { transactionIndex, vaultIndex: 0, message }),
    proposalCreate(initiator, transactionIndex),
    proposalApprove({ multisig, member }, transactionIndex),
    vaultTransactionExecute({ multisig, member }, { transactionIndex, message, tables }),
    vaultTransactionAccountsClose(
      { multisig, rentCollector: life.rentCollector },
      transactionIndex,
    ),
  ];
}
