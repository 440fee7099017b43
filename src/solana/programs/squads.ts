import {
  type AccountMeta,
  addCodecSizePrefix,
  type Address,
  type Encoder,
  getNullableCodec,
  getU32Codec,
  getUtf8Codec,
  type Instruction,
  address,
  getU64Encoder,
} from "@solana/kit";
import { addressCodec, addressBytes } from "../encoding/address-codec.ts";
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
import { SYSTEM_PROGRAM } from "./system.ts";
import { associatedTokenAddress } from "./associated-token.ts";
import { TOKEN_PROGRAM } from "./token.ts";
import { type ProgramDerivedAddress, deriveAddress } from "../encoding/pda.ts";

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

/** Address of the Squads v4 program, immutable on mainnet. */
export const SQUADS_PROGRAM = address("SQDS4ep65T869zMMBKyuUq6aD6EgTu8psMjkvj52pCf");

const indexBytes = (value: bigint): Uint8Array => new Uint8Array(getU64Encoder().encode(value));
const PREFIX = "multisig";
const ofMultisig = (multisig: Address, ...seeds: readonly (Uint8Array | string)[]) => [
  PREFIX,
  addressBytes(multisig),
  ...seeds,
];

/** Seeds of the program's derived addresses. */
export const squadsSeeds = {
  programConfig: () => [PREFIX, "program_config"],
  multisig: (createKey: Address) => [PREFIX, PREFIX, addressBytes(createKey)],
  vault: (multisig: Address, vaultIndex: number) =>
    ofMultisig(multisig, "vault", Uint8Array.of(vaultIndex)),
  transaction: (multisig: Address, index: bigint) =>
    ofMultisig(multisig, "transaction", indexBytes(index)),
  proposal: (multisig: Address, index: bigint) =>
    ofMultisig(multisig, "transaction", indexBytes(index), "proposal"),
  spendingLimit: (multisig: Address, createKey: Address) =>
    ofMultisig(multisig, "spending_limit", addressBytes(createKey)),
} as const;

/** Derives the program's configuration account, which names the treasury and the creation fee. */
export const deriveProgramConfig = (): ProgramDerivedAddress =>
  deriveAddress(SQUADS_PROGRAM, squadsSeeds.programConfig());

/** Derives the multisig account of a create key. */
export const deriveMultisig = (createKey: Address): ProgramDerivedAddress =>
  deriveAddress(SQUADS_PROGRAM, squadsSeeds.multisig(createKey));

/** Derives the address that holds the multisig's funds. */
export const deriveVault = (multisig: Address, vaultIndex = 0): ProgramDerivedAddress =>
  deriveAddress(SQUADS_PROGRAM, squadsSeeds.vault(multisig, vaultIndex));

/** Derives the account that stores one vault transaction. Indexes start at 1. */
export const deriveVaultTransaction = (multisig: Address, index: bigint): ProgramDerivedAddress =>
  deriveAddress(SQUADS_PROGRAM, squadsSeeds.transaction(multisig, index));

/** Derives the proposal of one vault transaction. */
export const deriveProposal = (multisig: Address, index: bigint): ProgramDerivedAddress =>
  deriveAddress(SQUADS_PROGRAM, squadsSeeds.proposal(multisig, index));

/** Derives the spending limit of a create key. */
export const deriveSpendingLimit = (multisig: Address, createKey: Address): ProgramDerivedAddress =>
  deriveAddress(SQUADS_PROGRAM, squadsSeeds.spendingLimit(multisig, createKey));
