import type { RiskLedger } from "../../../domain/risk-ledger.ts";
import type { ExitRecord } from "../../store/orders/exits.ts";
import type { HeldLane } from "../../store/orders/held-lane.ts";

/** An order's turn in its agent's lane: who holds it, what earlier orders mean for it, and the exit it is a try of. */
export interface LaneTurn {
  readonly lane: HeldLane;
  readonly ledger: RiskLedger;
  readonly exit: ExitRecord | null;
}
