import { Plus } from "lucide-react";
import type { PlanFault } from "../../../../domain/plan/check-plan.ts";
import type { Adds, Plan, Stop, Target } from "../../../../domain/plan/plan.ts";
import { type PlanSides } from "../../../../domain/plan/plan-words.ts";
import { Button } from "../../../ui/button.tsx";
import { Switch } from "../../../ui/switch.tsx";
import { InlineNumber } from "../rules/inline-number.tsx";
import {
  AddsLine,
  type Change,
  type FaultOf,
  Line,
  StopLines,
  TargetLines,
} from "./plan-lines.tsx";
import { PlanPicture } from "./plan-picture.tsx";

interface PlanSectionProps {
  readonly plan: Plan | null;
  readonly sides: PlanSides;
  /** First fault; null while the plan can be saved. */
  readonly fault: PlanFault | null;
  readonly onChange: (plan: Plan | null) => void;
}

/** What an agent does with a position once it is open, as sentences with fields. */
export default function PlanSection({ plan, sides, fault, onChange }: PlanSectionProps) {
  const shown = plan ?? {};
  const faultOf: FaultOf = (field) => (fault?.field === field ? fault.message : null);
  const change = (parts: { readonly [Part in keyof Plan]: Plan[Part] | undefined }) => {
    const next = Object.fromEntries(
      Object.entries({ ...shown, ...parts }).filter(([, part]) => part !== undefined),
    ) as Plan;
    const isEmpty = Object.keys(next).every((part) => part === "closeWithoutStop");
    onChange(isEmpty ? null : next);
  };
  return (
    <section aria-labelledby="plan-heading" className="flex flex-col gap-2">
      <header>
        <h3 id="plan-heading" className="text-sm font-semibold">
          Plan for an open position
        </h3>
        <p className="text-xs text-muted">
          What happens to a position between its entry and the rule that closes it.
        </p>
      </header>
      {plan !== null && (
        <div className="flex flex-col gap-2 sm:flex-row sm:items-start">
          <ul className="flex min-w-0 grow flex-col gap-2">
            <StopLines stop={shown.stop} sides={sides} faultOf={faultOf} onChange={change} />
            <TargetLines
              targets={shown.targets ?? []}
              hasStop={shown.stop !== undefined}
              faultOf={faultOf}
              onChange={(targets) => change({ targets })}
            />
            {shown.adds && <AddsLine adds={shown.adds} faultOf={faultOf} onChange={change} />}
            {shown.maxPositionPercent !== undefined && (
              <Line
                name="largest position"
                onDelete={() => change({ maxPositionPercent: undefined })}
              >
                The position is at most
                <InlineNumber
                  label="Largest position, % of the collateral"
                  value={shown.maxPositionPercent}
                  suffix="%"
                  fault={faultOf("plan.maxPosition")}
                  onChange={(maxPositionPercent) => change({ maxPositionPercent })}
                />
                of the collateral.
              </Line>
            )}
            {shown.holdBars !== undefined && (
              <Line name="time" onDelete={() => change({ holdBars: undefined })}>
                Close after
                <InlineNumber
                  label="Bars until it is closed"
                  value={shown.holdBars}
                  fault={faultOf("plan.hold")}
                  onChange={(holdBars) => change({ holdBars })}
                />
                bars.
              </Line>
            )}
          </ul>
          <PlanPicture plan={plan} sides={sides} />
        </div>
      )}
      {faultOf("plan.targets") !== null && (
        <p role="alert" className="text-xs text-down">
          {faultOf("plan.targets")}
        </p>
      )}
      <AddButtons plan={shown} onChange={change} />
      {shown.stop && (
        <>
          <Switch
            label="Close an entry whose stop is not placed in 30 s"
            checked={shown.closeWithoutStop !== false}
            onCheckedChange={(isOn) => change({ closeWithoutStop: isOn ? undefined : false })}
          />
          <p className="text-xs text-muted">
            Watched by this server. Does not hold while it is off.
          </p>
        </>
      )}
    </section>
  );
}

const FIRST_STOP: Stop = { at: { kind: "percent", bps: 300 } };
const FIRST_TARGET: Target = { at: { kind: "percent", bps: 400 }, closePercent: 50 };
const FIRST_ADDS: Adds = { on: { kind: "favour", bps: 200 }, times: 1, sizePercent: 50 };
const MOST_TARGETS = 4;

/** Buttons for what the plan does not say yet. */
function AddButtons({ plan, onChange }: { readonly plan: Plan; readonly onChange: Change }) {
  const { stop, targets = [], adds, maxPositionPercent, holdBars } = plan;
  const rest = 100 - targets.reduce((sum, { closePercent }) => sum + closePercent, 0);
  const choices: readonly (readonly [string, boolean, () => void])[] = [
    ["Stop", stop === undefined, () => onChange({ stop: FIRST_STOP })],
    [
      "Target",
      targets.length < MOST_TARGETS && !(rest <= 0),
      () =>
        onChange({
          targets: [
            ...targets,
            { ...FIRST_TARGET, closePercent: Math.min(FIRST_TARGET.closePercent, rest) },
          ],
        }),
    ],
    [
      "Break-even",
      stop !== undefined && stop.breakEvenAfterBps === undefined,
      () => onChange({ stop: { ...(stop ?? FIRST_STOP), breakEvenAfterBps: 200 } }),
    ],
    [
      "Trailing",
      stop !== undefined && stop.trail === undefined,
      () =>
        onChange({
          stop: {
            ...(stop ?? FIRST_STOP),
            trail: { afterBps: 400, by: { kind: "percent", bps: 200 }, stepBps: 25 },
          },
        }),
    ],
    ["Adding", adds === undefined, () => onChange({ adds: FIRST_ADDS })],
    [
      "Largest position",
      maxPositionPercent === undefined,
      () => onChange({ maxPositionPercent: 100 }),
    ],
    ["Time", holdBars === undefined, () => onChange({ holdBars: 48 })],
  ];
  return (
    <div role="group" aria-label="Add to the plan" className="flex flex-wrap gap-2">
      {choices
        .filter(([, isOffered]) => isOffered)
        .map(([name, , add]) => (
          <Button key={name} size="small" onClick={add}>
            <Plus aria-hidden />
            {name}
          </Button>
        ))}
    </div>
  );
}
