import { TableHead } from "../../../ui/table-head.tsx";
import { useState } from "react";
import type { SimulatedAgent } from "../../../../strategy/simulation.ts";
import { deviceZone } from "../../../lib/time-zone.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Field } from "../../../ui/field.tsx";
import { Select } from "../../../ui/select.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import { readFile } from "../../../workers/run-simulation.ts";
import { guessAlert, type ImportedFile } from "../../../workers/tradingview-file.ts";
import type { EventMapping } from "./firing-records.ts";

/** File with its event mapping. */
export interface MappedFile {
  readonly name: string;
  readonly file: ImportedFile;
  readonly mapping: EventMapping;
}

interface ImportDialogProps {
  readonly agent: SimulatedAgent;
  readonly onDone: (mapped: MappedFile) => void;
  readonly onClose: () => void;
}

const IGNORED = "ignored";
const zones = () =>
  [
    ...new Set([
      "UTC",
      deviceZone(),
      "America/New_York",
      "America/Chicago",
      "Europe/London",
      "Europe/Berlin",
      "Asia/Kolkata",
      "Asia/Singapore",
      "Asia/Tokyo",
      "Australia/Sydney",
    ]),
  ].map((zone) => ({ value: zone, label: zone }));

/** Dialog that reads a TradingView file and asks for the event mapping. */
export function ImportDialog({ agent, onDone, onClose }: ImportDialogProps) {
  const [zone, setZone] = useState("UTC");
  const [chosen, setChosen] = useState<File | null>(null);
  const [read, setRead] = useState<ImportedFile | null>(null);
  const [mapping, setMapping] = useState<EventMapping>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const [isReading, setReading] = useState(false);
  const open = async (file: File, inZone: string) => {
    setChosen(file);
    setProblem(null);
    setReading(true);
    try {
      const next = await readFile(file, inZone);
      setRead(next);
      setMapping(next.labels.map(({ text }) => guessAlert(text, agent.alerts, agent.rules)));
    } catch (error) {
      setRead(null);
      setProblem(error instanceof Error ? error.message : "The file could not be read.");
    } finally {
      setReading(false);
    }
  };
  const mapped = read?.events.filter(({ label }) => mapping[label] != null).length ?? 0;
  return (
    <Dialog
      onClose={onClose}
      title="Import from TradingView"
      description="The alert log or the strategy tester's list of trades, exported as CSV. It is read in this browser and not sent anywhere."
      size="large"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            tone="primary"
            disabled={read === null || mapped === 0}
            onClick={() => read && onDone({ name: chosen?.name ?? "file", file: read, mapping })}
          >
            Simulate {mapped === 1 ? "1 event" : `${mapped.toLocaleString("en-US")} events`}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <div className="grid gap-3 sm:grid-cols-2">
          <Field label="CSV file">
            <FileInput onFile={(file) => void open(file, zone)} />
          </Field>
          <Field
            label="Time zone of its times"
            hint="The one the chart showed; times that name their own keep it"
          >
            <Select
              value={zone}
              options={zones()}
              onValueChange={(next) => {
                setZone(next);
                if (chosen !== null) void open(chosen, next);
              }}
            />
          </Field>
        </div>
        {isReading && <Spinner label="Reading the file..." />}
        {problem !== null && (
          <p role="alert" className="text-sm text-down">
            {problem}
          </p>
        )}
        {read !== null && !isReading && (
          <>
            <MappingTable agent={agent} file={read} mapping={mapping} onMapping={setMapping} />
            <FileReport file={read} />
          </>
        )}
      </div>
    </Dialog>
  );
}

function FileInput({ onFile }: { readonly onFile: (file: File) => void }) {
  return (
    <input
      type="file"
      accept=".csv,text/csv"
      aria-label="CSV file"
      data-first-field
      className="w-full text-xs text-muted file:mr-3 file:h-8 file:rounded-md file:border file:border-line file:bg-raised file:px-3 file:text-sm file:text-ink"
      onChange={({ target }) => {
        const [file] = target.files ?? [];
        if (file !== undefined) onFile(file);
      }}
    />
  );
}

function MappingTable(props: {
  readonly agent: SimulatedAgent;
  readonly file: ImportedFile;
  readonly mapping: EventMapping;
  readonly onMapping: (mapping: EventMapping) => void;
}) {
  const { agent, file, mapping, onMapping } = props;
  const options = [
    { value: IGNORED, label: "Leave out" },
    ...agent.alerts.map(({ alertKey, name }) => ({ value: alertKey, label: name })),
  ];
  return (
    <table className="w-full text-sm">
      <TableHead
        className="text-xs"
        cell="py-1 pr-4 last:w-52 last:pr-0"
        columns={["In the file", { right: "Times" }, "Fires the alert"]}
      />
      <tbody>
        {file.labels.map(({ text, count }, at) => (
          <tr key={text} className="border-t border-line">
            <td className="py-1 pr-2 wrap-anywhere">{text}</td>
            <td className="py-1 pr-4 text-right tabular-nums">{count.toLocaleString("en-US")}</td>
            <td className="py-1">
              <Select
                aria-label={`Alert for ${text}`}
                value={mapping[at] ?? IGNORED}
                options={options}
                onValueChange={(key) =>
                  onMapping(
                    file.labels.map((_, index) =>
                      index === at ? (key === IGNORED ? null : key) : (mapping[index] ?? null),
                    ),
                  )
                }
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** List of a file's unreadable rows. */
export function FileReport({ file }: { readonly file: ImportedFile }) {
  const { kind, rows, events, problems, problemCount } = file;
  return (
    <div className="text-xs text-muted">
      <p>
        {kind === "alert log" ? "An alert log" : "A list of trades"}:{" "}
        {events.length.toLocaleString("en-US")} of {rows.toLocaleString("en-US")} rows understood.
      </p>
      {problemCount > 0 && (
        <details className="mt-1">
          <summary className="cursor-default text-warn">
            {problemCount} {problemCount === 1 ? "row was" : "rows were"} left out
          </summary>
          <ul className="mt-1 list-disc pl-5 marker:text-faint">
            {problems.map(({ line, text }) => (
              <li key={line} className="wrap-anywhere">
                Line {line}: {text}
              </li>
            ))}
            {problemCount > problems.length && <li>and {problemCount - problems.length} more</li>}
          </ul>
        </details>
      )}
    </div>
  );
}
