import { formatDecimal } from "../../domain/amount.ts";
import type { SpendingLimit } from "../../solana/programs/squads-accounts.ts";
import type { VenueAccount } from "../venue.ts";
import { type JupiterInstance, quoteToken, type SpotToken } from "./instance.ts";
import { isOurLimit, MAX_DAILY_LIMIT } from "./spending-limits.ts";
import type { VaultReading } from "./vault-reader.ts";

interface NamedLimit {
  readonly name: string;
  readonly token: SpotToken;
  readonly limit: SpendingLimit | null;
  /** Whether the agent's present settings need a limit for this token. */
  readonly isWanted: boolean;
}

/**
 * Returns one sentence for each spending limit that differs from the agent's set-up: left from an earlier asset, for
 * another key or destination than its trading key's own, or implausibly large.
 */
export function excessLimits(
  instance: JupiterInstance,
  account: VenueAccount,
  reading: VaultReading,
): readonly string[] {
  const limits: readonly NamedLimit[] = [
    {
      name: instance.quote.symbol,
      token: quoteToken(instance),
      limit: reading.quote.limit,
      isWanted: true,
    },
    ...reading.assets.map(({ asset, limit }) => ({
      name: asset.marketId,
      token: asset,
      limit,
      isWanted: asset.marketId === account.marketId,
    })),
  ];
  return limits.flatMap((each) => {
    const fault = each.limit === null ? null : faultOf(instance, account, each, each.limit);
    if (each.limit === null || fault === null) return [];
    const amount = `${formatDecimal(each.limit.amount, each.token.decimals)} ${each.name}`;
    return [`The spending limit of ${amount} ${fault}. Update the spending limits to replace it.`];
  });
}

function faultOf(
  instance: JupiterInstance,
  account: VenueAccount,
  { token, isWanted }: NamedLimit,
  limit: SpendingLimit,
): string | null {
  if (!isWanted) return "is left from an asset this agent no longer trades";
  if (limit.destinations.length === 0) return "may be drawn to any place";
  if (!isOurLimit(limit, account, token.mint)) {
    return "is for another key, place or period than this agent's";
  }
  const isQuote = token.mint === instance.quote.mint;
  return isQuote && limit.amount > MAX_DAILY_LIMIT ? "is larger than any agent's may be" : null;
}
