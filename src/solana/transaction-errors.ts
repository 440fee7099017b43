import * as kit from "@solana/kit";

type Constant<Kind extends "TRANSACTION" | "INSTRUCTION"> = Extract<
  keyof typeof kit,
  `SOLANA_ERROR__${Kind}_ERROR__${string}`
>;

/** The runtime's names of Kit's instruction errors. A constant that Kit adds fails to compile until it has a row. */
const INSTRUCTION_ERRORS = {
  SOLANA_ERROR__INSTRUCTION_ERROR__UNKNOWN: "Unknown",
  SOLANA_ERROR__INSTRUCTION_ERROR__GENERIC_ERROR: "GenericError",
  SOLANA_ERROR__INSTRUCTION_ERROR__INVALID_ARGUMENT: "InvalidArgument",
  SOLANA_ERROR__INSTRUCTION_ERROR__INVALID_INSTRUCTION_DATA: "InvalidInstructionData",
  SOLANA_ERROR__INSTRUCTION_ERROR__INVALID_ACCOUNT_DATA: "InvalidAccountData",
  SOLANA_ERROR__INSTRUCTION_ERROR__ACCOUNT_DATA_TOO_SMALL: "AccountDataTooSmall",
  SOLANA_ERROR__INSTRUCTION_ERROR__INSUFFICIENT_FUNDS: "InsufficientFunds",
  SOLANA_ERROR__INSTRUCTION_ERROR__INCORRECT_PROGRAM_ID: "IncorrectProgramId",
  SOLANA_ERROR__INSTRUCTION_ERROR__MISSING_REQUIRED_SIGNATURE: "MissingRequiredSignature",
  SOLANA_ERROR__INSTRUCTION_ERROR__ACCOUNT_ALREADY_INITIALIZED: "AccountAlreadyInitialized",
  SOLANA_ERROR__INSTRUCTION_ERROR__UNINITIALIZED_ACCOUNT: "UninitializedAccount",
  SOLANA_ERROR__INSTRUCTION_ERROR__UNBALANCED_INSTRUCTION: "UnbalancedInstruction",
  SOLANA_ERROR__INSTRUCTION_ERROR__MODIFIED_PROGRAM_ID: "ModifiedProgramId",
  SOLANA_ERROR__INSTRUCTION_ERROR__EXTERNAL_ACCOUNT_LAMPORT_SPEND: "ExternalAccountLamportSpend",
  SOLANA_ERROR__INSTRUCTION_ERROR__EXTERNAL_ACCOUNT_DATA_MODIFIED: "ExternalAccountDataModified",
  SOLANA_ERROR__INSTRUCTION_ERROR__READONLY_LAMPORT_CHANGE: "ReadonlyLamportChange",
  SOLANA_ERROR__INSTRUCTION_ERROR__READONLY_DATA_MODIFIED: "ReadonlyDataModified",
  SOLANA_ERROR__INSTRUCTION_ERROR__DUPLICATE_ACCOUNT_INDEX: "DuplicateAccountIndex",
  SOLANA_ERROR__INSTRUCTION_ERROR__EXECUTABLE_MODIFIED: "ExecutableModified",
  SOLANA_ERROR__INSTRUCTION_ERROR__RENT_EPOCH_MODIFIED: "RentEpochModified",
  SOLANA_ERROR__INSTRUCTION_ERROR__NOT_ENOUGH_ACCOUNT_KEYS: "NotEnoughAccountKeys",
  SOLANA_ERROR__INSTRUCTION_ERROR__ACCOUNT_DATA_SIZE_CHANGED: "AccountDataSizeChanged",
  SOLANA_ERROR__INSTRUCTION_ERROR__ACCOUNT_NOT_EXECUTABLE: "AccountNotExecutable",
  SOLANA_ERROR__INSTRUCTION_ERROR__ACCOUNT_BORROW_FAILED: "AccountBorrowFailed",
  SOLANA_ERROR__INSTRUCTION_ERROR__ACCOUNT_BORROW_OUTSTANDING: "AccountBorrowOutstanding",
  SOLANA_ERROR__INSTRUCTION_ERROR__DUPLICATE_ACCOUNT_OUT_OF_SYNC: "DuplicateAccountOutOfSync",
  SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM: "Custom",
  SOLANA_ERROR__INSTRUCTION_ERROR__INVALID_ERROR: "InvalidError",
  SOLANA_ERROR__INSTRUCTION_ERROR__EXECUTABLE_DATA_MODIFIED: "ExecutableDataModified",
  SOLANA_ERROR__INSTRUCTION_ERROR__EXECUTABLE_LAMPORT_CHANGE: "ExecutableLamportChange",
  SOLANA_ERROR__INSTRUCTION_ERROR__EXECUTABLE_ACCOUNT_NOT_RENT_EXEMPT:
    "ExecutableAccountNotRentExempt",
  SOLANA_ERROR__INSTRUCTION_ERROR__UNSUPPORTED_PROGRAM_ID: "UnsupportedProgramId",
  SOLANA_ERROR__INSTRUCTION_ERROR__CALL_DEPTH: "CallDepth",
  SOLANA_ERROR__INSTRUCTION_ERROR__MISSING_ACCOUNT: "MissingAccount",
  SOLANA_ERROR__INSTRUCTION_ERROR__REENTRANCY_NOT_ALLOWED: "ReentrancyNotAllowed",
  SOLANA_ERROR__INSTRUCTION_ERROR__MAX_SEED_LENGTH_EXCEEDED: "MaxSeedLengthExceeded",
  SOLANA_ERROR__INSTRUCTION_ERROR__INVALID_SEEDS: "InvalidSeeds",
  SOLANA_ERROR__INSTRUCTION_ERROR__INVALID_REALLOC: "InvalidRealloc",
  SOLANA_ERROR__INSTRUCTION_ERROR__COMPUTATIONAL_BUDGET_EXCEEDED: "ComputationalBudgetExceeded",
  SOLANA_ERROR__INSTRUCTION_ERROR__PRIVILEGE_ESCALATION: "PrivilegeEscalation",
  SOLANA_ERROR__INSTRUCTION_ERROR__PROGRAM_ENVIRONMENT_SETUP_FAILURE:
    "ProgramEnvironmentSetupFailure",
  SOLANA_ERROR__INSTRUCTION_ERROR__PROGRAM_FAILED_TO_COMPLETE: "ProgramFailedToComplete",
  SOLANA_ERROR__INSTRUCTION_ERROR__PROGRAM_FAILED_TO_COMPILE: "ProgramFailedToCompile",
  SOLANA_ERROR__INSTRUCTION_ERROR__IMMUTABLE: "Immutable",
  SOLANA_ERROR__INSTRUCTION_ERROR__INCORRECT_AUTHORITY: "IncorrectAuthority",
  SOLANA_ERROR__INSTRUCTION_ERROR__BORSH_IO_ERROR: "BorshIoError",
  SOLANA_ERROR__INSTRUCTION_ERROR__ACCOUNT_NOT_RENT_EXEMPT: "AccountNotRentExempt",
  SOLANA_ERROR__INSTRUCTION_ERROR__INVALID_ACCOUNT_OWNER: "InvalidAccountOwner",
  SOLANA_ERROR__INSTRUCTION_ERROR__ARITHMETIC_OVERFLOW: "ArithmeticOverflow",
  SOLANA_ERROR__INSTRUCTION_ERROR__UNSUPPORTED_SYSVAR: "UnsupportedSysvar",
  SOLANA_ERROR__INSTRUCTION_ERROR__ILLEGAL_OWNER: "IllegalOwner",
  SOLANA_ERROR__INSTRUCTION_ERROR__MAX_ACCOUNTS_DATA_ALLOCATIONS_EXCEEDED:
    "MaxAccountsDataAllocationsExceeded",
  SOLANA_ERROR__INSTRUCTION_ERROR__MAX_ACCOUNTS_EXCEEDED: "MaxAccountsExceeded",
  SOLANA_ERROR__INSTRUCTION_ERROR__MAX_INSTRUCTION_TRACE_LENGTH_EXCEEDED:
    "MaxInstructionTraceLengthExceeded",
  SOLANA_ERROR__INSTRUCTION_ERROR__BUILTIN_PROGRAMS_MUST_CONSUME_COMPUTE_UNITS:
    "BuiltinProgramsMustConsumeComputeUnits",
} as const satisfies Record<Constant<"INSTRUCTION">, string>;

