import type { InstructionFailure } from "../../runtime/instruction-failure.ts";
import type { InstructionContext } from "../../runtime/program.ts";
import { anchorError } from "../anchor.ts";

/** Errors of Squads that can occur in the supported subset: code and text. */
const SQUADS_ERRORS = {
  DuplicateMember: [6000, "Found multiple members with the same pubkey"],
  EmptyMembers: [6001, "Members array is empty"],
  InvalidThreshold: [
    6003,
    "Invalid threshold, must be between 1 and number of members with Vote permission",
  ],
  Unauthorized: [6004, "Attempted to perform an unauthorized action"],
  NotAMember: [6005, "Provided pubkey is not a member of multisig"],
  InvalidTransactionMessage: [6006, "TransactionMessage is malformed."],
  StaleProposal: [6007, "Proposal is stale"],
  InvalidProposalStatus: [6008, "Invalid proposal status"],
  InvalidTransactionIndex: [6009, "Invalid transaction index"],
  AlreadyApproved: [6010, "Member already approved the transaction"],
  InvalidNumberOfAccounts: [6013, "Wrong number of accounts provided"],
  InvalidAccount: [6014, "Invalid account provided"],
  NoVoters: [6016, "Members don't include any voters"],
  NoProposers: [6017, "Members don't include any proposers"],
  NoExecutors: [6018, "Members don't include any executors"],
  NotSupportedForControlled: [6020, "Instruction not supported for controlled multisig"],
  TimeLockNotReleased: [6021, "Proposal time lock has not been released"],
  MissingAccount: [6023, "Missing account"],
  InvalidMint: [6024, "Invalid mint"],
  InvalidDestination: [6025, "Invalid destination"],
  SpendingLimitExceeded: [6026, "Spending limit exceeded"],
  DecimalsMismatch: [6027, "Decimals don't match the mint"],
  UnknownPermission: [6028, "Member has unknown permission"],
  ProtectedAccount: [6029, "Account is protected, it cannot be passed into a CPI as writable"],
  TimeLockExceedsMaxAllowed: [6030, "Time lock exceeds the maximum allowed (90 days)"],
  RentReclamationDisabled: [6032, "Rent reclamation is disabled for this multisig"],
  InvalidRentCollector: [6033, "Invalid rent collector address"],
  TransactionForAnotherMultisig: [6035, "Transaction is for another multisig"],
  SpendingLimitInvalidAmount: [6039, "Invalid SpendingLimit amount"],
} as const;

export type SquadsError = keyof typeof SQUADS_ERRORS;

/** Logs the error and returns the failure to throw. */
export function squadsFailure(
  context: InstructionContext,
  name: SquadsError,
  account?: string,
): InstructionFailure {
  const [code, message] = SQUADS_ERRORS[name];
  return anchorError(context, { name, code, message }, account);
}

/** Fails with the error unless the condition holds. */
export function ensure(
  context: InstructionContext,
  condition: boolean,
  name: SquadsError,
  account?: string,
): asserts condition {
  if (!condition) throw squadsFailure(context, name, account);
}
