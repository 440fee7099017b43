import { queryOptions, type QueryClient, useQueries, useQueryClient } from "@tanstack/react-query";
import type { AgentReport } from "../../../../assistant/simulate-agent.ts";
import { isIntervalInRange, parseInterval } from "../../../../domain/interval.ts";
import { clock } from "../../../lib/clock.ts";
import { type SignedInWallet, useOwner } from "../../../lib/session.ts";
import { simulateAgent } from "../../../workers/simulate-agent.ts";
import { completeDraftOf, simulatedForm } from "./form-draft.ts";
import { clsx } from "clsx";
import { Scale } from "lucide-react";
import { type ReactNode, useState } from "react";
import { planSentences } from "../../../../domain/plan/plan-words.ts";
import { formatShare, decimalsOfStep } from "../../../lib/format.ts";
import { sortedBy } from "../../../lib/sorted-by.ts";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { CurveChart, Sparkline } from "../../../ui/curve-chart.tsx";
import { lineOf } from "../../../ui/curve.ts";
import { SearchInput } from "../../../ui/search-input.tsx";
import { Select } from "../../../ui/select.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { TableHead } from "../../../ui/table-head.tsx";
import { simulatedCurve } from "../../../workers/simulated-curve.ts";
import { type AgentForm, intervalText, sidesOf } from "../agent-form.ts";
import { describeChanges } from "./difference-list.tsx";
import { howOften } from "../rules/condition-preview.tsx";

const DAY_MS = 86_400_000;

/** Number of points of a card's line. */
const LINE_POINTS = 160;

const MINUTES_A_DAY = 1_440;

/** Minimum history in days, and minimum number of bars for long intervals. */
const LEAST_DAYS = 90;
const LEAST_BARS = 300;

/** Simulated past of a draft. */
type DraftRun = AgentReport & { readonly days: number };

function runQuery(client: QueryClient, owner: SignedInWallet, form: AgentForm, nowMs: number) {
  const interval = parseInterval(intervalText(form));
  const minutes = interval !== null && isIntervalInRange(interval) ? interval.minutes : 0;
  const days = Math.ceil(Math.max(LEAST_DAYS, (LEAST_BARS * minutes) / MINUTES_A_DAY));
  // A name and a network of its own change nothing that is simulated
  const { agent, ...draft } = completeDraftOf({ ...form, name: "" });
  return queryOptions({
    queryKey: [owner, "draft-run", agent, draft, form.leverage],
    queryFn: async ({ signal }): Promise<DraftRun | null> => {
      const simulated = minutes === 0 ? null : simulatedForm({ form, opened: null });
      if (simulated === null) return null;
      const plan = { network: form.network, agent: simulated, days, nowMs, triedBy: owner };
      return { days, ...(await simulateAgent(client, plan, signal)) };
    },
    staleTime: Infinity,
  });
}

/** Simulates drafts in the page's worker; a run is null while its draft cannot be simulated. */
function useDraftRuns(forms: readonly AgentForm[]) {
  const client = useQueryClient();
  const owner = useOwner();
  const [nowMs] = useState(() => clock.now());
  return useQueries({ queries: forms.map((form) => runQuery(client, owner, form, nowMs)) });
}

/** Strategy that can be looked at, compared with another one and used. */
export interface GalleryDraft {
  readonly id: string;
  readonly name: string;
  readonly idea: string;
  /** What it is bad at; absent for a strategy of the owner's. */
  readonly weakness?: string;
  readonly form: AgentForm;
}

type Measures = DraftRun["report"]["measures"];

/** Orders of the gallery; a draft without a result comes last. */
const ORDERS: Readonly<Record<string, ((measures: Measures) => number) | null>> = {
  "As listed": null,
  Return: ({ totalReturn }) => totalReturn,
  "Against holding": ({ totalReturn, holdingReturn }) => totalReturn - holdingReturn,
  "Smallest fall": ({ maxDrawdown }) => -Math.abs(maxDrawdown),
  "Most trades": ({ closedTrades }) => closedTrades,
};

const ORDER_OPTIONS = Object.keys(ORDERS).map((order) => ({ value: order, label: order }));

interface GalleryProps {
  readonly drafts: readonly GalleryDraft[];
  readonly onUse: (draft: GalleryDraft) => void;
  /** Controls beside search and order. */
  readonly children?: ReactNode;
}

