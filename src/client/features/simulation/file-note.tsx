import { useMemo } from "react";
import { barsOf } from "../../../strategy/bar-columns.ts";
import type { AgentReport } from "../../workers/simulate-agent.ts";
import { priceAgreement } from "./firing-records.ts";
import { FileReport, type MappedFile } from "./import-dialog.tsx";
import { shareText } from "./share-text.ts";

/** Minimum share of agreeing prices; below it, market or time zone differ from the file's. */
const ENOUGH_AGREEMENT = 0.8;

/** Note on a file's events and on whether its prices match this market. */
export function FileNote(props: { readonly mapped: MappedFile; readonly done: AgentReport }) {
  const { mapped, done } = props;
  const agreement = useMemo(() => {
    const { columns, agent } = done.request;
    return priceAgreement(mapped.file.events, barsOf(columns), agent.intervalMinutes);
  }, [mapped, done]);
  return (
    <div className="mb-4 flex flex-col gap-1 text-xs">
      <p className="font-medium wrap-anywhere">{mapped.name}</p>
      <FileReport file={mapped.file} />
      {agreement !== null && agreement < ENOUGH_AGREEMENT && (
        <p className="text-warn">
          Only {shareText(agreement)} of the file&apos;s prices lie within the bars of their time
          here: it is of another market, or of another time zone.
        </p>
      )}
    </div>
  );
}
