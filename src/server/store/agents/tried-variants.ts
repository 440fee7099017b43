import { sql } from "kysely";
import type { OwnerAddress } from "../../../domain/ids.ts";
import type { Network } from "../../../domain/network.ts";
import type { VenueId } from "../../../domain/venue-id.ts";
import type { Db } from "../postgres/db.ts";
import { on } from "../postgres/on.ts";

/** A wallet's variants on one market. */
export interface TriedOn {
  readonly wallet: OwnerAddress;
  readonly network: Network;
  readonly venue: VenueId;
  readonly marketId: string;
}

export interface TriedVariant {
  readonly variant: string;
  /** Null where it is undefined. */
  readonly tStatistic: number | null;
}

/**
 * Adds the variants that are not known yet, as long as the wallet has fewer than `most` of all markets. The caller has
 * locked the wallet.
 */
export async function addTriedVariants(
  tx: Db,
  { wallet, network, venue, marketId }: TriedOn,
  variants: readonly TriedVariant[],
  most: number,
  now: number,
): Promise<void> {
  await on(tx).change`
    insert into tried_variants (wallet, network, venue, market_id, variant, t_statistic, tried_at)
    select distinct on (tried.variant)
      ${wallet}, ${network}, ${venue}, ${marketId}, tried.variant, tried.statistic, ${new Date(now)}::timestamptz
    from unnest(
      ${variants.map(({ variant }) => variant)}::text[],
      ${variants.map(({ tStatistic }) => tStatistic)}::float8[]
    ) as tried (variant, statistic)
    where not exists (
      select from tried_variants known
      where known.wallet = ${wallet} and known.network = ${network} and known.venue = ${venue}
        and known.market_id = ${marketId} and known.variant = tried.variant)
    limit greatest(0, ${most} - (select count(*) from tried_variants where wallet = ${wallet}))`;
}

/** Returns how many variants a wallet tried on a market, the variance of their t statistics, and its count of all markets. */
export async function sumTriedVariants(
  db: Db,
  { wallet, network, venue, marketId }: TriedOn,
): Promise<{ readonly tries: number; readonly variance: number; readonly ofAllMarkets: number }> {
  const here = sql`network = ${network} and venue = ${venue} and market_id = ${marketId}`;
  const { tries, variance, all } = await on(db).only<{
    tries: string;
    variance: number | null;
    all: string;
  }>`
    select count(*) filter (where ${here}) as tries,
      var_samp(t_statistic) filter (where ${here}) as variance, count(*) as all
    from tried_variants where wallet = ${wallet}`;
  return { tries: Number(tries), variance: variance ?? 0, ofAllMarkets: Number(all) };
}
