import { useState } from "react";
import type { MarketKind } from "../../../../domain/market.ts";
import {
  nearestLiquidation,
  findPlanFault,
  type PlanContext,
} from "../../../../domain/plan/check-plan.ts";
import type { Plan, Target } from "../../../../domain/plan/plan.ts";
import { planSentences } from "../../../../domain/plan/plan-words.ts";
import type { SimulatedAgent } from "../../../../strategy/simulation.ts";
import { VENUE_PROFILES } from "../../../../venues/profiles.ts";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { Field } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
import { NumberText } from "../../../ui/number-text.tsx";
import type { AgentReport } from "../../../../assistant/simulate-agent.ts";
import { parseDecimal } from "../../../../domain/amount.ts";

const LABELS: Readonly<Record<PlanField, readonly [label: string, hint: string, unit: string]>> = {
  stop: ["Stop", "From the average entry, on the losing side", "%"],
  breakEven: ["Break-even from", "The stop moves to the average entry", "% profit"],
  trailAfter: ["Trail from", "The stop begins to follow", "% profit"],
  trailBy: ["Trail behind", "Behind the best price", "%"],
  target1: ["First target", "From the average entry", "% profit"],
  part1: ["First target closes", "Of the largest size held", "%"],
  target2: ["Second target", "From the average entry", "% profit"],
  part2: ["Second target closes", "Of the largest size held", "%"],
  hold: ["Close after", "Whatever the price", "bars"],
  leverage: ["Leverage", "1 to 5, above 1 only with a stop", "times"],
};

interface PlanFieldsProps {
  readonly form: PlanForm;
  readonly kind: MarketKind;
  readonly errorOf: (field: PlanField) => string | null;
  readonly onChange: (form: PlanForm) => void;
}

/** Fields of what an agent does with a position once it is open. */
function PlanFields({ form, kind, errorOf, onChange }: PlanFieldsProps) {
  const fields = Object.entries(LABELS) as [PlanField, (typeof LABELS)[PlanField]][];
  return fields
    .filter(([field]) => field !== "leverage" || kind === "perpetual")
    .map(([field, [label, hint, unit]]) => (
      <Field key={field} label={label} hint={hint} error={errorOf(field)}>
        <NumberText
          unit={unit}
          maxDecimals={unit.startsWith("%") && !field.startsWith("part") ? 2 : 0}
          value={form[field]}
          onValueChange={(text) => onChange({ ...form, [field]: text })}
        />
      </Field>
    ));
}

/** A plan to run a simulation with instead of the agent's own. */
interface TriedPlan {
  readonly plan: Plan | null;
  readonly leverage: number;
}

interface PlanTrialProps {
  readonly done: AgentReport;
  /** The plan that the agent itself has; null for none. */
  readonly ownPlan: Plan | null;
  readonly form: PlanForm;
  readonly onForm: (form: PlanForm) => void;
  readonly onTry: (tried: TriedPlan | null) => void;
}

/** Returns the agent with the plan that is tried, and what the card of the plan needs. */
export function useTriedPlan(simulated: SimulatedAgent | null) {
  const [form, setForm] = useState(EMPTY_PLAN_FORM);
  const [tried, setTried] = useState<TriedPlan | null>(null);
  return {
    agent: simulated && { ...simulated, ...tried },
    isTried: tried !== null,
    props: { ownPlan: simulated?.plan ?? null, form, onForm: setForm, onTry: setTried },
  };
}

/** Card in which stops, targets and a time are tried on the agent's history. */
export function PlanTrial({ done, ownPlan, form, onForm, onTry }: PlanTrialProps) {
  const { agent, costs } = done.request;
  const { market, positionSizePercent } = agent;
  const venue = VENUE_PROFILES[market.venue];
  const [isShown, setShown] = useState(false);
  const read = readPlanForm(form, { positionSizePercent, venue, costs });
  const sides = (["long", "short"] as const).filter((side) =>
    agent.rules.some(({ action }) => action === (side === "long" ? "OPEN_LONG" : "OPEN_SHORT")),
  );
  const nearest =
    read.ok && market.kind === "perpetual"
      ? nearestLiquidation({ ...read, positionSizePercent }, { venue, costs })
      : null;
  const submit = () => {
    setShown(true);
    if (read.ok) onTry(read.plan === null ? null : { plan: read.plan, leverage: read.leverage });
  };
  return (
    <Card aria-labelledby="simulation-plan" className="flex flex-col gap-4">
      <div>
        <h3 id="simulation-plan" className="text-sm font-medium">
          Try a stop and targets
        </h3>
        <p className="text-xs text-muted">
          What the agent would have made with them instead of its own plan. Nothing is saved: set
          them in the agent&apos;s form to have them carried out.
        </p>
      </div>
      <Form className="grid items-start gap-3 sm:grid-cols-2 lg:grid-cols-4" onSubmit={submit}>
        <PlanFields
          form={form}
          kind={market.kind}
          errorOf={(field) => (isShown && !read.ok && read.field === field ? read.message : null)}
          onChange={onForm}
        />
        <div className="flex items-end gap-2 sm:col-span-2 lg:col-span-4">
          <Button type="submit" tone="primary">
            Run with this plan
          </Button>
          <Button
            onClick={() => {
              setShown(false);
              onForm(EMPTY_PLAN_FORM);
              onTry(null);
            }}
          >
            {ownPlan === null ? "Without a plan" : "With its own plan"}
          </Button>
        </div>
      </Form>
      {read.ok && read.plan !== null && (
        <p className="text-sm" role="status">
          {planSentences(read.plan, sides).join(" ")}
          {nearest !== null &&
            ` The venue would liquidate a ${nearest.side} ${nearest.bps / 100} % from its entry.`}
        </p>
      )}
    </Card>
  );
}

