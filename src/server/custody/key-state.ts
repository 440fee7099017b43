import type { KeyState } from "../../domain/agent-health.ts";
import type { VenueCustody } from "../../venues/ports.ts";
import type { CustodyContext } from "./account/custody-context.ts";

/** Returns which key the venue currently authorises to trade for an agent. */
export function keyStateOf(context: CustodyContext, custody: VenueCustody): KeyState {
  if (isSetUpOpen(context, custody)) return "pending";
  if (custody.tradingKey === null) return "none";
  return custody.tradingKey === context.account.tradingKey ? "ours" : "foreign";
}

/** Returns whether the multisig exists but the venue's part of the set-up was never signed. */
export function isSetUpOpen({ agent, record }: CustodyContext, custody: VenueCustody): boolean {
  return custody.account === null && !record.hasTradingKey && agent.subAccountId === null;
}
