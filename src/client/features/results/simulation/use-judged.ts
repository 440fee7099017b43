import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { reportAfter } from "../../../../strategy/report.ts";
import { useOwner } from "../../../lib/session.ts";
import { countTried, triedQuery } from "../../../queries/tried-variants.ts";
import type { AgentReport, TriedVariant } from "../../../../assistant/simulate-agent.ts";

/** Returns a run's report, judged by all variants the wallet ever tried on its market. */
export function useJudged({ network, request, report }: AgentReport) {
  const owner = useOwner();
  const client = useQueryClient();
  const on = { owner, network, market: request.agent.market };
  const all = useQuery(triedQuery(on));
  const counting = useMutation({
    mutationFn: (variants: readonly TriedVariant[]) => countTried(client, on, variants),
    retry: 3,
  });
  // Variants that are not counted yet would make the result look better than it is
  const tried = counting.isPending || counting.isError ? null : (all.data ?? null);
  const judged = useMemo(() => reportAfter(report, tried), [report, tried]);
  return { report: judged, addTried: counting.mutate };
}