/** Cards of strategies on one market and interval, each simulated in the page; two can be compared side by side. */
export default function Gallery({ drafts, onUse, children }: GalleryProps) {
  const runs = useDraftRuns(drafts.map(({ form }) => form));
  const [search, setSearch] = useState("");
  const [order, setOrder] = useState("As listed");
  const [picked, setPicked] = useState<readonly string[]>([]);
  const wanted = search.trim().toLocaleLowerCase();
  const found = drafts
    .map((draft, at) => ({ draft, run: runs[at]?.data, isFailed: runs[at]?.isError === true }))
    .filter(({ draft: { name, idea, weakness = "" } }) =>
      `${name} ${idea} ${weakness}`.toLocaleLowerCase().includes(wanted),
    );
  const rankOf = ORDERS[order];
  const shown = rankOf
    ? sortedBy(found, ({ run }) => (run ? rankOf(run.report.measures) : Number.NaN), false)
    : found;
  const compared = picked.flatMap((id) => {
    const at = drafts.findIndex((draft) => draft.id === id);
    const [draft, run] = [drafts[at], runs[at]?.data];
    return draft && run ? [{ draft, run }] : [];
  });
  // The third choice takes the place of the first
  const toggle = (id: string) =>
    setPicked(
      picked.includes(id) ? picked.filter((each) => each !== id) : [...picked, id].slice(-2),
    );
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-end gap-2">
        <SearchInput
          label="Search starters"
          value={search}
          onValueChange={setSearch}
          className="min-w-40 grow"
        />
        <div className="w-40">
          <Select
            aria-label="Order of the starters"
            value={order}
            options={ORDER_OPTIONS}
            onValueChange={setOrder}
          />
        </div>
        {children}
      </div>
      {picked.length > 0 && (
        <Comparison compared={compared} picked={picked.length} onClose={() => setPicked([])} />
      )}
      <ul aria-label="Templates" className="grid gap-2 sm:grid-cols-2">
        {shown.map(({ draft, run, isFailed }) => (
          <DraftCard
            key={draft.id}
            draft={draft}
            run={run}
            isFailed={isFailed}
            isPicked={picked.includes(draft.id)}
            onPick={() => toggle(draft.id)}
            onUse={() => onUse(draft)}
          />
        ))}
      </ul>
      {shown.length === 0 && (
        <p role="status" className="text-xs text-muted">
          No starter has these words.
        </p>
      )}
      <p className="text-xs text-faint">
        An order by a past result is mostly an order by luck: the more are tried, the better the
        best one looks.
      </p>
    </div>
  );
}

interface DraftCardProps {
  readonly draft: GalleryDraft;
  /** Null where the draft cannot be simulated, undefined while it is being simulated. */
  readonly run: DraftRun | null | undefined;
  readonly isFailed: boolean;
  readonly isPicked: boolean;
  readonly onPick: () => void;
  readonly onUse: () => void;
}

function DraftCard({ draft, run, isFailed, isPicked, onPick, onUse }: DraftCardProps) {
  const { name, idea, weakness, form } = draft;
  return (
    <li
      className={clsx(
        "flex flex-col gap-1.5 rounded-md border bg-surface p-3",
        isPicked ? "border-accent-text" : "border-line",
      )}
    >
      <div className="flex items-start justify-between gap-2">
        <h3 className="min-w-0 text-sm font-semibold wrap-break-word">{name}</h3>
        <span className="flex shrink-0 gap-1.5">
          <Button
            size="small"
            aria-label={`Compare ${name}`}
            aria-pressed={isPicked}
            title="Choose two to see them side by side"
            disabled={!run}
            onClick={onPick}
          >
            <Scale aria-hidden />
          </Button>
          <Button size="small" aria-label={`Use ${name}`} onClick={onUse}>
            Use
          </Button>
        </span>
      </div>
      <p className="text-xs text-muted">{idea}</p>
      {weakness !== undefined && (
        <p className="text-xs">
          <span className="font-medium text-warn">Bad at: </span>
          <span className="text-muted">{weakness}</span>
        </p>
      )}
      <p className="text-xs">
        <span className="font-medium">Sets: </span>
        <span className="text-muted">{setsOf(form)}</span>
      </p>
      <div className="mt-auto border-t pt-1.5">
        {isFailed ? (
          <p className="text-xs text-muted">It could not be tried out just now.</p>
        ) : run === undefined ? (
          <Skeleton className="h-20" />
        ) : run === null ? (
          <p className="text-xs text-muted">Choose an asset and an interval to try it out.</p>
        ) : (
          <RunResult run={run} />
        )}
      </div>
    </li>
  );
}

/** Returns what using a strategy sets besides its alerts and rules. */
const setsOf = (form: AgentForm): string =>
  [
    `position size ${form.positionSizePercent}% of the free money per entry.`,
    ...(form.plan === null ? [] : planSentences(form.plan, sidesOf(form))),
  ].join(" ");

/** Returns values at about equal distances of a run's growth, the last one included. */
function growthOf(run: DraftRun): readonly (number | null)[] {
  const points = simulatedCurve(run);
  const step = Math.max(1, Math.floor(points.length / LINE_POINTS));
  return points
    .filter((_, at) => at % step === 0 || at === points.length - 1)
    .map(({ value }) => value);
}

