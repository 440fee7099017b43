import { AppError } from "../../contract/errors.ts";
import type { Clock } from "../../domain/clock.ts";
import type { OwnerAddress } from "../../domain/ids.ts";
import { writeExport } from "../ledger/export/write-export.ts";
import { listAgentsOf } from "../store/agents/agents.ts";
import type { Db } from "../store/postgres/db.ts";
import type { LedgerOwner } from "../store/ledger/ledger.ts";
import { readCompleteUntil } from "../store/ledger/ledger-marks.ts";
import { listDeletedAgents } from "../store/ledger/portfolio.ts";
import { rangeOf } from "./book-range.ts";
import type { FileReply, Handlers } from "../http/handler.ts";

interface ExportQuery {
  readonly what: "trades" | "ledger" | "equity";
  readonly format: "csv" | "json" | "koinly";
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Answers the export calls: trades, ledger entries and equity points of one agent or of a wallet on one network. */
export function exportHandlers({ db, clock }: { readonly db: Db; readonly clock: Clock }) {
  const fileOf = async (
    wallet: OwnerAddress,
    owner: LedgerOwner,
    asked: ExportQuery,
  ): Promise<FileReply> => {
    const { what, format } = asked;
    if (format === "koinly" && what !== "ledger") {
      const fields = { format: "Koinly's columns are for the ledger only." };
      throw new AppError("validation_failed", { fields });
    }
    const range = rangeOf(asked);
    const deleted = "network" in owner ? await listDeletedAgents(db, wallet, owner.network) : [];
    const known = [...deleted, ...(await listAgentsOf(db, wallet))];
    const names = new Map(known.map(({ id, name }) => [id, name]));
    const kind = format === "koinly" ? "koinly" : what;
    // Read before the rows: what is booked meanwhile is more than was promised
    const booked = await readCompleteUntil(db, owner);
    const completeUntil = new Date(
      Math.min(booked?.getTime() ?? clock.now(), clock.now(), range.toMs),
    ).toISOString();
    const until = completeUntil.slice(0, 19).replaceAll(":", "");
    return {
      replyFile: {
        name: `wheelhouse-${kind}-complete-until-${until}Z.${format === "json" ? "json" : "csv"}`,
        completeUntil,
        type: format === "json" ? "application/json" : "text/csv",
        parts: writeExport(db, { what, format, owner, range, names }),
      },
    };
  };
  return {
    exportAgent: ({ query, session }) => fileOf(session.wallet, { agentId: query.agentId }, query),
    exportWallet: ({ query, session }) =>
      fileOf(session.wallet, { owner: query.owner, network: query.network }, query),
  } satisfies Partial<Handlers>;
}
