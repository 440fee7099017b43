import { queryOptions, type QueryClient, useQueries, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { AgentReport } from "../../../../assistant/simulate-agent.ts";
import { isIntervalInRange, parseInterval } from "../../../../domain/interval.ts";
import { clock } from "../../../lib/clock.ts";
import { type SignedInWallet, useOwner } from "../../../lib/session.ts";
import { simulateAgent } from "../../../workers/simulate-agent.ts";
import { type AgentForm, intervalText } from "../agent-form.ts";
import { completeDraftOf } from "../form/form-draft.ts";
import { simulatedForm } from "../form/simulated-form.ts";

const MINUTES_A_DAY = 1_440;

/** Minimum history in days, and minimum number of bars for long intervals. */
const LEAST_DAYS = 90;
const LEAST_BARS = 300;

/** Simulated past of a draft. */
export type DraftRun = AgentReport & { readonly days: number };

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
export function useDraftRuns(forms: readonly AgentForm[]) {
  const client = useQueryClient();
  const owner = useOwner();
  const [nowMs] = useState(() => clock.now());
  return useQueries({ queries: forms.map((form) => runQuery(client, owner, form, nowMs)) });
}
