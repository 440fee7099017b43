import { type ReactNode, Suspense, useState } from "react";
import type { AgentReport } from "../../../../assistant/simulate-agent.ts";
import type { Network } from "../../../../domain/network.ts";
import {
  findPlanFault,
  nearestLiquidation,
  type PlanFault,
} from "../../../../domain/plan/check-plan.ts";
import type { Plan } from "../../../../domain/plan/plan.ts";
import { type PlanSides, planSentences } from "../../../../domain/plan/plan-words.ts";
import type { SimulatedAgent } from "../../../../strategy/simulation.ts";
import { VENUE_PROFILES } from "../../../../venues/profiles.ts";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { Form } from "../../../ui/form.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";

/** A plan to run a simulation with instead of the agent's own. */
interface TriedPlan {
  readonly plan: Plan | null;
  readonly leverage: number;
}

/** What the fields of a tried plan show and change. */
export interface PlanFieldsProps extends TriedPlan {
  readonly agent: SimulatedAgent;
  readonly network: Network;
  readonly sides: PlanSides;
  /** Maintenance margin of the market, in millionths. */
  readonly maintenancePpm: number;
  readonly fault: PlanFault | null;
  readonly onChange: (changed: Partial<TriedPlan>) => void;
}

/** Draws the fields of a plan as the agent's form has them. */
export type DrawPlanFields = (props: PlanFieldsProps) => ReactNode;

interface PlanTrialProps {
  readonly done: AgentReport;
  readonly planFields: DrawPlanFields;
  /** The plan that the agent itself has; null for none. */
  readonly ownPlan: Plan | null;
  readonly form: TriedPlan;
  readonly onForm: (changed: Partial<TriedPlan>) => void;
  readonly onTry: (tried: TriedPlan | null) => void;
}

const NO_PLAN: TriedPlan = { plan: null, leverage: 1 };

/** Returns the agent with the plan that is tried, and what the card of the plan needs. */
export function useTriedPlan(simulated: SimulatedAgent | null) {
  const [form, setForm] = useState(NO_PLAN);
  const [tried, setTried] = useState<TriedPlan | null>(null);
  return {
    agent: simulated && { ...simulated, ...tried },
    isTried: tried !== null,
    props: {
      ownPlan: simulated?.plan ?? null,
      form,
      onForm: (changed: Partial<TriedPlan>) => setForm((before) => ({ ...before, ...changed })),
      onTry: setTried,
    },
  };
}

/** Card in which stops, targets and a time are tried on the agent's history. */
export function PlanTrial(props: PlanTrialProps) {
  const { done, planFields, ownPlan, form, onForm, onTry } = props;
  const { agent, costs } = done.request;
  const { market, positionSizePercent } = agent;
  const venue = VENUE_PROFILES[market.venue];
  const [isShown, setShown] = useState(false);
  const context = { ...form, positionSizePercent, venue, costs };
  const fault = findPlanFault(form.plan, context);
  const sides = (["long", "short"] as const).filter((side) =>
    agent.rules.some(({ action }) => action === (side === "long" ? "OPEN_LONG" : "OPEN_SHORT")),
  );
  const nearest =
    fault === null && market.kind === "perpetual" ? nearestLiquidation(context, context) : null;
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
      <Form
        className="flex flex-col gap-3"
        onSubmit={() => {
          setShown(true);
          if (fault === null) onTry(form.plan === null ? null : form);
        }}
      >
        <Suspense fallback={<Skeleton className="h-24" />}>
          {planFields({
            ...form,
            agent,
            network: done.network,
            sides,
            maintenancePpm: costs.maintenancePpm,
            fault: isShown ? fault : null,
            onChange: onForm,
          })}
        </Suspense>
        <div className="flex items-end gap-2">
          <Button type="submit" tone="primary">
            Run with this plan
          </Button>
          <Button
            onClick={() => {
              setShown(false);
              onForm(NO_PLAN);
              onTry(null);
            }}
          >
            {ownPlan === null ? "Without a plan" : "With its own plan"}
          </Button>
        </div>
      </Form>
      {fault === null && form.plan !== null && (
        <p className="text-sm" role="status">
          {planSentences(form.plan, sides).join(" ")}
          {nearest !== null &&
            ` The venue would liquidate a ${nearest.side} ${nearest.bps / 100} % from its entry.`}
        </p>
      )}
    </Card>
  );
}
