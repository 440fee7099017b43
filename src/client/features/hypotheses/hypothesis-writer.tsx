import { useQueries, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { Agent } from "../../queries/agent.ts";
import { isoNow } from "../../lib/iso-now.ts";
import { describeProblem } from "../../lib/problem.ts";
import { toastProblem } from "../../lib/toast.ts";
import { unexplainedQuery } from "../../queries/hypotheses.ts";
import { writeHypotheses } from "./write-hypotheses.ts";
import type { SignedInWallet } from "../../lib/session.ts";

interface HypothesisWriterProps {
  readonly address: SignedInWallet;
  /** Agents with hypotheses turned on. */
  readonly agents: readonly Agent[];
}

/** Pause after a failure in milliseconds, so that an invalid key or empty account is not retried constantly. */
const PAUSE_MS = 10 * 60_000;

const pausedUntil = new Map<string, number>();

/** Ids of agents this tab is writing about. */
const busy = new Set<string>();

const now = () => Date.parse(isoNow());

/** Requests the missing hypotheses of these agents' trades. Renders nothing. */
export default function HypothesisWriter({ address, agents }: HypothesisWriterProps) {
  const queryClient = useQueryClient();
  const unexplained = useQueries({
    queries: agents.map(({ chatId }) => unexplainedQuery(address, chatId)),
  });
  const wanted = agents
    .flatMap((agent, at) => {
      const { oldest = null, count } = unexplained[at]?.data ?? {};
      return oldest === null ? [] : `${agent.id}/${oldest.id}/${count}`;
    })
    .join(" ");

  const stopRef = useRef(new AbortController());
  useEffect(() => {
    const stop = new AbortController();
    stopRef.current = stop;
    return () => stop.abort();
  }, [address]);

  useEffect(() => {
    const { signal } = stopRef.current;
    for (const agent of agents.filter(({ id }) => wanted.includes(id))) {
      if (busy.has(agent.id) || (pausedUntil.get(agent.id) ?? 0) > now()) continue;
      busy.add(agent.id);
      writeHypotheses({ owner: address, agent, queryClient, signal, now })
        .catch((error: unknown) => {
          if (signal.aborted) return;
          pausedUntil.set(agent.id, now() + PAUSE_MS);
          const { message } = describeProblem(error);
          toastProblem({ title: "Hypothesis not written", message });
        })
        .finally(() => busy.delete(agent.id));
    }
  }, [wanted, agents, address, queryClient]);
  return null;
}
