import { SPENDING_PERIOD } from "../../solana/programs/squads-accounts.ts";
import type { VenueAccount } from "../venue.ts";
import type { VenueLimit } from "../ports.ts";
import { type JupiterInstance, quoteToken } from "./instance.ts";
import { limitAddress, remainingOf } from "./spending-limits.ts";
import type { VaultReading } from "./vault-reader.ts";

const PERIODS: Readonly<Record<number, VenueLimit["period"]>> = {
  [SPENDING_PERIOD.oneTime]: "once",
  [SPENDING_PERIOD.day]: "day",
  [SPENDING_PERIOD.week]: "week",
  [SPENDING_PERIOD.month]: "month",
};

/** Returns all spending limits of a vault on chain, ours or not. `nowSeconds` is Unix time. */
export function listLimits(
  instance: JupiterInstance,
  account: VenueAccount,
  reading: VaultReading,
  nowSeconds: bigint,
): readonly VenueLimit[] {
  const tokens = [
    { ...reading.quote, ...quoteToken(instance), symbol: instance.quote.symbol },
    ...reading.assets.map(({ asset, ...rest }) => ({
      ...rest,
      ...asset,
      symbol: asset.marketId,
    })),
  ];
  return tokens.flatMap(({ limit, mint, decimals, symbol }) => {
    if (limit === null) return [];
    const period = PERIODS[limit.period];
    if (period === undefined) throw new Error(`Unknown period ${limit.period}`);
    return [
      {
        symbol,
        decimals,
        amount: limit.amount,
        remaining: remainingOf(limit, nowSeconds),
        period,
        destinations: limit.destinations,
        account: limitAddress(account, mint),
      },
    ];
  });
}
