import { useMutation } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import type { Network } from "../../../domain/network.ts";
import { downloadFile } from "../../lib/download.ts";
import { toastDone, toastError } from "../../lib/toast.ts";
import { fetchExport, type WantedExport } from "../../queries/exports.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { Select } from "../../ui/select.tsx";
import { rangeOfDays } from "./export-range.ts";

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

interface ExportDialogProps {
  readonly address: string;
  readonly network: Network;
  /** Current agent; null without one. */
  readonly agent: { readonly id: string; readonly name: string } | null;
  readonly onClose: () => void;
}

/** Dialog that exports trades, ledger or account value of one or all agents. */
export default function ExportDialog({ address, network, agent, onClose }: ExportDialogProps) {
  const [what, setWhat] = useState<What>("trades");
  const [format, setFormat] = useState<Format>("csv");
  const [scope, setScope] = useState(agent === null ? "wallet" : "agent");
  const [days, setDays] = useState({ from: "", to: "" });
  const range = rangeOfDays(days);
  const problem = "problem" in range ? range.problem : null;
  const file = useMutation({
    mutationFn: fetchExport,
    onError: toastError,
    onSuccess: (content, wanted) => {
      const kind = wanted.format === "koinly" ? "koinly" : wanted.what;
      downloadFile(content, `wheelhouse-${kind}.${wanted.format === "json" ? "json" : "csv"}`);
      toastDone({ title: "Export ready", message: "The file is in your downloads." });
    },
  });
  const formats = FORMATS.filter(({ value }) => value !== "koinly" || what === "ledger");
  const save = () => {
    if ("problem" in range) return;
    const of =
      scope === "agent" && agent !== null ? { agentId: agent.id } : { owner: address, network };
    file.mutate({ what, format, of, ...range });
  };

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Export"
      description="Read from finalized transactions, exact to the last unit. Times are in UTC."
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button
            tone="primary"
            busy={file.isPending}
            disabled={problem !== null || address === ""}
            onClick={save}
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
            onValueChange={(next) => {
              setWhat(next as What);
              if (format === "koinly" && next !== "ledger") setFormat("csv");
            }}
            groups={[{ options: WHAT.map(({ value, label }) => ({ value, label })) }]}
          />
        </Field>
        <Field
          label="Format"
          hint={what === "ledger" ? undefined : "Koinly's format is for the ledger."}
        >
          <Select
            value={format}
            onValueChange={(next) => setFormat(next as Format)}
            groups={[{ options: formats }]}
          />
        </Field>
        <Field label="Of" className="sm:col-span-2">
          <Select
            value={scope}
            onValueChange={setScope}
            groups={[
              {
                options: [
                  ...(agent === null ? [] : [{ value: "agent", label: agent.name }]),
                  { value: "wallet", label: `All agents on ${network}, deleted ones too` },
                ],
              },
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
