import type { TransactionError } from "./chain.ts";
import { SYSTEM_PROGRAM } from "./programs/system.ts";
import { TOKEN_PROGRAM } from "./programs/token.ts";
import { SQUADS_PROGRAM } from "./programs/squads.ts";
import type { Address } from "@solana/kit";

/** Why a transaction failed, in words. `retryable` means rebuilding it may help; nothing landed in either case. */
export interface FailureReason {
  readonly name: string;
  readonly words: string;
  readonly retryable: boolean;
  /** The program's own error code where no table explains it. */
  readonly unknownCode?: number;
}

/** Returns the reason recorded for a failed order: the words, or the catalogue reason for an unexplained error code. */
export const orderFailure = ({ words, unknownCode }: FailureReason): string =>
  unknownCode === undefined ? words : `program_refused ${unknownCode}`;

/** Errors common to all Anchor programs. */
const ANCHOR_ERRORS: ProgramErrors["errors"] = {
  101: ["InstructionFallbackNotFound", "The program does not know what was asked of it."],
  102: ["InstructionDidNotDeserialize", "The program does not understand what was asked of it."],
  2000: ["ConstraintMut", "An account this changes was not offered for changing."],
  2001: ["ConstraintHasOne", "This key may not do that with the account."],
  2002: ["ConstraintSigner", "A required signature is missing."],
  2003: ["ConstraintRaw", "This key may not act for the account."],
  2004: ["ConstraintOwner", "An account belongs to another program."],
  2006: ["ConstraintSeeds", "Something else changed the account first. Please try again."],
  2012: ["ConstraintAddress", "An account is not the expected one."],
  3001: ["AccountDiscriminatorNotFound", "An account this needs holds nothing."],
  3002: ["AccountDiscriminatorMismatch", "An account is of another kind than expected."],
  3003: ["AccountDidNotDeserialize", "An account could not be read by the program."],
  3005: ["AccountNotEnoughKeys", "An account this needs was not part of the request."],
  3006: ["AccountNotMutable", "An account this changes was not offered for changing."],
  3007: ["AccountOwnedByWrongProgram", "An account this needs no longer exists."],
  3008: ["InvalidProgramId", "A program is not the expected one."],
  3010: ["AccountNotSigner", "A required signature is missing."],
  3011: ["AccountNotSystemOwned", "An account belongs to another program."],
  3012: ["AccountNotInitialized", "An account this needs does not exist."],
};

const TOKEN_ERRORS: ProgramErrors = {
  programId: TOKEN_PROGRAM,
  errors: {
    1: ["InsufficientFunds", "There is not enough of the token for this."],
    3: ["MintMismatch", "The token account holds another token."],
    4: ["OwnerMismatch", "The token account belongs to someone else."],
    11: ["NonNativeHasBalance", "A token account must be empty before it can be closed."],
    17: ["AccountFrozen", "The token account is frozen."],
    18: ["MintDecimalsMismatch", "The token does not have the expected decimals."],
  },
};

const SYSTEM_ERRORS: ProgramErrors = {
  programId: SYSTEM_PROGRAM,
  errors: {
    0: ["AccountAlreadyInUse", "The account exists already."],
    1: ["ResultWithNegativeLamports", "There is not enough SOL for this."],
  },
};

const RUNTIME_WORDS: Readonly<Record<string, readonly [words: string, retryable: boolean]>> = {
  AccountNotFound: ["The paying wallet holds no SOL on this network.", false],
  AlreadyProcessed: ["The transaction has landed before.", false],
  BlockhashNotFound: ["The transaction expired before it was sent. Please try again.", true],
  ComputationalBudgetExceeded: ["The transaction ran out of its compute limit.", true],
  InsufficientFundsForFee: ["There is not enough SOL to pay the network fee.", false],
  InsufficientFundsForRent: ["An account would be left with too little SOL to exist.", false],
  ProgramFailedToComplete: ["A program stopped before it finished.", true],
};

const RETRYABLE_CODES = new Set([2006, 3012]);
const FAILED_LINE = /^Program (\S+) failed: custom program error: 0x([0-9a-f]+)$/;

function failingProgram(logs: readonly string[], code: number): string | undefined {
  for (const line of logs) {
    const match = FAILED_LINE.exec(line);
    if (match !== null && Number.parseInt(match[2] ?? "", 16) === code) return match[1];
  }
  return undefined;
}

/**
 * Returns in words why a transaction failed. The innermost program named in the logs decides which error table applies;
 * venues supply their own tables.
 */