/** The runtime's names of Kit's transaction errors. */
const TRANSACTION_ERRORS = {
  SOLANA_ERROR__TRANSACTION_ERROR__UNKNOWN: "Unknown",
  SOLANA_ERROR__TRANSACTION_ERROR__ACCOUNT_IN_USE: "AccountInUse",
  SOLANA_ERROR__TRANSACTION_ERROR__ACCOUNT_LOADED_TWICE: "AccountLoadedTwice",
  SOLANA_ERROR__TRANSACTION_ERROR__ACCOUNT_NOT_FOUND: "AccountNotFound",
  SOLANA_ERROR__TRANSACTION_ERROR__PROGRAM_ACCOUNT_NOT_FOUND: "ProgramAccountNotFound",
  SOLANA_ERROR__TRANSACTION_ERROR__INSUFFICIENT_FUNDS_FOR_FEE: "InsufficientFundsForFee",
  SOLANA_ERROR__TRANSACTION_ERROR__INVALID_ACCOUNT_FOR_FEE: "InvalidAccountForFee",
  SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED: "AlreadyProcessed",
  SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND: "BlockhashNotFound",
  SOLANA_ERROR__TRANSACTION_ERROR__CALL_CHAIN_TOO_DEEP: "CallChainTooDeep",
  SOLANA_ERROR__TRANSACTION_ERROR__MISSING_SIGNATURE_FOR_FEE: "MissingSignatureForFee",
  SOLANA_ERROR__TRANSACTION_ERROR__INVALID_ACCOUNT_INDEX: "InvalidAccountIndex",
  SOLANA_ERROR__TRANSACTION_ERROR__SIGNATURE_FAILURE: "SignatureFailure",
  SOLANA_ERROR__TRANSACTION_ERROR__INVALID_PROGRAM_FOR_EXECUTION: "InvalidProgramForExecution",
  SOLANA_ERROR__TRANSACTION_ERROR__SANITIZE_FAILURE: "SanitizeFailure",
  SOLANA_ERROR__TRANSACTION_ERROR__CLUSTER_MAINTENANCE: "ClusterMaintenance",
  SOLANA_ERROR__TRANSACTION_ERROR__ACCOUNT_BORROW_OUTSTANDING: "AccountBorrowOutstanding",
  SOLANA_ERROR__TRANSACTION_ERROR__WOULD_EXCEED_MAX_BLOCK_COST_LIMIT:
    "WouldExceedMaxBlockCostLimit",
  SOLANA_ERROR__TRANSACTION_ERROR__UNSUPPORTED_VERSION: "UnsupportedVersion",
  SOLANA_ERROR__TRANSACTION_ERROR__INVALID_WRITABLE_ACCOUNT: "InvalidWritableAccount",
  SOLANA_ERROR__TRANSACTION_ERROR__WOULD_EXCEED_MAX_ACCOUNT_COST_LIMIT:
    "WouldExceedMaxAccountCostLimit",
  SOLANA_ERROR__TRANSACTION_ERROR__WOULD_EXCEED_ACCOUNT_DATA_BLOCK_LIMIT:
    "WouldExceedAccountDataBlockLimit",
  SOLANA_ERROR__TRANSACTION_ERROR__TOO_MANY_ACCOUNT_LOCKS: "TooManyAccountLocks",
  SOLANA_ERROR__TRANSACTION_ERROR__ADDRESS_LOOKUP_TABLE_NOT_FOUND: "AddressLookupTableNotFound",
  SOLANA_ERROR__TRANSACTION_ERROR__INVALID_ADDRESS_LOOKUP_TABLE_OWNER:
    "InvalidAddressLookupTableOwner",
  SOLANA_ERROR__TRANSACTION_ERROR__INVALID_ADDRESS_LOOKUP_TABLE_DATA:
    "InvalidAddressLookupTableData",
  SOLANA_ERROR__TRANSACTION_ERROR__INVALID_ADDRESS_LOOKUP_TABLE_INDEX:
    "InvalidAddressLookupTableIndex",
  SOLANA_ERROR__TRANSACTION_ERROR__INVALID_RENT_PAYING_ACCOUNT: "InvalidRentPayingAccount",
  SOLANA_ERROR__TRANSACTION_ERROR__WOULD_EXCEED_MAX_VOTE_COST_LIMIT: "WouldExceedMaxVoteCostLimit",
  SOLANA_ERROR__TRANSACTION_ERROR__WOULD_EXCEED_ACCOUNT_DATA_TOTAL_LIMIT:
    "WouldExceedAccountDataTotalLimit",
  SOLANA_ERROR__TRANSACTION_ERROR__DUPLICATE_INSTRUCTION: "DuplicateInstruction",
  SOLANA_ERROR__TRANSACTION_ERROR__INSUFFICIENT_FUNDS_FOR_RENT: "InsufficientFundsForRent",
  SOLANA_ERROR__TRANSACTION_ERROR__MAX_LOADED_ACCOUNTS_DATA_SIZE_EXCEEDED:
    "MaxLoadedAccountsDataSizeExceeded",
  SOLANA_ERROR__TRANSACTION_ERROR__INVALID_LOADED_ACCOUNTS_DATA_SIZE_LIMIT:
    "InvalidLoadedAccountsDataSizeLimit",
  SOLANA_ERROR__TRANSACTION_ERROR__RESANITIZATION_NEEDED: "ResanitizationNeeded",
  SOLANA_ERROR__TRANSACTION_ERROR__PROGRAM_EXECUTION_TEMPORARILY_RESTRICTED:
    "ProgramExecutionTemporarilyRestricted",
  SOLANA_ERROR__TRANSACTION_ERROR__UNBALANCED_TRANSACTION: "UnbalancedTransaction",
} as const satisfies Record<Constant<"TRANSACTION">, string>;

