import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { AgentId } from "../../../domain/ids.ts";
import type { Network } from "../../../domain/network.ts";
import { downloadFile } from "../../lib/download.ts";
import { useTimes } from "../../lib/time-zone.ts";
import { toastDone, toastError } from "../../lib/toast.ts";
import { fetchExport, type WantedExport } from "../../queries/exports.ts";
import { rangeOfDays } from "./export-range.ts";
import type { SignedInWallet } from "../../lib/session.ts";

export interface ExportScope {
  readonly address: SignedInWallet;
  readonly network: Network;
  /** Current agent; null without one. */
  readonly agent: { readonly id: AgentId; readonly name: string } | null;
}

/** Holds the choices of an export and downloads it. */
export function useExport({ address, network, agent }: ExportScope) {
  const [what, setWhat] = useState<WantedExport["what"]>("trades");
  const [format, setFormat] = useState<WantedExport["format"]>("csv");
  const [scope, setScope] = useState(agent === null ? "wallet" : "agent");
  const [days, setDays] = useState({ from: "", to: "" });
  const times = useTimes();
  const range = rangeOfDays(days);
  const problem = "problem" in range ? range.problem : null;
  const file = useMutation({
    mutationFn: fetchExport,
    onError: toastError,
    onSuccess: ({ content, name, completeUntilMs }) => {
      downloadFile(content, name);
      const until = `${times.date(completeUntilMs)} ${times.time(completeUntilMs)} (${times.zone})`;
      toastDone({ title: "Export ready", message: `The file is complete until ${until}.` });
    },
  });
  return {
    what,
    format,
    scope,
    days,
    chooseWhat(next: WantedExport["what"]): void {
      setWhat(next);
      // Koinly's format is for the ledger
      if (format === "koinly" && next !== "ledger") setFormat("csv");
    },
    setFormat,
    setScope,
    setDays,
    /** Error text for the days; null when they are valid. */
    problem,
    isReady: problem === null && address !== "",
    isLoading: file.isPending,
    download(): void {
      if ("problem" in range) return;
      const of =
        scope === "agent" && agent !== null ? { agentId: agent.id } : { owner: address, network };
      file.mutate({ what, format, of, ...range });
    },
  };
}
