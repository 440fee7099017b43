import type { KeyState } from "../../domain/agent-health.ts";
import type { VenueCustody } from "../../venues/venue.ts";
import type { CustodyContext } from "./account/custody-context.ts";
import { isSetUpOpen } from "./account/is-set-up-open.ts";

/** Says whose key the venue lets trade for an agent now. */
export function keyStateOf(context: CustodyContext, custody: VenueCustody): KeyState {
  if (isSetUpOpen(context, custody)) return "pending";
  if (custody.delegate === null) return "none";
  return custody.delegate === context.account.delegate ? "ours" : "foreign";
}
