import { type JupiterOptions, type JupiterVenue, unixSeconds } from "./jupiter-options.ts";
import { limitPlans } from "./limit-plans.ts";
import { moneyPlans } from "./money-plans.ts";
import { readingPart } from "./vault-reading.ts";
import { bookAddresses, bookTransaction } from "./book-transaction.ts";
import { buildOrderFrom } from "./build-order.ts";
import { classifyExternalOf, ownerActivityOf } from "./owner-activity.ts";
import { reportOrderOf } from "./order-report.ts";
import { readJupiterLedger } from "./read-ledger.ts";
import { jupiterErrors } from "./program-errors.ts";
import { readVault } from "./vault-reader.ts";

/** Creates the swap venue of a chain. The clock decides only whether a spending limit has been restored. */
export function createJupiterVenue(options: JupiterOptions): JupiterVenue {
  const { chain, instance } = options;
  return {
    id: "jupiter",
    instance,
    keepsNoCost: true,
    programErrors: jupiterErrors,
    ...readingPart(options),
    ...limitPlans(options),
    ...moneyPlans(options),
    async buildOrder(account, order) {
      const reading = await readVault(chain, instance, account);
      return buildOrderFrom(options, account, order, reading, unixSeconds(options));
    },
    buildSettle: async () => [],
    reportOrder: (account, outcome) => reportOrderOf(instance, account, outcome),
    ownerActivity: (account, outcome) => ownerActivityOf(instance, account, outcome),
    classifyExternal: (account, outcome) => classifyExternalOf(instance, account, outcome),
    bookAddresses: (account) => bookAddresses(instance, account),
    bookTransaction: (account, outcome) => bookTransaction(instance, account, outcome),
    readLedger: (account) => readJupiterLedger(options, account),
  };
}
