import { DRIFT_V2_INSTANCE } from "../../../venues/drift/instance.ts";
import type { Program } from "../../runtime/program.ts";
import { anchorProgram } from "../anchor.ts";
import { refusing } from "./exchange-failures.ts";
import { settlePnl } from "./settle.ts";
import {
  cancelOrders,
  cancelOrdersByIds,
  fillPerpOrder,
  placeAndTakePerpOrder,
  placePerpOrder,
} from "./trading.ts";
import { deposit, withdraw } from "./transfers.ts";
import {
  deleteUser,
  initializeUser,
  initializeUserStats,
  updateUserCustomMarginRatio,
  updateUserDelegate,
  updateUserName,
} from "./users.ts";

/**
 * A perpetuals exchange that reproduces Drift v2's build 2.84 byte for byte; compute units as measured on it.
 *
 * Users trade against its curve; it matches no orders between users and has no liquidations.
 */
export const driftProgram: Program = anchorProgram(DRIFT_V2_INSTANCE.programId, [
  { name: "initialize_user_stats", units: 28_000n, run: initializeUserStats },
  { name: "initialize_user", units: 36_000n, run: initializeUser },
  { name: "update_user_delegate", units: 10_000n, run: updateUserDelegate },
  { name: "update_user_custom_margin_ratio", units: 10_000n, run: updateUserCustomMarginRatio },
  { name: "update_user_name", units: 10_000n, run: updateUserName },
  { name: "deposit", units: 38_000n, run: refusing(deposit) },
  { name: "withdraw", units: 52_000n, run: refusing(withdraw) },
  { name: "place_perp_order", units: 36_000n, run: refusing(placePerpOrder) },
  { name: "place_and_take_perp_order", units: 120_000n, run: refusing(placeAndTakePerpOrder) },
  { name: "fill_perp_order", units: 130_000n, run: refusing(fillPerpOrder) },
  { name: "cancel_orders", units: 130_000n, run: refusing(cancelOrders) },
  { name: "cancel_orders_by_ids", units: 130_000n, run: refusing(cancelOrdersByIds) },
  { name: "settle_pnl", units: 90_000n, run: refusing(settlePnl) },
  { name: "delete_user", units: 22_000n, run: deleteUser },
]);
