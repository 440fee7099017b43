import type { VenueCustody } from "../../../venues/ports.ts";
import type { CustodyContext } from "./custody-context.ts";

/** Returns whether the multisig exists but the venue's part of the set-up was never signed. */
export function isSetUpOpen({ agent, record }: CustodyContext, custody: VenueCustody): boolean {
  return custody.account === null && !record.hasTradingKey && agent.subAccountId === null;
}
