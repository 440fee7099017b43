import { useLocation } from "wouter";
import { useStore } from "zustand";
import { useActionContext } from "../actions/action-context.ts";
import { SimulationPanel } from "../features/results/simulation/simulation-panel.tsx";
import { canSimulate, draftOf, simulatedDraft } from "./simulated-draft.ts";
import type { TabProps } from "./tab-props.ts";
import { searchOf } from "./tab-state.ts";
import { useOwner } from "../lib/session.ts";
import { Field } from "../ui/field.tsx";
import { Select } from "../ui/select.tsx";
import { lazyPart } from "../ui/lazy-part.tsx";
import type { DrawPlanFields } from "../features/results/simulation/plan-trial.tsx";
import { VENUE_PROFILES } from "../../venues/profiles.ts";

const PlanSection = lazyPart(() => import("../features/agent/plan/plan-section.tsx"));

/** The agent form's plan, to be tried on history. */
export const planFields: DrawPlanFields = ({ agent, network, leverage, onChange, ...rest }) => {
  const { market, intervalMinutes, positionSizePercent } = agent;
  const venue = VENUE_PROFILES[market.venue];
  return (
    <PlanSection
      isTried
      plan={rest.plan}
      sides={rest.sides}
      fault={rest.fault}
      market={{ network, asset: market.asset, intervalMinutes }}
      network={network}
      isResting={venue.keepsStops}
      leverage={
        market.kind === "perpetual"
          ? {
              value: leverage,
              positionSizePercent,
              sides: venue.sides,
              maintenancePpm: rest.maintenancePpm,
              onChange: (times) => onChange({ leverage: times }),
            }
          : null
      }
      onChange={(plan) => onChange({ plan })}
    />
  );
};

export default function SimulationTab({ chatId, agent, network, onShowOnChart }: TabProps) {
  const address = useOwner();
  const draft = draftOf(useStore(simulatedDraft), { address, chatId });
  const { chats } = useActionContext();
  const [, navigate] = useLocation();
  const others = (chats ?? []).flatMap((chat) => chat.agent ?? []);
  return (
    <SimulationPanel
      choice={
        others.length === 0 ? null : (
          <Field label="One of your agents">
            <Select
              value=""
              placeholder="Choose an agent"
              options={others.map(({ chatId: value, name: label }) => ({ value, label }))}
              onValueChange={(chosen) => navigate(`/chat/${chosen}${searchOf("simulation")}`)}
            />
          </Field>
        )
      }
      chatId={chatId}
      agent={agent}
      draft={draft !== null && canSimulate(draft) ? draft : null}
      network={network}
      planFields={planFields}
      onShowOnChart={onShowOnChart}
    />
  );
}
