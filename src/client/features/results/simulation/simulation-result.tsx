import { type ReactNode, useCallback, useState, useRef } from "react";
import type { SimulatedTrade, SimulatedCostSum } from "../../../../strategy/simulation.ts";
import type { ChartPreview } from "../../../lib/chart-preview.ts";
import { sumNote } from "../sum-note.ts";
import { useTimes } from "../../../lib/time-zone.ts";
import { Card } from "../../../ui/card.tsx";
import type { AgentReport, TriedVariant } from "../../../../assistant/simulate-agent.ts";
import {
  assumptionLines,
  type Assumptions,
  type AssumptionForm,
  type CostField,
  filledForm,
  readForm,
} from "./assumption-lines.ts";
import { EquityChart } from "./equity-chart.tsx";
import { OverfittingWarnings } from "./overfitting-warnings.tsx";
import { MeasureList } from "./measure-list.tsx";
import type { SimulationResult } from "../../../../strategy/simulation.ts";
import { monthlyReturnsOfBars } from "../../../../domain/measures/monthly-returns.ts";
import { MonthTable } from "../../../ui/month-table.tsx";
import { shareText, toneOf } from "./share-text.ts";
import { tradePreview } from "./trade-preview.ts";
import { TradesCard } from "./trades-card.tsx";
import { useJudged } from "./use-judged.ts";
import { formatDecimal, formatFixed } from "../../../../domain/amount.ts";
import { Button } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
import { Input } from "../../../ui/input.tsx";
import {
  type GridParameter,
  gridParameters,
  gridValues,
  spreadValues,
} from "../../../../strategy/grid.ts";
import { Select } from "../../../ui/select.tsx";
import type { SimulationRequest } from "../../../../assistant/run-simulation.ts";
import { type GridResult, MAX_GRID_RUNS, runGrid } from "../../../workers/run-grid.ts";
import { HeatMap } from "./heat-map.tsx";
import { Badge } from "../../../ui/badge.tsx";

interface SimulationResultProps {
  readonly done: AgentReport;
  readonly onApply: (assumptions: Assumptions) => void;
  readonly onShowOnChart: (preview: ChartPreview) => void;
  /** Content after the trades. */
  readonly children?: ReactNode;
}

