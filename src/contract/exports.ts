import * as z from "zod/mini";
import { network, serverId, walletAddress } from "./fields.ts";
import { bookRange } from "./ledger.ts";
import { defineRoute } from "./route.ts";

/** What can be taken out, and how it is written. */
export const EXPORTS = ["trades", "ledger", "equity"] as const;
export const EXPORT_FORMATS = ["csv", "json", "koinly"] as const;

const what = {
  what: z.enum(EXPORTS),
  /** `koinly`: the columns of Koinly's universal template; of the ledger only. */
  format: z.enum(EXPORT_FORMATS),
  ...bookRange,
};

/** A file, written while it is sent: oldest first, amounts exact. */
export const exportAgent = defineRoute({
  method: "GET",
  path: "/api/export/agent",
  access: { kind: "owner", of: "agent", id: "query.agentId" },
  readToken: true,
  query: z.strictObject({ agentId: serverId, ...what }),
  status: 200,
});

/** Every agent of the wallet on one network, deleted ones included. */
export const exportWallet = defineRoute({
  method: "GET",
  path: "/api/export/wallet",
  access: { kind: "owner", of: "wallet", id: "query.pubkey" },
  readToken: true,
  query: z.strictObject({ pubkey: walletAddress, network, ...what }),
  status: 200,
});