/** Name of an instruction error in the runtime. */
export type InstructionErrorName = (typeof INSTRUCTION_ERRORS)[keyof typeof INSTRUCTION_ERRORS];

/** Name of a transaction error in the runtime; too large transactions are refused by the node before they reach it. */
export type TransactionErrorName =
  | (typeof TRANSACTION_ERRORS)[keyof typeof TRANSACTION_ERRORS]
  | "TransactionTooLarge";

const byCode = (table: Readonly<Record<string, string>>): ReadonlyMap<number, string> =>
  new Map(
    Object.entries(table).map(([constant, name]) => [
      kit[constant as keyof typeof kit] as unknown as number,
      name,
    ]),
  );

const instructionCodes = byCode(INSTRUCTION_ERRORS);
const transactionCodes = byCode(TRANSACTION_ERRORS);
const instructionNames: ReadonlySet<string> = new Set(instructionCodes.values());
const transactionNames: ReadonlySet<string> = new Set(transactionCodes.values());

/** Returns the runtime's name of a Kit error code, undefined when it is not an instruction error. */
export const instructionErrorOfCode = (code: number): InstructionErrorName | undefined =>
  instructionCodes.get(code) as InstructionErrorName | undefined;

/** Returns the runtime's name of a Kit error code, undefined when it is not a transaction error. */
export const transactionErrorOfCode = (code: number): TransactionErrorName | undefined =>
  transactionCodes.get(code) as TransactionErrorName | undefined;

/** Parses a node's name of an instruction error; an unknown name becomes `Unknown`. */
export const readInstructionError = (word: string): InstructionErrorName =>
  instructionNames.has(word) ? (word as InstructionErrorName) : "Unknown";

/** Parses a node's name of a transaction error; an unknown name becomes `Unknown`. */
export const readTransactionError = (word: string): TransactionErrorName =>
  transactionNames.has(word) ? (word as TransactionErrorName) : "Unknown";
