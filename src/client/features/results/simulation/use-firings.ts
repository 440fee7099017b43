import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { AgentId } from "../../../../domain/ids.ts";
import type { SimulatedAgent } from "../../../../strategy/simulation.ts";
import { newId } from "../../../lib/new-id.ts";
import { pastAlertsQuery } from "../../../queries/past-alerts.ts";
import { receivedFirings } from "../../../workers/received-firings.ts";
import { importedFirings } from "./firing-records.ts";
import type { MappedFile } from "./import-dialog.tsx";
import type { FiringsFrom } from "./simulation-header.tsx";
import type { SignedInWallet } from "../../../lib/session.ts";

interface FiringsOf {
  readonly address: SignedInWallet;
  readonly agentId: AgentId | "";
  readonly simulated: SimulatedAgent | null;
}

/** Returns what fires the simulated agent's alerts: its conditions, alerts it received or a file. */
export function useFirings({ address, agentId, simulated }: FiringsOf) {
  const [source, setSource] = useState<FiringsFrom>("conditions");
  const [file, setFile] = useState<(MappedFile & { readonly id: string }) | null>(null);
  const past = useQuery({
    ...pastAlertsQuery(address, agentId),
    enabled: source === "received" && agentId !== "",
  });
  const record = useMemo(() => {
    if (source === "received" && past.data !== undefined) {
      return { id: `received ${past.data.length}`, firings: receivedFirings(past.data) };
    }
    if (source !== "file" || file === null) return null;
    return { id: file.id, firings: importedFirings(file.file, file.mapping) };
  }, [source, past.data, file]);
  const hasConditions = simulated?.alerts.some(({ condition }) => condition !== undefined) === true;
  return {
    source,
    setSource,
    /** Imported file; null unless it is what fires. */
    file: source === "file" ? file : null,
    setFile: (mapped: MappedFile) => setFile({ ...mapped, id: newId() }),
    /** Recorded firings; null when conditions fire. */
    record,
    hasAny: source === "conditions" ? hasConditions : (record?.firings.length ?? 0) > 0,
    isReading: source === "received" && past.data === undefined,
    /** Reads the source needs. */
    reads: source === "received" ? [past] : [],
  };
}

export type Firings = ReturnType<typeof useFirings>;
