import { Plus } from "lucide-react";
import { useId } from "react";
import type { Network } from "../../../../domain/network.ts";
import type { PlanFault } from "../../../../domain/plan/check-plan.ts";
import type { Adds, Plan, Stop, Target, TargetDistance } from "../../../../domain/plan/plan.ts";
import { keptWords, losingSide, type PlanSides } from "../../../../domain/plan/plan-words.ts";
import { Button } from "../../../ui/button.tsx";
import { Select } from "../../../ui/select.tsx";
import { Switch } from "../../../ui/switch.tsx";
import type { PreviewMarket } from "../rules/condition-preview.tsx";
import { InlineNumber } from "../rules/inline-number.tsx";
import { DistanceFields, type LeverageField, LeverageLine, Line, Percent } from "./plan-fields.tsx";
import { PlanPicture } from "./plan-picture.tsx";

interface PlanSectionProps {
  readonly plan: Plan | null;
  readonly sides: PlanSides;
  /** Null until market and interval are chosen. */
  readonly market: PreviewMarket | null;
  /** The stop rests at the exchange. */
  readonly isResting: boolean;
  readonly network: Network;
  /** Leverage of entries and what its liquidation price needs; null where the venue has none. */
  readonly leverage: LeverageField | null;
  /** First fault; null while the plan can be saved. */
  readonly fault: PlanFault | null;
  /** It is tried on history: nothing of it is carried out. */
  readonly isTried?: boolean;
  readonly onChange: (plan: Plan | null) => void;
}

type FaultOf = (field: string) => string | null;

/** What an agent does with a position once it is open, as sentences with fields. */
export default function PlanSection(props: PlanSectionProps) {
  const { plan, sides, market, isResting, network, leverage, fault, isTried, onChange } = props;
  const headingId = useId();
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
    <section aria-labelledby={headingId} className="flex flex-col gap-2">
      <header className={isTried ? "sr-only" : ""}>
        <h3 id={headingId} className="text-sm font-semibold">
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
          <PlanPicture plan={plan} sides={sides} market={market} onChange={change} />
        </div>
      )}
      {leverage !== null && leverage.value !== 1 && (
        <ul>
          <LeverageLine field={leverage} plan={plan} market={market} fault={faultOf("leverage")} />
        </ul>
      )}
      {faultOf("plan.targets") !== null && (
        <p role="alert" className="text-xs text-down">
          {faultOf("plan.targets")}
        </p>
      )}
      <AddButtons plan={shown} leverage={leverage} onChange={change} />
      {shown.stop && !isTried && (
        <>
          <Switch
            label="Close if the stop cannot be placed for 30 s"
            checked={shown.closeWithoutStop !== false}
            onCheckedChange={(isOn) => change({ closeWithoutStop: isOn ? undefined : false })}
          />
          <p className="text-xs text-muted">
            {isResting ? `The stop: ${keptWords("resting", network)} All else: ` : ""}
            {keptWords("watched", network)}
          </p>
        </>
      )}
    </section>
  );
}

type Change = (parts: { readonly [Part in keyof Plan]: Plan[Part] | undefined }) => void;

const FIRST_STOP: Stop = { at: { kind: "percent", bps: 300 } };
/** Distance between targets that are added one after the other. */
const TARGET_BPS = 400;
const FIRST_ADDS: Adds = { on: { kind: "favour", bps: 200 }, times: 1, sizePercent: 50 };
const MOST_TARGETS = 4;

