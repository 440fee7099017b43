import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { alertsQuery } from "../../queries/alerts.ts";
import { rulesQuery } from "../../queries/rules.ts";
import { simulatedAgent } from "../../workers/simulated-agent.ts";
import type { AgentDraft, SimulationPanelProps } from "./panel-props.ts";

/** Returns the agent to simulate: the draft, or the saved agent when the user chose it. */
export function useShownAgent({
  address,
  agent,
  draft,
}: Pick<SimulationPanelProps, "address" | "agent" | "draft">) {
  const agentId = agent?.id ?? "";
  const alerts = useQuery(alertsQuery(address, agentId));
  const rules = useQuery(rulesQuery(address, agentId));
  /** Draft for which the user chose the saved agent instead; a newer draft is shown again. */
  const [savedFor, setSavedFor] = useState<AgentDraft | null>(null);
  const shownDraft = draft !== null && (agent === null || savedFor !== draft) ? draft : null;
  const saved = useMemo(
    () =>
      agent === null || alerts.data === undefined || rules.data === undefined
        ? null
        : simulatedAgent(agent, alerts.data, rules.data),
    [agent, alerts.data, rules.data],
  );
  return {
    /** Null while the saved agent loads. */
    simulated: shownDraft?.agent ?? saved,
    /** Null when the saved agent is shown. */
    shownDraft,
    showDraft: (isShown: boolean) => setSavedFor(isShown ? null : draft),
    /** Reads the shown agent needs. */
    reads: shownDraft === null ? [alerts, rules] : [],
  };
}