export function explainFailure(
  failure: { readonly error: TransactionError; readonly logs: readonly string[] },
  venueErrors: readonly ProgramErrors[] = [],
): FailureReason {
  const { name, code } = failure.error;
  const runtime = RUNTIME_WORDS[name];
  if (code === undefined) {
    return runtime === undefined
      ? { name, words: `The chain refused the transaction (${name}).`, retryable: false }
      : { name, words: runtime[0], retryable: runtime[1] };
  }
  const program = failingProgram(failure.logs, code);
  const tables = [SQUADS_ERRORS, TOKEN_ERRORS, SYSTEM_ERRORS, ...venueErrors];
  const entry =
    tables.find(({ programId }) => programId === program)?.errors[code] ?? ANCHOR_ERRORS[code];
  const [title, words] = entry ?? [
    "Custom",
    `A program refused the transaction with code ${code}.`,
  ];
  return {
    name: title,
    words,
    retryable: RETRYABLE_CODES.has(code),
    ...(entry === undefined && { unknownCode: code }),
  };
}

/** Error codes of the vault program that our and the owner's transactions can cause. */
const SQUADS_ERRORS: ProgramErrors = {
  programId: SQUADS_PROGRAM,
  errors: {
    6000: ["DuplicateMember", "A member was named twice."],
    6001: ["EmptyMembers", "A multisig needs a member."],
    6002: ["TooManyMembers", "The multisig has too many members."],
    6003: ["InvalidThreshold", "The multisig's threshold does not fit its members."],
    6004: ["Unauthorized", "This wallet may not do that with the vault."],
    6005: ["NotAMember", "This wallet is not a member of the vault's multisig."],
    6006: ["InvalidTransactionMessage", "The vault program cannot read the vault transaction."],
    6007: [
      "StaleProposal",
      "The vault's settings changed after this was prepared. Please try again.",
    ],
    6008: ["InvalidProposalStatus", "The vault transaction is not in a state that allows this."],
    6009: [
      "InvalidTransactionIndex",
      "Something else changed the account first. Please try again.",
    ],
    6010: ["AlreadyApproved", "The vault transaction was approved before."],
    6011: ["AlreadyRejected", "The vault transaction was rejected before."],
    6012: ["AlreadyCancelled", "The vault transaction was canceled before."],
    6013: ["InvalidNumberOfAccounts", "The vault transaction names too few or too many accounts."],
    6014: ["InvalidAccount", "An account given to the vault program is not the expected one."],
    6015: ["RemoveLastMember", "The multisig's last member cannot go."],
    6016: ["NoVoters", "The multisig needs a member who may approve."],
    6017: ["NoProposers", "The multisig needs a member who may propose."],
    6018: ["NoExecutors", "The multisig needs a member who may execute."],
    6019: ["InvalidStaleTransactionIndex", "The multisig's counters do not add up."],
    6020: ["NotSupportedForControlled", "A controlled multisig does not take config transactions."],
    6021: ["TimeLockNotReleased", "The vault's waiting time is not over yet."],
    6023: ["MissingAccount", "An account this needs was not part of the request."],
    6024: ["InvalidMint", "The spending limit is for another token."],
    6025: ["InvalidDestination", "The spending limit does not allow this destination."],
    6026: ["SpendingLimitExceeded", "The spending limit of this period is used up."],
    6027: ["DecimalsMismatch", "The token does not have the expected decimals."],
    6028: ["UnknownPermission", "A member was given a permission the vault program does not know."],
    6029: ["ProtectedAccount", "The vault transaction would change the multisig itself."],
    6030: [
      "TimeLockExceedsMaxAllowed",
      "The vault's waiting time is longer than the program allows.",
    ],
    6031: ["IllegalAccountOwner", "An account belongs to another program."],
    6032: [
      "RentReclamationDisabled",
      "The multisig has no rent collector, so nothing can be closed.",
    ],
    6033: ["InvalidRentCollector", "The rent must go to the multisig's own collector."],
    6034: ["ProposalForAnotherMultisig", "The proposal belongs to another multisig."],
    6035: ["TransactionForAnotherMultisig", "The vault transaction belongs to another multisig."],
    6036: ["TransactionNotMatchingProposal", "The vault transaction is not the one proposed."],
    6039: ["SpendingLimitInvalidAmount", "A spending limit must allow something."],
    6040: ["InvalidInstructionArgs", "The vault program does not understand what was asked of it."],
    6044: ["MultisigCreateDeprecated", "The vault program no longer makes multisigs this way."],
  },
};

/** A program's own errors: code to name and to a text for the user. */
export interface ProgramErrors {
  readonly programId: Address;
  readonly errors: Readonly<Record<number, readonly [name: string, words: string]>>;
}
