import { type QueryClient, queryOptions } from "@tanstack/react-query";
import type { TriedVariant } from "../../assistant/simulate-agent.ts";
import { countTriedVariants } from "../../contract/tried-variants.ts";
import type { Market } from "../../domain/market.ts";
import type { Network } from "../../domain/network.ts";
import type { Tries } from "../../strategy/measures.ts";
import { call } from "../lib/api.ts";
import type { SignedInWallet } from "../lib/session.ts";

const MINUTE_MS = 60_000;

/** The variants a wallet tried on one market. */
export interface TriedOn {
  readonly owner: SignedInWallet;
  readonly network: Network;
  readonly market: Pick<Market, "venue" | "marketId">;
}

async function count({ network, market }: TriedOn, variants: readonly TriedVariant[]) {
  const { venue, marketId } = market;
  const kept = variants.map(({ variant, tStatistic, isKeptOutSeen }) => ({
    variant,
    tStatistic,
    isKeptOutSeen,
  }));
  return call(countTriedVariants, { body: { network, venue, marketId, variants: kept } });
}

/** All variants the wallet ever tried on the market, in any browser. */
export const triedQuery = (on: TriedOn) =>
  queryOptions({
    queryKey: [on.owner, countTriedVariants.path, on.network, on.market.venue, on.market.marketId],
    queryFn: (): Promise<Tries> => count(on, []),
    enabled: on.owner !== "",
    staleTime: MINUTE_MS,
  });

/** Has the server count variants and returns all tried on the market; known ones are not counted again. */
export async function countTried(
  client: QueryClient,
  on: TriedOn,
  variants: readonly TriedVariant[],
): Promise<Tries> {
  const answer = await count(on, variants);
  // Answers of parallel calls may arrive in another order
  const known = client.getQueryData(triedQuery(on).queryKey);
  const newest = known !== undefined && known.tries > answer.tries ? known : answer;
  client.setQueryData(triedQuery(on).queryKey, newest);
  return newest;
}
