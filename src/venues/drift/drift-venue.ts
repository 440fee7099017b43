import { accessExchange } from "./exchange-access.ts";
import { readingPart } from "./drift-reading.ts";
import { tradingPart } from "./drift-trading.ts";
import { entryPlans } from "./drift-entry-plans.ts";
import { exitPlans } from "./drift-exit-plans.ts";
import type { Clock } from "../../domain/clock.ts";
import type { Chain } from "../../solana/chain.ts";
import type { Venue } from "../ports.ts";
import { bookAddresses, bookTransaction, referrerRewards } from "./book-transaction.ts";
import { classifyExternalFrom } from "./classify-external.ts";
import { ownerActivityOf } from "./owner-activity.ts";
import type { DriftInstance } from "./instance.ts";
import { readDriftLedger } from "./read-ledger.ts";
import { driftErrors } from "./program-errors.ts";

/**
 * Creates the venue of a Drift deployment on a chain. The clock decides when orders expire and when accounts are old
 * enough for deletion.
 */
export function createDriftVenue(options: {
  readonly chain: Chain;
  readonly instance: DriftInstance;
  readonly clock: Clock;
}): Venue {
  const { instance } = options;
  const access = accessExchange(options);
  return {
    id: "drift",
    instance,
    programErrors: driftErrors(instance),
    ...readingPart(access),
    ...tradingPart(access),
    ...entryPlans(access),
    ...exitPlans(access),
    classifyExternal: (account, outcome) =>
      classifyExternalFrom(instance, access.userAddress(account), outcome),
    ownerActivity: (account, outcome) =>
      ownerActivityOf(instance, access.userAddress(account), outcome),
    bookAddresses: (account) => bookAddresses(instance, account),
    bookTransaction: (account, outcome) => bookTransaction(instance, account, outcome),
    possibleCredits: (account, outcome) => referrerRewards(instance, account, outcome),
    readLedger: (account) => readDriftLedger(options, account),
  };
}
