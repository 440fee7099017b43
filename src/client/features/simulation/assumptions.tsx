import { useState } from "react";
import { formatDecimal } from "../../../domain/amount.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import type { AgentReport } from "../../workers/simulate-agent.ts";
import { assumptionLines } from "./assumption-lines.ts";
import {
  type AssumptionForm,
  type Assumptions,
  type CostField,
  filledForm,
  readForm,
} from "./assumption-form.ts";

const COST_NAMES: readonly (readonly [
  CostField,
  string,
  "fee" | "spread" | "impact" | "funding",
])[] = [
  ["feePpm", "Fee, %", "fee"],
  ["halfSpreadPpm", "Half spread, %", "spread"],
  ["impactPpm", "Impact of 10,000, %", "impact"],
  ["fundingPpmPerDay", "Funding a day, %", "funding"],
];

interface AssumptionsProps {
  readonly done: AgentReport;
  readonly onApply: (assumptions: Assumptions) => void;
}

/** Block of a run's assumptions with their sources; money and costs are editable. */
export function AssumptionBlock({ done, onApply }: AssumptionsProps) {
  const { request, known, report } = done;
  const { quoteDecimals, startMoney, costs } = request;
  const [form, setForm] = useState<AssumptionForm>(() =>
    filledForm({ ...known, ...costs }, formatDecimal(startMoney, quoteDecimals)),
  );
  const [wrong, setWrong] = useState<readonly string[]>([]);
  const apply = () => {
    const read = readForm(form, quoteDecimals);
    setWrong(read.ok ? [] : read.wrong);
    if (read.ok) onApply(read.value);
  };
  const isPerpetual = request.agent.market.kind === "perpetual";
  return (
    <Card aria-labelledby="simulation-assumptions" className="flex flex-col gap-4">
      <h3 id="simulation-assumptions" className="text-sm font-medium">
        Assumptions
      </h3>
      <form
        className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3"
        onSubmit={(event) => {
          event.preventDefault();
          apply();
        }}
      >
        <Field
          label={`Money at the start, ${known.quoteSymbol}`}
          hint="The whole account; the position size is a share of it"
          error={wrong.includes("money") && "An amount above zero"}
        >
          <Input
            inputMode="decimal"
            value={form.money}
            onChange={({ target }) => setForm({ ...form, money: target.value })}
          />
        </Field>
        {COST_NAMES.filter(([field]) => isPerpetual || field !== "fundingPpmPerDay").map(
          ([field, label, source]) => (
            <Field
              key={field}
              label={label}
              hint={known.sources[source]}
              error={wrong.includes(field) && "A percentage up to 10"}
            >
              <Input
                inputMode="decimal"
                value={form.costs[field]}
                onChange={({ target }) =>
                  setForm({ ...form, costs: { ...form.costs, [field]: target.value } })
                }
              />
            </Field>
          ),
        )}
        <div className="flex items-end">
          <Button type="submit" tone="primary">
            Run with these
          </Button>
        </div>
      </form>
      <FixedAssumptions done={done} />
      <p className="flex min-w-0 items-center gap-2 text-xs text-muted">
        <span className="shrink-0">Hash of all inputs</span>
        <code className="min-w-0 truncate font-mono text-2xs">{report.inputHash}</code>
        <CopyButton text={report.inputHash} label="Copy the hash" />
      </p>
    </Card>
  );
}

/** Assumptions that follow from how agents trade and cannot be changed. */
function FixedAssumptions({ done }: { readonly done: AgentReport }) {
  return (
    <ul className="flex list-disc flex-col gap-1 pl-5 text-xs text-muted marker:text-faint">
      {assumptionLines(done).map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}
