import type { Address } from "@solana/kit";
import { SYSTEM_PROGRAM } from "../../../solana/programs/system.ts";
import {
  TOKEN_ACCOUNT_SIZE,
  TOKEN_PROGRAM,
  tokenAccountCodec,
} from "../../../solana/programs/token.ts";
import { InstructionFailure } from "../../runtime/instruction-failure.ts";
import { DRIFT_V2_INSTANCE } from "../../../venues/drift/instance.ts";
import { deriveSpotMarketVault } from "../../../venues/drift/pdas.ts";
import type { InstructionContext } from "../../runtime/program.ts";
import { accountAt, constraintFailure, requireSeeds } from "../anchor.ts";

/** Reads the token account at an index of an instruction's list. */
export function tokenAccountAt(context: InstructionContext, index: number, name: string) {
  const { address } = accountAt(context, index, name);
  const { owner, lamports, data } = context.read(address);
  if (owner === SYSTEM_PROGRAM && lamports === 0n) {
    throw constraintFailure(context, "AccountNotInitialized", name);
  }
  if (owner !== TOKEN_PROGRAM) throw constraintFailure(context, "AccountOwnedByWrongProgram", name);
  if (data.length !== TOKEN_ACCOUNT_SIZE) throw new InstructionFailure("InvalidAccountData");
  return { address, ...tokenAccountCodec.decode(data) };
}

/** Fails with `ConstraintSeeds` unless the account is the spot market's token vault. */
export function requireVault(
  context: InstructionContext,
  address: Address,
  marketIndex: number,
): void {
  const derived = deriveSpotMarketVault(DRIFT_V2_INSTANCE, marketIndex);
  requireSeeds(context, address, derived, "spot_market_vault");
}