/** Buttons for what the plan does not say yet. */
function AddButtons({
  plan,
  leverage,
  onChange,
}: {
  readonly plan: Plan;
  readonly leverage: LeverageField | null;
  readonly onChange: Change;
}) {
  const { stop, targets = [], adds, maxPositionPercent, holdBars } = plan;
  const rest = 100 - targets.reduce((sum, { closePercent }) => sum + closePercent, 0);
  const choices: readonly (readonly [string, boolean, () => void])[] = [
    ["Stop", stop === undefined, () => onChange({ stop: FIRST_STOP })],
    [
      "Target",
      targets.length < MOST_TARGETS && rest > 0,
      () =>
        onChange({
          targets: [
            ...targets,
            {
              at: { kind: "percent", bps: TARGET_BPS * (targets.length + 1) },
              closePercent: Math.min(50, rest),
            },
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
    [
      "Adding",
      adds === undefined,
      // Without room for it an add would be a fault at once
      () => onChange({ adds: FIRST_ADDS, maxPositionPercent: maxPositionPercent ?? 100 }),
    ],
    [
      "Largest position",
      maxPositionPercent === undefined,
      () => onChange({ maxPositionPercent: 100 }),
    ],
    ["Time", holdBars === undefined, () => onChange({ holdBars: 48 })],
    [
      "Leverage",
      leverage?.value === 1,
      () => {
        // Above 1 only together with a stop
        if (stop === undefined) onChange({ stop: FIRST_STOP });
        leverage?.onChange(2);
      },
    ],
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

interface StopLinesProps {
  readonly stop: Stop | undefined;
  readonly sides: PlanSides;
  readonly faultOf: FaultOf;
  readonly onChange: Change;
}

function StopLines({ stop, sides, faultOf, onChange }: StopLinesProps) {
  if (stop === undefined) return null;
  const { trail, breakEvenAfterBps, ...fixed } = stop;
  const rest = { ...(trail && { trail }), ...(breakEvenAfterBps && { breakEvenAfterBps }) };
  const setTrail = (parts: Partial<NonNullable<Stop["trail"]>>) =>
    trail && onChange({ stop: { ...stop, trail: { ...trail, ...parts } } });
  return (
    <>
      <Line name="stop" onDelete={() => onChange({ stop: undefined, closeWithoutStop: undefined })}>
        Stop
        <DistanceFields
          name="Stop"
          at={stop.at}
          fault={faultOf("plan.stop.at")}
          onChange={(at) => onChange({ stop: { ...stop, at } })}
        />
        {losingSide(sides)} the average entry.
      </Line>
      {breakEvenAfterBps !== undefined && (
        <Line
          name="break-even"
          onDelete={() => onChange({ stop: { ...fixed, ...(trail && { trail }) } })}
        >
          From
          <Percent
            label="Break-even from, % profit"
            bps={breakEvenAfterBps}
            fault={faultOf("plan.stop.breakEvenAfter")}
            onChange={(bps) => onChange({ stop: { ...stop, breakEvenAfterBps: bps } })}
          />
          profit on the stop is at the average entry or better.
        </Line>
      )}
      {trail !== undefined && (
        <Line
          name="trailing"
          onDelete={() => {
            const { trail: _removed, ...kept } = rest;
            onChange({ stop: { ...fixed, ...kept } });
          }}
        >
          From
          <Percent
            label="Trailing from, % profit"
            bps={trail.afterBps}
            fault={faultOf("plan.stop.trail.after")}
            onChange={(afterBps) => setTrail({ afterBps })}
          />
          profit on the stop follows
          <DistanceFields
            name="Trailing behind"
            at={trail.by}
            fault={faultOf("plan.stop.trail.by")}
            onChange={(by) => setTrail({ by })}
          />
          behind the best price, in steps of
          <Percent
            label="Trailing step, %"
            bps={trail.stepBps}
            fault={faultOf("plan.stop.trail.step")}
            onChange={(stepBps) => setTrail({ stepBps })}
          />
        </Line>
      )}
    </>
  );
}

interface TargetLinesProps {
  readonly targets: readonly Target[];
  readonly hasStop: boolean;
  readonly faultOf: FaultOf;
  readonly onChange: (targets: readonly Target[] | undefined) => void;
}

const targetKinds = (hasStop: boolean) => [
  { value: "percent", label: "profit" },
  { value: "r", label: "times the stop", disabled: !hasStop },
];

function TargetLines({ targets, hasStop, faultOf, onChange }: TargetLinesProps) {
  return targets.map((target, index) => {
    const number = index + 1;
    const path = `plan.targets.${index}`;
    const set = (changed: Target) => onChange(targets.with(index, changed));
    const setAt = (at: TargetDistance) => set({ ...target, at });
    const { at } = target;
    const remaining = targets.filter((_each, other) => other !== index);
    return (
      <Line
        key={index}
        name={`target ${number}`}
        onDelete={() => onChange(remaining.length === 0 ? undefined : remaining)}
      >
        Close
        <InlineNumber
          label={`Part of target ${number}, %`}
          value={target.closePercent}
          suffix="%"
          fault={faultOf(`${path}.close`)}
          onChange={(closePercent) => set({ ...target, closePercent })}
        />
        at
        {at.kind === "percent" ? (
          <Percent
            label={`Target ${number}, % profit`}
            bps={at.bps}
            fault={faultOf(`${path}.at`)}
            onChange={(bps) => setAt({ kind: "percent", bps })}
          />
        ) : (
          <InlineNumber
            label={`Target ${number}, times the stop's distance`}
            value={at.timesHundredths / 100}
            maxDecimals={2}
            fault={faultOf(`${path}.at`)}
            onChange={(times) => setAt({ kind: "r", timesHundredths: Math.round(times * 100) })}
          />
        )}
        <Select
          className="max-w-36"
          aria-label={`Target ${number} measured in`}
          value={at.kind}
          options={targetKinds(hasStop)}
          onValueChange={(kind) =>
            setAt(kind === "r" ? { kind, timesHundredths: 200 } : { kind: "percent", bps: 400 })
          }
        />
      </Line>
    );
  });
}

const ADD_WAYS = [
  { value: "favour", label: "in profit" },
  { value: "against", label: "against it" },
  { value: "signal", label: "on a further opening signal" },
];

interface AddsLineProps {
  readonly adds: Adds;
  readonly faultOf: FaultOf;
  readonly onChange: Change;
}

function AddsLine({ adds, faultOf, onChange }: AddsLineProps) {
  const { on, times, sizePercent } = adds;
  const set = (parts: Partial<Adds>) => onChange({ adds: { ...adds, ...parts } });
  return (
    <Line name="adding" onDelete={() => onChange({ adds: undefined })}>
      Add
      <InlineNumber
        label="Size of an add, % of the first entry"
        value={sizePercent}
        suffix="%"
        fault={faultOf("plan.adds.size")}
        onChange={(size) => set({ sizePercent: size })}
      />
      of the first entry, at most
      <InlineNumber
        label="Most adds"
        value={times}
        suffix={times === 1 ? "time" : "times"}
        fault={faultOf("plan.adds.times")}
        onChange={(most) => set({ times: most })}
      />
      {on.kind !== "signal" && (
        <>
          every
          <Percent
            label="Distance of an add, %"
            bps={on.bps}
            fault={faultOf("plan.adds.on")}
            onChange={(bps) => set({ on: { ...on, bps } })}
          />
        </>
      )}
      <Select
        className="max-w-52"
        aria-label="When it adds"
        value={on.kind}
        options={ADD_WAYS}
        onValueChange={(kind) =>
          set({
            on:
              kind === "signal"
                ? { kind }
                : { kind: kind as "favour" | "against", bps: on.kind === "signal" ? 200 : on.bps },
          })
        }
      />
    </Line>
  );
}
