import { COMPLETE_UNTIL, exportAgent, exportWallet } from "../../contract/exports.ts";
import type { CallOf } from "../../contract/route.ts";
import { fetchFile } from "../lib/api.ts";

/** An export of one agent, or of a wallet's agents on one network. */
export type WantedExport =
  | CallOf<typeof exportAgent>["query"]
  | CallOf<typeof exportWallet>["query"];

/** An export with its file name. */
export interface ExportedFile {
  readonly content: Blob;
  readonly name: string;
  /** Unix milliseconds up to which nothing is missing. */
  readonly completeUntilMs: number;
}

/** Fetches an export file of the ledger. Throws ApiError or TypeError. */
export async function fetchExport(wanted: WantedExport): Promise<ExportedFile> {
  const response =
    "agentId" in wanted
      ? await fetchFile(exportAgent, { query: wanted })
      : await fetchFile(exportWallet, { query: wanted });
  const { headers } = response;
  const name = /filename="([^"]+)"/.exec(headers.get("content-disposition") ?? "")?.[1];
  return {
    content: await response.blob(),
    name: name ?? `wheelhouse-${wanted.what}`,
    completeUntilMs: Date.parse(headers.get(COMPLETE_UNTIL) ?? ""),
  };
}
