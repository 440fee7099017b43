import { Download } from "lucide-react";
import { closeDialog } from "../../lib/dialogs.ts";
import { COMPLETE_UNTIL, exportAgent, exportWallet } from "../../../contract/exports.ts";
import type { CallOf } from "../../../contract/route.ts";
import { fetchFile } from "../../lib/api.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { Select } from "../../ui/select.tsx";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { AgentId } from "../../../domain/ids.ts";
import type { Network } from "../../../domain/network.ts";
import { downloadFile } from "../../lib/download.ts";
import { useTimes } from "../../lib/time-zone.ts";
import { toastDone, toastError } from "../../lib/toast.ts";
import { useOwner } from "../../lib/session.ts";

type What = WantedExport["what"];
type Format = WantedExport["format"];

const WHAT: readonly { readonly value: What; readonly label: string; readonly hint: string }[] = [
  { value: "trades", label: "Trades", hint: "One line for each fill: size, price, fee and P&L." },
  {
    value: "ledger",
    label: "Ledger",
    hint: "Every amount that moved: deposits, trades, fees, funding, rent.",
  },
  { value: "equity", label: "Account value", hint: "What the account was worth, with its price." },
];

const FORMATS: readonly { readonly value: Format; readonly label: string }[] = [
  { value: "csv", label: "CSV for a spreadsheet" },
  { value: "json", label: "JSON" },
  { value: "koinly", label: "Koinly CSV for taxes" },
];

/** Dialog that exports trades, ledger or account value of one or all agents. */
export default function ExportDialog({ network, agent }: ExportScope) {
  const wanted = useExport({ network, agent });
  const { what, format, scope, days, setDays, problem } = wanted;
  const formats = FORMATS.filter(({ value }) => value !== "koinly" || what === "ledger");

  return (
    <Dialog
      onClose={closeDialog}
      title="Export"
      description="Read from finalized transactions, exact to the last unit. Times are in UTC."
      footer={
        <>
          <Button onClick={closeDialog}>Close</Button>
          <Button
            tone="primary"
            busy={wanted.isLoading}
            disabled={!wanted.isReady}
            onClick={wanted.download}
          >
            <Download aria-hidden />
            Download
          </Button>
        </>
      }
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="What" hint={WHAT.find(({ value }) => value === what)?.hint}>
          <Select
            value={what}
            onValueChange={(next) => wanted.chooseWhat(next as What)}
            options={WHAT.map(({ value, label }) => ({ value, label }))}
          />
        </Field>
        <Field
          label="Format"
          hint={what === "ledger" ? undefined : "Koinly's format is for the ledger."}
        >
          <Select
            value={format}
            onValueChange={(next) => wanted.setFormat(next as Format)}
            options={formats}
          />
        </Field>
        <Field label="Of" className="sm:col-span-2">
          <Select
            value={scope}
            onValueChange={wanted.setScope}
            options={[
              ...(agent === null ? [] : [{ value: "agent", label: agent.name }]),
              { value: "wallet", label: `All agents on ${network}, deleted ones too` },
            ]}
          />
        </Field>
        <Field label="From" error={problem?.field === "from" && problem.text}>
          <Input
            type="date"
            value={days.from}
            onChange={(event) => setDays({ ...days, from: event.target.value })}
          />
        </Field>
        <Field
          label="To, this day included"
          hint="Left empty: everything."
          error={problem?.field === "to" && problem.text}
        >
          <Input
            type="date"
            value={days.to}
            onChange={(event) => setDays({ ...days, to: event.target.value })}
          />
        </Field>
      </div>
    </Dialog>
  );
}

/** An of one agent, or of a wallet's agents on one network. */
type WantedExport = CallOf<typeof exportAgent>["query"] | CallOf<typeof exportWallet>["query"];

/** An with its file name. */
interface ExportedFile {
  readonly content: Blob;
  readonly name: string;
  /** Unix milliseconds up to which nothing is missing. */
  readonly completeUntilMs: number;
}

/** Fetches an file of the ledger. Throws ApiError or TypeError. */
async function fetchExport(wanted: WantedExport): Promise<ExportedFile> {
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

interface ExportScope {
  readonly network: Network;
  /** Current agent; null without one. */
  readonly agent: { readonly id: AgentId; readonly name: string } | null;
}

/** Holds the choices of an export and downloads it. */
function useExport({ network, agent }: ExportScope) {
  const address = useOwner();
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
      const asked = { what, format, ...range };
      if (scope === "agent" && agent !== null) file.mutate({ ...asked, agentId: agent.id });
      else if (address !== "") file.mutate({ ...asked, owner: address, network });
    },
  };
}

const DAY_MS = 86_400_000;

/** Values of two date fields; an empty one means unbounded. */
interface Days {
  readonly from: string;
  readonly to: string;
}

type RangeOfDays =
  | { readonly from?: string | undefined; readonly to?: string | undefined }
  | { readonly problem: { readonly field: keyof Days; readonly text: string } };

/** Accepted range of years. */
const YEARS = { first: 2020, last: 2099 };

/** Returns the UTC times of whole days, the last day included, or their fault. */
export function rangeOfDays({ from, to }: Days): RangeOfDays {
  for (const [field, day] of [["from", from] as const, ["to", to] as const]) {
    const year = Number.parseInt(day, 10);
    if (day === "" || (year >= YEARS.first && year <= YEARS.last)) continue;
    return { problem: { field, text: `Choose a day between ${YEARS.first} and ${YEARS.last}.` } };
  }
  if (from !== "" && to !== "" && from > to) {
    return { problem: { field: "to", text: "The last day is before the first." } };
  }
  const startOf = (day: string, later = 0) => new Date(Date.parse(day) + later).toISOString();
  return {
    from: from === "" ? undefined : startOf(from),
    to: to === "" ? undefined : startOf(to, DAY_MS),
  };
}
