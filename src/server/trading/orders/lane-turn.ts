import type { RiskLedger } from "../../../domain/risk-ledger.ts";
import type { ExitRecord } from "../../store/orders/exits.ts";
import type { HeldLane } from "../../store/orders/held-lane.ts";

/**
 * Context of an order in its agent's lane: the lane's holder, the state left by earlier orders, and the exit it is an
 * attempt of.
 */
export interface LaneTurn {
  readonly lane: HeldLane;
  readonly ledger: RiskLedger;
  readonly exit: ExitRecord | null;
}
