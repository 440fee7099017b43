import type { InstructionErrorName } from "../../solana/transaction-errors.ts";

/** Why an instruction failed, by the runtime's name; `code` accompanies the name `Custom`. */
export class InstructionFailure extends Error {
  override readonly name = "InstructionFailure";
  readonly failure: InstructionErrorName;
  readonly code: number | undefined;
  constructor(failure: InstructionErrorName, code?: number) {
    super(code === undefined ? failure : `${failure} ${code}`);
    this.failure = failure;
    this.code = code;
  }
}

/** Returns the failure of a program's own error code. */
export function customFailure(code: number): InstructionFailure {
  return new InstructionFailure("Custom", code);
}

/** The runtime's texts of the failures that occur here, as they appear after `failed:` in logs. */
const SENTENCES: Readonly<Record<string, string>> = {
  AccountAlreadyInitialized: "instruction requires an uninitialized account",
  AccountNotExecutable: "instruction expected an executable account",
  CallDepth: "Cross-program invocation call depth too deep",
  ComputationalBudgetExceeded: "Computational budget exceeded",
  ExternalAccountDataModified: "instruction modified data of an account it does not own",
  ExternalAccountLamportSpend: "instruction spent from the balance of an account it does not own",
  IllegalOwner: "Provided owner is not allowed",
  IncorrectProgramId: "incorrect program id for instruction",
  InsufficientFunds: "insufficient funds for instruction",
  InvalidAccountData: "invalid account data for instruction",
  InvalidArgument: "invalid program argument",
  InvalidInstructionData: "invalid instruction data",
  InvalidSeeds: "Provided seeds do not result in a valid address",
  MissingAccount: "An account required by the instruction is missing",
  MissingRequiredSignature: "missing required signature for instruction",
  ModifiedProgramId: "instruction illegally modified the program id of an account",
  NotEnoughAccountKeys: "insufficient account keys for instruction",
  PrivilegeEscalation: "Cross-program invocation with unauthorized signer or writable account",
  ReadonlyDataModified: "instruction modified data of a read-only account",
  ReadonlyLamportChange: "instruction changed the balance of a read-only account",
  ReentrancyNotAllowed: "Cross-program invocation reentrancy not allowed for this instruction",
  UnbalancedInstruction: "sum of account balances before and after instruction do not match",
  UninitializedAccount: "instruction requires an initialized account",
  UnsupportedProgramId: "Unsupported program id",
};

/** Returns the text a real node logs for the failure. */
export function describeFailure(failure: InstructionFailure): string {
  if (failure.code !== undefined) return `custom program error: 0x${failure.code.toString(16)}`;
  return SENTENCES[failure.failure] ?? failure.failure;
}
