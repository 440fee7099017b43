import { Download } from "lucide-react";
import { closeDialog } from "../../lib/dialogs.ts";
import type { WantedExport } from "../../queries/exports.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { Select } from "../../ui/select.tsx";
import { type ExportScope, useExport } from "./use-export.ts";

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
export default function ExportDialog({ address, network, agent }: ExportScope) {
  const wanted = useExport({ address, network, agent });
  const { what, format, scope, days, setDays, problem } = wanted;
  const formats = FORMATS.filter(({ value }) => value !== "koinly" || what === "ledger");

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && closeDialog()}
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
            groups={[{ options: WHAT.map(({ value, label }) => ({ value, label })) }]}
          />
        </Field>
        <Field
          label="Format"
          hint={what === "ledger" ? undefined : "Koinly's format is for the ledger."}
        >
          <Select
            value={format}
            onValueChange={(next) => wanted.setFormat(next as Format)}
            groups={[{ options: formats }]}
          />
        </Field>
        <Field label="Of" className="sm:col-span-2">
          <Select
            value={scope}
            onValueChange={wanted.setScope}
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