/** Fields of a plan's form, in the order they are shown. */
const PLAN_FIELDS = [
  "stop",
  "breakEven",
  "trailAfter",
  "trailBy",
  "target1",
  "part1",
  "target2",
  "part2",
  "hold",
  "leverage",
] as const;

type PlanField = (typeof PLAN_FIELDS)[number];

/** Typed texts; an empty one asks for nothing. */
export type PlanForm = Readonly<Record<PlanField, string>>;

export const EMPTY_PLAN_FORM: PlanForm = {
  stop: "",
  breakEven: "",
  trailAfter: "",
  trailBy: "",
  target1: "",
  part1: "",
  target2: "",
  part2: "",
  hold: "",
  leverage: "",
};

/** Largest step of a trailing stop that the form asks for, in basis points. */
const STEP_BPS = 25;

/** A plan as read from its form, or what is wrong beside the first field it is wrong at. */
type ReadPlan =
  | { readonly ok: true; readonly plan: Plan | null; readonly leverage: number }
  | { readonly ok: false; readonly field: PlanField; readonly message: string };

/** Form fields of the paths that a plan's faults name. */
const PLACES: Readonly<Record<string, PlanField>> = {
  "plan.stop.at": "stop",
  "plan.stop.breakEvenAfter": "breakEven",
  "plan.stop.trail.after": "trailAfter",
  "plan.stop.trail.by": "trailBy",
  "plan.stop.trail.step": "trailBy",
  "plan.targets.0.at": "target1",
  "plan.targets.0.close": "part1",
  "plan.targets.1.at": "target2",
  "plan.targets.1.close": "part2",
  "plan.hold": "hold",
  leverage: "leverage",
};

const DECIMALS: Readonly<Partial<Record<PlanField, number>>> = {
  part1: 0,
  part2: 0,
  hold: 0,
  leverage: 0,
};

/** Returns the plan and leverage of a form, checked for an agent. */
export function readPlanForm(form: PlanForm, context: Omit<PlanContext, "leverage">): ReadPlan {
  const wrong = (field: PlanField, message: string): ReadPlan => ({ ok: false, field, message });
  const unread = PLAN_FIELDS.find(
    (field) => form[field] !== "" && parseDecimal(form[field], DECIMALS[field] ?? 2) === null,
  );
  if (unread !== undefined) return wrong(unread, "A number is needed here.");
  const figureOf = (field: PlanField): number | undefined =>
    form[field] === "" ? undefined : Math.round(Number(form[field]) * 10 ** (DECIMALS[field] ?? 2));
  const [stop, breakEven, trailAfter, trailBy] = [
    figureOf("stop"),
    figureOf("breakEven"),
    figureOf("trailAfter"),
    figureOf("trailBy"),
  ];
  if (stop === undefined && (breakEven ?? trailAfter ?? trailBy) !== undefined) {
    return wrong("stop", "Break-even and a trail move a stop: it needs its first level.");
  }
  if ((trailAfter === undefined) !== (trailBy === undefined)) {
    const field = trailAfter === undefined ? "trailAfter" : "trailBy";
    return wrong(field, "A trail needs both figures.");
  }
  const targets: Target[] = [];
  for (const [at, part] of [
    ["target1", "part1"],
    ["target2", "part2"],
  ] as const) {
    const [bps, closePercent] = [figureOf(at), figureOf(part)];
    if ((bps === undefined) !== (closePercent === undefined)) {
      return wrong(bps === undefined ? at : part, "A target needs its profit and its part.");
    }
    if (bps === undefined || closePercent === undefined) continue;
    targets.push({ at: { kind: "percent", bps }, closePercent });
  }
  if (form.target1 === "" && form.target2 !== "")
    return wrong("target1", "Fill the first target first.");
  const holdBars = figureOf("hold");
  const plan: Plan = {
    ...(stop !== undefined && {
      stop: {
        at: { kind: "percent", bps: stop },
        ...(breakEven !== undefined && { breakEvenAfterBps: breakEven }),
        ...(trailAfter !== undefined &&
          trailBy !== undefined && {
            trail: {
              afterBps: trailAfter,
              by: { kind: "percent", bps: trailBy },
              stepBps: Math.min(STEP_BPS, trailBy),
            },
          }),
      },
    }),
    ...(targets.length > 0 && { targets }),
    ...(holdBars !== undefined && { holdBars }),
  };
  const leverage = figureOf("leverage") ?? 1;
  const planned = Object.keys(plan).length === 0 ? null : plan;
  const fault = findPlanFault(planned, { ...context, leverage });
  if (fault === null) return { ok: true, plan: planned, leverage };
  return wrong(PLACES[fault.field] ?? "stop", fault.message);
}
