import type { Decision } from "../../../../contract/decisions.ts";
import { useState, type KeyboardEvent, useEffect, useId, useRef } from "react";
import { Badge } from "../../../ui/badge.tsx";
import { TimeText } from "../../../ui/time-text.tsx";
import { decisionTitle, outcomeSentence, outcomeWords, type Tone } from "./decision-words.ts";
import {
  graphOf,
  type DecisionGraph as Graph,
  type GraphNode,
  type NodeKind,
} from "./graph-model.ts";
import { NodeDetails } from "./node-details.tsx";
import { clsx } from "clsx";
import {
  Bell,
  CircleCheck,
  CircleDot,
  CircleX,
  Flag,
  ListChecks,
  type LucideIcon,
  PenLine,
  Receipt,
  Send,
  Split,
  User,
  Wallet,
} from "lucide-react";
import { edgePath, layOut } from "./graph-layout.ts";

interface DecisionViewProps {
  readonly decision: Decision;
  readonly explorerUrl: ((signature: string) => string) | null;
}

/** Returns whether a sent order predates the recording of decisions. */
const isUnrecorded = ({ sent, decidedAt, askedBy }: Decision): boolean =>
  sent !== undefined && decidedAt === undefined && askedBy !== "owner";

/** Decision with its graph, the selected stage's details and, for screen readers, all stages as a list. */
export function DecisionView({ decision, explorerUrl }: DecisionViewProps) {
  const graph = graphOf(decision);
  const nodes = graph.layers.flat();
  const [asked, setAsked] = useState("");
  // The stage that determined the outcome is selected first
  const telling =
    nodes.find(({ kind, tone }) => kind === "checks" && tone === "down") ?? nodes.at(-1);
  const node = nodes.find(({ id }) => id === asked) ?? telling;
  const { text, tone } = outcomeWords(decision);
  const sentence = outcomeSentence(decision);
  return (
    <section aria-label={decisionTitle(decision)} className="min-h-0 grow overflow-y-auto">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 pt-3">
        <h2 className="text-base font-semibold">{decisionTitle(decision)}</h2>
        <Badge tone={tone}>{text}</Badge>
        <TimeText at={decision.at} as="full" className="text-xs text-muted" />
        {isUnrecorded(decision) && (
          <p className="w-full text-sm text-muted">
            What it was decided on is not known: it was sent before decisions were recorded.
          </p>
        )}
        {sentence !== "" && <p className="w-full text-sm text-muted">{sentence}</p>}
      </header>
      <div className="px-4 py-4">
        <DecisionGraph graph={graph} chosen={node?.id ?? ""} onChoose={setAsked} />
      </div>
      {node && (
        <section aria-label={node.label} aria-live="polite" className="border-t px-4 py-3">
          <h3 className="mb-2 text-2xs font-medium tracking-wide text-faint uppercase">
            {node.label}
          </h3>
          <NodeDetails decision={decision} node={node} explorerUrl={explorerUrl} />
        </section>
      )}
      <ol className="sr-only" aria-label="The decision step by step">
        {nodes.map(({ id, label, headline, lines }) => (
          <li key={id}>{[label, headline, ...lines].join(". ")}</li>
        ))}
      </ol>
    </section>
  );
}

const ICONS: Readonly<Record<NodeKind, LucideIcon>> = {
  alert: Bell,
  owner: User,
  rule: Split,
  account: Wallet,
  checks: ListChecks,
  order: PenLine,
  sent: Send,
  fill: Receipt,
  outcome: Flag,
};

const TONE_ICONS: Readonly<Partial<Record<Tone, LucideIcon>>> = {
  up: CircleCheck,
  down: CircleX,
  warn: CircleDot,
};

const STROKES: Readonly<Record<Tone, string>> = {
  up: "stroke-up",
  down: "stroke-down",
  warn: "stroke-warn",
  neutral: "stroke-line-strong",
};

const FILLS: Readonly<Record<Tone, string>> = {
  up: "fill-up",
  down: "fill-down",
  warn: "fill-warn",
  neutral: "fill-line-strong",
};

const EDGES: Readonly<Record<Tone, string>> = {
  up: "border-t-up",
  down: "border-t-down",
  warn: "border-t-warn",
  neutral: "border-t-line-strong",
};

interface DecisionGraphProps {
  readonly graph: Graph;
  /** Id of the selected node. */
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
}