/** Result of a run: measures, reliability, chart, trades and assumptions. */
export function SimulationView(props: SimulationResultProps) {
  const { done, onApply, onShowOnChart, children } = props;
  const { request, known } = done;
  const { result, inputHash } = done.report;
  const { report, addTried } = useJudged(done);
  const [trade, setTrade] = useState<SimulatedTrade | null>(null);
  const showWhole = useCallback(() => setTrade(null), []);
  const times = useTimes();
  const show = (chosen: SimulatedTrade) => {
    setTrade(chosen);
    onShowOnChart(tradePreview(done, chosen, times));
  };
  const quote = { quoteDecimals: request.quoteDecimals, quoteSymbol: known.quoteSymbol };
  return (
    <div className="flex flex-col gap-4">
      <ResultWarnings {...done} />
      <MeasureList measures={report.measures} quoteSymbol={known.quoteSymbol} />
      <OverfittingWarnings report={report} done={done} />
      <Card aria-label="Account over time">
        <EquityChart
          result={result}
          {...quote}
          splitAtMs={report.split?.splitAtMs ?? null}
          trade={trade}
          onWhole={showWhole}
        />
      </Card>
      <div className="flex flex-wrap gap-4">
        <Card aria-labelledby="simulation-months" className="min-w-0 grow-4 basis-2xl">
          <h3 id="simulation-months" className="mb-2 text-sm font-medium">
            Months
          </h3>
          <SimulatedMonths result={result} quoteDecimals={request.quoteDecimals} />
        </Card>
        <Card aria-labelledby="simulation-costs" className="min-w-0 grow basis-56">
          <h3 id="simulation-costs" className="mb-2 text-sm font-medium">
            Costs
          </h3>
          <CostTable costs={result.costs} {...quote} />
        </Card>
      </div>
      <TradesCard done={done} chosen={trade} onChoose={show} />
      {children}
      <GridPanel key={inputHash} request={request} onTried={addTried} />
      <AssumptionBlock key={`${inputHash} assumptions`} done={done} onApply={onApply} />
    </div>
  );
}

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
function AssumptionBlock({ done, onApply }: AssumptionsProps) {
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
      <Form className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3" onSubmit={apply}>
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
      </Form>
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

const NAMES = [
  ["Fees", "fees"],
  ["Half spread", "spread"],
  ["Own impact", "impact"],
  ["Funding", "funding"],
] as const;

/** Trading costs by kind; negative funding was received. */
function CostTable(props: {
  readonly costs: SimulatedCostSum;
  readonly quoteDecimals: number;
  readonly quoteSymbol: string;
}) {
  const { costs, quoteDecimals, quoteSymbol } = props;
  const total = costs.fees + costs.spread + costs.impact + costs.funding;
  const text = (units: bigint) => formatFixed(units, quoteDecimals, 2).replace("-", "−");
  const exact = (units: bigint) => formatDecimal(units, quoteDecimals);
  const note = sumNote(
    NAMES.map(([, key]) => exact(costs[key])),
    exact(total),
  );
  return (
    <table className="w-full text-xs tabular-nums">
      {note !== null && (
        <caption className="caption-bottom pt-1 text-2xs text-faint">{note}</caption>
      )}
      <tbody>
        {NAMES.map(([name, key]) => (
          <tr key={key} className="border-t border-line first:border-t-0">
            <th className="py-1 text-left font-normal text-muted">{name}</th>
            <td className="py-1 text-right">{text(costs[key])}</td>
          </tr>
        ))}
        <tr className="border-t border-line-strong">
          <th className="py-1 text-left font-medium">Together</th>
          <td className="py-1 text-right font-medium">
            {text(total)} {quoteSymbol}
          </td>
        </tr>
      </tbody>
    </table>
  );
}

/** Maximum values per parameter; two parameters give 400 variants, the grid's maximum. */
const VALUES = 20;

interface GridPanelProps {
  readonly request: SimulationRequest;
  /** Called with the variants tried, which lower the result's significance. */
  readonly onTried: (variants: readonly TriedVariant[]) => void;
}

type GridState =
  | { readonly kind: "none" }
  | { readonly kind: "running"; readonly done: number; readonly of: number }
  | { readonly kind: "done"; readonly grid: GridResult }
  | { readonly kind: "failed"; readonly message: string };

/** Panel that varies parameters of the agent's conditions and shows the results. */
function GridPanel({ request, onTried }: GridPanelProps) {
  const parameters = gridParameters(request.agent);
  const [chosen, setChosen] = useState<readonly string[]>(() =>
    parameters.slice(0, 2).map(({ id }) => id),
  );
  const [state, setState] = useState<GridState>({ kind: "none" });
  const running = useRef<AbortController | null>(null);
  if (request.firings.kind === "recorded" || parameters.length === 0) {
    return (
      <Card className="text-xs text-muted">
        A grid varies numbers of built-in conditions; these firings come from elsewhere and have
        none.
      </Card>
    );
  }
  const axes = chosen.flatMap((id) => {
    const parameter = parameters.find((each) => each.id === id);
    return parameter === undefined ? [] : [{ parameter, values: spreadValues(parameter, VALUES) }];
  });
  const count = Math.min(MAX_GRID_RUNS, gridValues(request.agent, axes).length);
  const run = async () => {
    const control = new AbortController();
    running.current = control;
    setState({ kind: "running", done: 0, of: count });
    try {
      const grid = await runGrid(request, axes, {
        signal: control.signal,
        onProgress: (done, of) => setState({ kind: "running", done, of }),
      });
      setState({ kind: "done", grid });
      onTried(
        grid.cells.map((cell, at) => ({
          ...cell,
          isKeptOutSeen: at === grid.best && grid.keptOut !== null,
        })),
      );
    } catch (error) {
      const message = error instanceof Error ? error.message : "The grid could not be run";
      setState(control.signal.aborted ? { kind: "none" } : { kind: "failed", message });
    }
  };
  return (
    <Card aria-labelledby="simulation-grid" className="flex flex-col gap-3">
      <h3 id="simulation-grid" className="text-sm font-medium">
        Other numbers
      </h3>
      <p className="text-xs text-muted">
        A result that holds only for one choice of numbers is luck. Variants run on the first 70% of
        the history; the rest is kept for the best of them. Every variant tried here counts against
        the result above.
      </p>
      <div className="flex flex-wrap items-end gap-2">
        {[0, 1].map((at) => (
          <AxisField
            key={at}
            label={at === 0 ? "Down" : "Across"}
            parameters={parameters.filter(({ id }) => id !== chosen[1 - at])}
            value={chosen[at] ?? ""}
            onChange={(id) =>
              setChosen(at === 0 ? [id, ...chosen.slice(1)] : [chosen[0] ?? "", id])
            }
          />
        ))}
        {state.kind === "running" ? (
          <Button onClick={() => running.current?.abort()}>Cancel</Button>
        ) : (
          <Button onClick={() => void run()}>Run {count} variants</Button>
        )}
      </div>
      {state.kind === "running" && (
        <progress
          aria-label="Variants run"
          value={state.done}
          max={state.of}
          className="h-1.5 w-full accent-accent"
        />
      )}
      {state.kind === "failed" && (
        <p role="alert" className="text-xs text-down">
          {state.message}
        </p>
      )}
      {state.kind === "done" && <HeatMap grid={state.grid} />}
    </Card>
  );
}

function AxisField(props: {
  readonly label: string;
  readonly parameters: readonly GridParameter[];
  readonly value: string;
  readonly onChange: (id: string) => void;
}) {
  const { label, parameters, value, onChange } = props;
  if (parameters.length === 0) return null;
  return (
    <Field label={label} className="w-52">
      <Select
        value={value}
        onValueChange={onChange}
        options={parameters.map(({ id, label: name }) => ({ value: id, label: name }))}
      />
    </Field>
  );
}

/** Warnings about the prices a run was traded on. */
function ResultWarnings({ source, contradictions }: AgentReport) {
  return (
    <>
      {source === "practice market" && (
        <p className="flex flex-wrap items-center gap-2 text-xs text-practice">
          <Badge tone="practice">Practice</Badge>
          The practice market is made up: what worked on it says nothing about a real one.
        </p>
      )}
      {contradictions > 0 && (
        <p className="text-xs text-warn">
          Two sources of prices contradict each other on {contradictions} bars; they were left out.
        </p>
      )}
    </>
  );
}

/** Simulated returns by month, with the return of each year. */
function SimulatedMonths(props: {
  readonly result: SimulationResult;
  readonly quoteDecimals: number;
}) {
  const { times, equity, startMoney } = props.result;
  const start = Number(startMoney) / 10 ** props.quoteDecimals;
  const months = monthlyReturnsOfBars(start, times, equity);
  const cell = (rate: number) => <span className={toneOf(rate)}>{shareText(rate, true)}</span>;
  return (
    <MonthTable
      months={months}
      yearOf={cell}
      cellOf={(month) => {
        const rate = months.find((each) => each.month === month)?.rate;
        return rate === undefined || rate === null ? null : cell(rate);
      }}
    />
  );
}
