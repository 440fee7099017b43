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
  readonly isKeptOutSeen: boolean;
}

/**
 * Adds the variants that are not known yet, as long as the wallet has fewer than `most` of all markets, and marks those
 * whose kept-out part was seen. The caller has locked the wallet.
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
  const seen = variants.flatMap(({ variant, isKeptOutSeen }) => (isKeptOutSeen ? [variant] : []));
  if (seen.length === 0) return;
  await on(tx).change`
    update tried_variants set is_kept_out_seen = true
    where wallet = ${wallet} and network = ${network} and venue = ${venue} and market_id = ${marketId}
      and variant = any(${seen}) and not is_kept_out_seen`;
}

/** What a wallet tried on a market. */
interface TriedSum {
  readonly tries: number;
  /** Sample variance of the t statistics. */
  readonly variance: number;
  /** Variants whose kept-out part was seen. */
  readonly looks: number;
  readonly ofAllMarkets: number;
}

/** Returns how many variants a wallet tried on a market, and in all. */
export async function sumTriedVariants(
  db: Db,
  { wallet, network, venue, marketId }: TriedOn,
): Promise<TriedSum> {
  const here = sql`network = ${network} and venue = ${venue} and market_id = ${marketId}`;
  const { tries, variance, looks, all } = await on(db).only<{
    tries: string;
    variance: number | null;
    looks: string;
    all: string;
  }>`
    select count(*) filter (where ${here}) as tries,
      var_samp(t_statistic) filter (where ${here}) as variance,
      count(*) filter (where ${here} and is_kept_out_seen) as looks, count(*) as all
    from tried_variants where wallet = ${wallet}`;
  return {
    tries: Number(tries),
    variance: variance ?? 0,
    looks: Number(looks),
    ofAllMarkets: Number(all),
  };
}