/** Graph of a decision's stages as cards joined by curves; arrow keys move between cards. */
function DecisionGraph({ graph, chosen, onChoose }: DecisionGraphProps) {
  const frameRef = useRef<HTMLDivElement>(null);
  const [available, setAvailable] = useState(0);
  const arrow = useId();
  useEffect(() => {
    const frame = frameRef.current;
    if (frame === null) return;
    const resizes = new ResizeObserver(() => setAvailable(frame.clientWidth));
    resizes.observe(frame);
    return () => resizes.disconnect();
  }, []);
  const layout = layOut(graph, available);
  const nodes = graph.layers.flat();
  const walk = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const ends: Readonly<Record<string, number>> = { Home: 0, End: nodes.length - 1 };
    const at = nodes.findIndex(({ id }) => id === chosen);
    const next = nodes[ends[event.key] ?? (step === undefined ? -1 : at + step)];
    if (next === undefined) return;
    event.preventDefault();
    onChoose(next.id);
    frameRef.current?.querySelector<HTMLElement>(`[data-node="${CSS.escape(next.id)}"]`)?.focus();
  };
  return (
    <div ref={frameRef} className="w-full">
      {available > 0 && (
        <div
          role="group"
          aria-label="Graph of the decision"
          className="relative mx-auto"
          style={{ width: layout.width, height: layout.height }}
        >
          <svg
            aria-hidden
            className="absolute inset-0 overflow-visible"
            width={layout.width}
            height={layout.height}
          >
            <defs>
              {(["up", "down", "warn", "neutral"] as const).map((tone) => (
                <marker
                  key={tone}
                  id={`${arrow}-${tone}`}
                  viewBox="0 0 8 8"
                  refX="5"
                  refY="4"
                  markerWidth="6"
                  markerHeight="6"
                  orient="auto-start-reverse"
                >
                  <path d="M0 0L8 4L0 8z" className={FILLS[tone]} />
                </marker>
              ))}
            </defs>
            {graph.edges.map(({ from, to, tone }) => {
              const [start, end] = [layout.boxes.get(from), layout.boxes.get(to)];
              if (start === undefined || end === undefined) return null;
              return (
                <path
                  key={`${from} ${to}`}
                  d={edgePath(start, end)}
                  fill="none"
                  strokeWidth={tone === "neutral" ? 1.5 : 2}
                  markerEnd={`url(#${arrow}-${tone})`}
                  className={STROKES[tone]}
                  {...(tone === "down" && { strokeDasharray: "5 4" })}
                />
              );
            })}
          </svg>
          {nodes.map((node) => {
            const box = layout.boxes.get(node.id);
            if (box === undefined) return null;
            return (
              <NodeCard
                key={node.id}
                node={node}
                isChosen={node.id === chosen}
                style={{ left: box.x, top: box.y, width: box.width, height: box.height }}
                onChoose={() => onChoose(node.id)}
                onKeyDown={walk}
              />
            );
          })}
        </div>
      )}
    </div>
  );
}

interface NodeCardProps {
  readonly node: GraphNode;
  readonly isChosen: boolean;
  readonly style: {
    readonly left: number;
    readonly top: number;
    readonly width: number;
    readonly height: number;
  };
  readonly onChoose: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

function NodeCard({ node, isChosen, style, onChoose, onKeyDown }: NodeCardProps) {
  const { id, kind, label, headline, lines, tone, counter } = node;
  const Icon = ICONS[kind];
  const Mark = TONE_ICONS[tone];
  return (
    <button
      type="button"
      data-node={id}
      tabIndex={isChosen ? 0 : -1}
      aria-pressed={isChosen}
      onClick={onChoose}
      onKeyDown={onKeyDown}
      style={style}
      title={[headline, ...lines].join("\n")}
      className={clsx(
        "tint absolute flex min-w-0 flex-col rounded-lg border border-t-2 px-2.5 py-1.5 text-left",
        EDGES[tone],
        isChosen
          ? "border-accent bg-accent-soft"
          : "border-line bg-raised hover:border-line-strong hover:bg-hover",
      )}
    >
      <span className="flex items-center gap-1 text-2xs text-faint">
        <Icon aria-hidden className="size-3 shrink-0" />
        <span className="min-w-0 truncate">{label}</span>
        {Mark && (
          <Mark
            aria-hidden
            className={clsx(
              "ml-auto size-3.5 shrink-0",
              tone === "up" ? "text-up" : tone === "down" ? "text-down" : "text-warn",
            )}
          />
        )}
      </span>
      <span className="truncate text-sm font-semibold text-ink">{headline}</span>
      {counter && <CounterMarks {...counter} />}
      {lines.slice(0, counter ? 1 : 2).map((line) => (
        <span
          key={line}
          className={clsx("text-2xs text-muted", lines.length > 1 ? "truncate" : "line-clamp-2")}
        >
          {line}
        </span>
      ))}
    </button>
  );
}

/** Maximum number of counter marks; a larger counter is shown as a bar. */
const MAX_MARKS = 8;

/** Counter marks: one per required firing, filled when counted. */
function CounterMarks({ count, requiredCount }: NonNullable<GraphNode["counter"]>) {
  if (requiredCount > MAX_MARKS) {
    return (
      <span className="my-1 block h-1.5 shrink-0 overflow-hidden rounded-full bg-line">
        <span
          className="block h-full rounded-full bg-accent"
          style={{ width: `${(100 * Math.min(count, requiredCount)) / requiredCount}%` }}
        />
      </span>
    );
  }
  return (
    <span className="my-1 flex shrink-0 gap-1">
      {Array.from({ length: requiredCount }, (_, at) => (
        <span
          key={at}
          className={clsx("h-1.5 max-w-6 grow rounded-full", at < count ? "bg-accent" : "bg-line")}
        />
      ))}
      <span className="sr-only">
        {count} of {requiredCount}.
      </span>
    </span>
  );
}