const oneDecimal = (share: number) => formatShare(share, 1);

function RunResult({ run }: { readonly run: DraftRun }) {
  const { measures, sentences } = run.report;
  const { closedTrades, totalReturn, holdingReturn, maxDrawdown } = measures;
  return (
    <div className="flex flex-col gap-1 text-xs text-muted">
      <Sparkline values={growthOf(run)} className="block h-10 w-full" />
      <p className="font-medium text-ink">
        {closedTrades === 0
          ? `Did not trade in ${run.days} days`
          : `Trades ${howOften(closedTrades, run.days * DAY_MS)}`}
      </p>
      <p>
        {run.days} days, {run.source}: {closedTrades} {closedTrades === 1 ? "trade" : "trades"},{" "}
        <span className="font-medium text-ink">{oneDecimal(totalReturn)}</span>, holding{" "}
        {oneDecimal(holdingReturn)}, deepest fall {oneDecimal(-Math.abs(maxDrawdown))}
      </p>
      {sentences.length > 0 && (
        <details>
          <summary className="cursor-pointer hover:text-ink">{sentences[0]}</summary>
          <ul className="mt-1 flex list-disc flex-col gap-0.5 pl-4">
            {sentences.slice(1).map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

type Compared = readonly { readonly draft: GalleryDraft; readonly run: DraftRun }[];

/** Lines of two results, with the figure of each. */
const FIGURES: readonly (readonly [name: string, text: (run: DraftRun) => string])[] = [
  ["Return", ({ report }) => oneDecimal(report.measures.totalReturn)],
  [
    "Against holding",
    ({ report: { measures } }) => oneDecimal(measures.totalReturn - measures.holdingReturn),
  ],
  ["Deepest fall", ({ report }) => oneDecimal(-Math.abs(report.measures.maxDrawdown))],
  ["Closed trades", ({ report }) => `${report.measures.closedTrades}`],
  ["Hit rate", ({ report }) => oneDecimal(report.measures.hitRate ?? 0).replace("+", "")],
  ["Time in the market", ({ report }) => oneDecimal(report.measures.exposure).replace("+", "")],
];

interface ComparisonProps {
  readonly compared: Compared;
  readonly picked: number;
  readonly onClose: () => void;
}

/** Two drafts side by side: their lines, their results and what they set differently. */
function Comparison({ compared, picked, onClose }: ComparisonProps) {
  const [one, other] = compared;
  const close = (
    <Button size="small" onClick={onClose}>
      Close comparison
    </Button>
  );
  if (!one || !other) {
    return (
      <p role="status" className="flex flex-wrap items-center justify-between gap-2 text-xs">
        {picked === 2 ? "Both are being tried out." : "Choose a second one to compare it with."}
        {close}
      </p>
    );
  }
  const settings = describeChanges(one.draft.form, other.draft.form);
  return (
    <Card aria-label={`${one.draft.name} and ${other.draft.name}`} className="flex flex-col gap-3">
      <CurveChart
        label={`Growth of ${one.draft.name} and of ${other.draft.name}`}
        panels={[
          {
            height: "h-36",
            formatValue: (share, step) => formatShare(share, decimalsOfStep(step * 100)),
            curves: [
              { label: one.draft.name, tone: "accent", ...lineOf(simulatedCurve(one.run)) },
              { label: other.draft.name, tone: "muted", ...lineOf(simulatedCurve(other.run)) },
            ],
          },
        ]}
      >
        {close}
      </CurveChart>
      <div className="overflow-x-auto" tabIndex={0} role="region" aria-label="Side by side">
        <table className="w-full text-xs">
          <TableHead
            cell="py-1 pr-3 align-top"
            columns={[{ hidden: "What" }, one.draft.name, other.draft.name]}
          />
          <tbody>
            {FIGURES.map(([name, textOf]) => (
              <ComparedLine
                key={name}
                name={name}
                one={textOf(one.run)}
                other={textOf(other.run)}
              />
            ))}
            {settings.map(({ label, before, after }, at) => (
              <ComparedLine key={at} name={label} one={before ?? ""} other={after ?? ""} />
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}

function ComparedLine({ name, one, other }: Readonly<Record<"name" | "one" | "other", string>>) {
  return (
    <tr className="border-t border-line align-top">
      <th scope="row" className="py-1 pr-3 text-left font-normal text-muted">
        {name}
      </th>
      <td className="w-2/5 py-1 pr-3 tabular-nums">{one || "–"}</td>
      <td className="w-2/5 py-1 pr-3 tabular-nums">{other || "–"}</td>
    </tr>
  );
}
