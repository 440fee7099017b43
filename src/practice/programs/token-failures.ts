/** The token program's own error numbers. */
export const TOKEN_ERROR = {
  notRentExempt: 0,
  insufficientFunds: 1,
  invalidMint: 2,
  mintMismatch: 3,
  ownerMismatch: 4,
  fixedSupply: 5,
  alreadyInUse: 6,
  uninitializedState: 9,
  nativeNotSupported: 10,
  nonNativeHasBalance: 11,
  invalidInstruction: 12,
  authorityTypeNotSupported: 15,
  accountFrozen: 17,
  mintDecimalsMismatch: 18,
  nonNativeNotSupported: 19,
} as const;

/** Log texts of the token program's own errors. */
export const TOKEN_ERROR_TEXTS: Readonly<Record<number, string>> = {
  [TOKEN_ERROR.notRentExempt]: "Lamport balance below rent-exempt threshold",
  [TOKEN_ERROR.insufficientFunds]: "insufficient funds",
  [TOKEN_ERROR.invalidMint]: "Invalid Mint",
  [TOKEN_ERROR.mintMismatch]: "Account not associated with this Mint",
  [TOKEN_ERROR.ownerMismatch]: "owner does not match",
  [TOKEN_ERROR.fixedSupply]: "the total supply of this token is fixed",
  [TOKEN_ERROR.alreadyInUse]: "account or token already in use",
  [TOKEN_ERROR.uninitializedState]: "State is uninitialized",
  [TOKEN_ERROR.nativeNotSupported]: "Instruction does not support native tokens",
  [TOKEN_ERROR.nonNativeHasBalance]: "Non-native account can only be closed if its balance is zero",
  [TOKEN_ERROR.invalidInstruction]: "Invalid instruction",
  [TOKEN_ERROR.authorityTypeNotSupported]: "Account does not support specified authority type",
  [TOKEN_ERROR.accountFrozen]: "Account is frozen; all account operations will fail",
  [TOKEN_ERROR.mintDecimalsMismatch]: "decimals different from the Mint decimals",
  [TOKEN_ERROR.nonNativeNotSupported]: "Instruction does not support non-native tokens",
};
