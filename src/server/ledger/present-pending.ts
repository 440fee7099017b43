import type { AgentId } from "../../domain/ids.ts";
import type { ResponseOf } from "../../contract/route.ts";
import type { ROUTES } from "../../contract/routes.ts";
import { formatDecimal } from "../../domain/amount.ts";
import type { LedgerKind } from "../../domain/ledger/entry.ts";
import type { LedgerMark } from "../store/ledger/ledger-marks.ts";

type Pending = ResponseOf<typeof ROUTES.listAgentLedger>["pending"];

/** Returns transactions of an agent's account that are on chain but not booked yet, oldest first. */
export function presentPending({
  agentId,
  pending,
}: Pick<LedgerMark, "pending"> & { readonly agentId: AgentId }): Pending {
  return pending.map(({ signature, kind, market, asset, decimals, amount, base, atMs }) => ({
    agentId,
    signature,
    kind: kind as LedgerKind,
    ...(market === "" ? {} : { market }),
    asset,
    amount: formatDecimal(BigInt(amount), decimals),
    ...(base === undefined || base.marketId === asset
      ? {}
      : {
          base: {
            asset: base.marketId,
            amount: formatDecimal(BigInt(base.amount), base.decimals),
          },
        }),
    at: new Date(atMs).toISOString(),
  }));
}
