import type { VenueCustody } from "../../../venues/venue.ts";
import type { CustodyContext } from "./custody-context.ts";

/** Says whether the venue's part of an agent's set-up was never signed; its multisig stands. */
export function isSetUpOpen({ agent, record }: CustodyContext, custody: VenueCustody): boolean {
  return custody.account === null && !record.delegated && agent.subAccountId === null;
}
