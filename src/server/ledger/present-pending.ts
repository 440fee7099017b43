import type { ResponseOf } from "../../contract/route.ts";
import type { ROUTES } from "../../contract/routes.ts";
import { formatDecimal } from "../../domain/amount.ts";
import type { StoredEntry } from "../store/ledger/ledger.ts";

type Moved = ResponseOf<typeof ROUTES.listAgentLedger>["pending"][number];

/** Returns what an entry moved, as it is shown before its transaction is booked. */
export const presentPending = (entry: StoredEntry): Moved => {
  const { agentId, signature, kind, market, asset, decimals, base } = entry;
  return {
    agentId,
    signature,
    kind,
    ...(market === "" ? {} : { market }),
    asset,
    amount: formatDecimal(entry.amount, decimals),
    ...(base === undefined || base.marketId === asset
      ? {}
      : { base: { asset: base.marketId, amount: formatDecimal(base.amount, base.decimals) } }),
    at: new Date(entry.atMs).toISOString(),
  };
};
