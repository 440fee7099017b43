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
