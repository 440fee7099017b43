import type { KeyState } from "../../domain/agent-health.ts";
import type { VenueCustody } from "../../venues/ports.ts";
import type { CustodyContext } from "./account/custody-context.ts";
import { isSetUpOpen } from "./account/is-set-up-open.ts";

/** Returns which key the venue currently authorises to trade for an agent. */
export function keyStateOf(context: CustodyContext, custody: VenueCustody): KeyState {
  if (isSetUpOpen(context, custody)) return "pending";
  if (custody.tradingKey === null) return "none";
  return custody.tradingKey === context.account.tradingKey ? "ours" : "foreign";
}
