import * as z from "zod/mini";
import { network, ownAgentQuery, ownWalletQuery } from "./fields.ts";
import { ledgerRange } from "./ledger.ts";
import { READS, route } from "./route.ts";

/** Exportable data and file formats. */
export const EXPORTS = ["trades", "ledger", "equity"] as const;
export const EXPORT_FORMATS = ["csv", "json", "koinly"] as const;

/**
 * Header of an export: the time up to which every transaction is in it, ISO 8601. It also stands in the file's name.
 * Later ones may be missing, since only finalized transactions are booked.
 */
export const COMPLETE_UNTIL = "complete-until";

const what = {
  what: z.enum(EXPORTS),
  /** `koinly`: the columns of Koinly's universal template; for the ledger only. */
  format: z.enum(EXPORT_FORMATS),
  ...ledgerRange,
};

/** Export of one agent as a streamed file: oldest first, exact amounts. */
export const exportAgent = route("GET", "/api/export/agent", {
  ...READS,
  isBig: true,
  ...ownAgentQuery(what),
  readToken: true,
  status: 200,
});

/** Export of every agent of the wallet on one network, including deleted ones. */
export const exportWallet = route("GET", "/api/export/wallet", {
  ...READS,
  isBig: true,
  ...ownWalletQuery({ network, ...what }),
  readToken: true,
  status: 200,
});
