import type { Instruction } from "@solana/kit";
import { instruction, readonly, signer, writable } from "../../src/solana/encoding/instruction.ts";
import { driftArguments } from "../../src/venues/drift/instruction-arguments.ts";
import type { UserAccounts } from "../../src/venues/drift/instructions.ts";
import { deriveState, deriveUser, deriveUserStats } from "../../src/venues/drift/pdas.ts";
import { DRIFT_V2_INSTANCE as IDS } from "../../src/venues/drift/instance.ts";
import { user, withSol } from "../drift-cases/case.ts";
import { stranger } from "../squads-bench.ts";

/** A keeper's fill of the owner's order, or another's, the newest where none is named; the stranger is paid for it. */
export function keeperFill(orderId: number | null, of: UserAccounts = user): Instruction {
  const { oracles, spotMarkets, perpMarkets } = withSol;
  return instruction(
    IDS.programId,
    [
      readonly(deriveState(IDS)),
      signer(stranger.address),
      writable(deriveUser(IDS, stranger.address, 0)),
      writable(deriveUserStats(IDS, stranger.address)),
      writable(deriveUser(IDS, of.authority, of.subAccountId)),
      writable(deriveUserStats(IDS, of.authority)),
      ...oracles.map(readonly),
      ...spotMarkets.map(writable),
      ...perpMarkets.map(writable),
    ],
    driftArguments.fillPerpOrder.encode({ orderId, makerOrderId: null }),
  );
}

/** A keeper's trigger of the owner's order, or another's; the stranger is paid for it. */
export function keeperTrigger(orderId: number, of: UserAccounts = user): Instruction {
  const { oracles, spotMarkets, perpMarkets } = withSol;
  return instruction(
    IDS.programId,
    [
      readonly(deriveState(IDS)),
      signer(stranger.address),
      writable(deriveUser(IDS, stranger.address, 0)),
      writable(deriveUser(IDS, of.authority, of.subAccountId)),
      ...oracles.map(readonly),
      ...spotMarkets.map(writable),
      ...perpMarkets.map(writable),
    ],
    driftArguments.triggerOrder.encode({ orderId }),
  );
}
