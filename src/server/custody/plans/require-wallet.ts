import { AppError } from "../../../contract/errors.ts";
import { formatSol } from "../account/custody-limits.ts";
import type { CustodyState } from "../account/read-custody.ts";

/** Throws when the owner's wallet holds less than a step needs. */
export function requireWallet(state: CustodyState, lamports: bigint): void {
  if (state.ownerLamports >= lamports) return;
  throw new AppError("wallet_balance_too_low", {
    message: `Please add at least ${formatSol(lamports)} to pay for transaction fees. Your wallet holds ${formatSol(state.ownerLamports)}.`,
  });
}
