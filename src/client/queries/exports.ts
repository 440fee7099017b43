import { COMPLETE_UNTIL, exportAgent, exportWallet } from "../../contract/exports.ts";
import type { AgentId } from "../../domain/ids.ts";
import { authorizedFetch } from "../lib/api.ts";
import { readApiError } from "../lib/problem.ts";
import type { EXPORT_FORMATS, EXPORTS } from "../../contract/exports.ts";
import type { SignedInWallet } from "../lib/session.ts";

export interface WantedExport {
  readonly what: (typeof EXPORTS)[number];
  readonly format: (typeof EXPORT_FORMATS)[number];
  readonly of:
    | { readonly agentId: AgentId }
    | { readonly owner: SignedInWallet; readonly network: string };
  /** Start as ISO 8601; absent means unbounded, as for `to`. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** An export with its file name. */
export interface ExportedFile {
  readonly content: Blob;
  readonly name: string;
  /** Unix milliseconds up to which nothing is missing. */
  readonly completeUntilMs: number;
}

/** Fetches an export file of the ledger. Throws ApiError or TypeError. */
export async function fetchExport(wanted: WantedExport): Promise<ExportedFile> {
  const { what, format, of, from, to } = wanted;
  const isAgent = "agentId" in of;
  const { path } = isAgent ? exportAgent : exportWallet;
  const query = new URLSearchParams({
    ...(isAgent ? of : { pubkey: of.owner, network: of.network }),
    what,
    format,
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  });
  const response = await authorizedFetch(`${path}?${query.toString()}`);
  if (!response.ok) throw await readApiError(response);
  const { headers } = response;
  const name = /filename="([^"]+)"/.exec(headers.get("content-disposition") ?? "")?.[1];
  return {
    content: await response.blob(),
    name: name ?? `wheelhouse-${what}`,
    completeUntilMs: Date.parse(headers.get(COMPLETE_UNTIL) ?? ""),
  };
}
