import type { JupiterOptions } from "./jupiter-options.ts";
import type { JupiterVenue } from "./jupiter-options.ts";
import type { PlanStep } from "../plan-step.ts";
import type { VenueAccount } from "../venue.ts";
import { assetLimitFor, planLimitsFrom, readSetUpRents } from "./plan-set-up.ts";
import { planRevokeFrom } from "./plan-transfer.ts";
import { assetOf } from "./instance.ts";
import { isOurLimit, limitAddress } from "./spending-limits.ts";
import { readVault } from "./vault-reader.ts";

/** Plans of the owner's transactions that set up, replace or revoke the spending limits. */
export function limitPlans(
  options: JupiterOptions,
): Pick<JupiterVenue, "planSetUp" | "planLimits" | "limitAccounts" | "planRevoke"> {
  const { chain, prices, instance } = options;
  return {
    async planSetUp(account: VenueAccount): Promise<readonly PlanStep[]> {
      const asset = assetOf(instance, account.marketId);
      const reading = await readVault(chain, instance, account);
      const traded = reading.assets.find((known) => known.asset === asset);
      const { limit } = reading.quote;
      const quote = isOurLimit(limit, account, instance.quote.mint)
        ? limit.amount
        : instance.dailyLimit;
      const present = traded?.limit ?? null;
      const assetLimit = isOurLimit(present, account, asset.mint)
        ? present.amount
        : assetLimitFor(asset, quote, (await prices.price(asset.marketId)).price);
      const wanted = { quote, asset: assetLimit };
      return planLimitsFrom(instance, account, asset, reading, wanted, await readSetUpRents(chain));
    },
    async planLimits(account, quoteLimit) {
      const asset = assetOf(instance, account.marketId);
      const reading = await readVault(chain, instance, account);
      const { price } = await prices.price(asset.marketId);
      const wanted = { quote: quoteLimit, asset: assetLimitFor(asset, quoteLimit, price) };
      return planLimitsFrom(instance, account, asset, reading, wanted, await readSetUpRents(chain));
    },
    limitAccounts: (account) => ({
      quote: limitAddress(account, instance.quote.mint),
      asset: limitAddress(account, assetOf(instance, account.marketId).mint),
    }),
    async planRevoke(account) {
      return planRevokeFrom(instance, account, await readVault(chain, instance, account));
    },
  };
}
