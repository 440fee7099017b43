import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Agent } from "../../contract/agent.ts";
import type { CallOf, ResponseOf } from "../../contract/route.ts";
import {
  createCompleteAgent,
  deleteAgent,
  endExits,
  getAgentByChat,
  savePrompts,
  setHypothesisStatus,
  setTradingStatus,
  updateCompleteAgent,
} from "../../contract/agents.ts";
import { resumeAgent, setOwnerLimits } from "../../contract/owner-limits.ts";
import { call } from "../lib/api.ts";
import { keysOf } from "./keys.ts";

/** What the agent dialog sends: agent, alerts and rules in one. */
export type CompleteDraft = CallOf<typeof createCompleteAgent>["body"];

type ChangedDraft = CallOf<typeof updateCompleteAgent>["body"];

/** What a save answers, with everything that was dropped. */
export type CompleteAgent = ResponseOf<typeof createCompleteAgent>;

/** The chat's agent, or null. */
export const agentQuery = (address: string, chatId: string) =>
  queryOptions({
    queryKey: keysOf(address).agentOfChat(chatId),
    queryFn: () => call(getAgentByChat, { params: { chatId } }),
    enabled: address !== "" && chatId !== "",
    staleTime: 30_000,
  });

/** Refreshes everything a changed agent shows up in. */
function useAgentChanged(address: string) {
  const client = useQueryClient();
  return (agent?: Agent) => {
    const keys = keysOf(address);
    if (agent) client.setQueryData(keys.agentOfChat(agent.chatId), agent);
    const stale = agent
      ? [keys.alerts(agent.botId), keys.rules(agent.botId), keys.custody(agent.botId)]
      : [];
    return Promise.all(
      [keys.chats, keys.agents, ...stale].map((queryKey) => client.invalidateQueries({ queryKey })),
    );
  };
}

export function useCreateCompleteAgent(address: string) {
  const changed = useAgentChanged(address);
  return useMutation({
    mutationFn: (body: CompleteDraft) => call(createCompleteAgent, { body }),
    onSuccess: ({ agent }) => changed(agent),
  });
}

export function useUpdateCompleteAgent(address: string) {
  const changed = useAgentChanged(address);
  return useMutation({
    mutationFn: ({ botId, body }: { botId: string; body: ChangedDraft }) =>
      call(updateCompleteAgent, { params: { botId }, body }),
    onSuccess: ({ agent }) => changed(agent),
  });
}

export function useSavePrompts(address: string) {
  const changed = useAgentChanged(address);
  return useMutation({
    mutationFn: (prompts: { botId: string; buyReportPrompt: string; sellReportPrompt: string }) => {
      const { botId, ...agent } = prompts;
      return call(savePrompts, { params: { id: botId }, body: { agent } });
    },
    onSuccess: changed,
  });
}

export function useSetHypothesisStatus(address: string) {
  const changed = useAgentChanged(address);
  return useMutation({
    mutationFn: ({ botId, status }: { botId: string; status: "on" | "off" }) =>
      call(setHypothesisStatus, {
        params: { id: botId },
        body: { hypothesisStatus: status },
      }),
    onSuccess: changed,
  });
}

/** Never optimistic: the switch shows what the server answered. */
export function useSetTradingStatus(address: string) {
  const changed = useAgentChanged(address);
  return useMutation({
    mutationFn: ({ botId, status }: { botId: string; status: "on" | "off" }) =>
      call(setTradingStatus, { params: { botId }, body: { tradingStatus: status } }),
    onSuccess: changed,
    onError: () => changed(),
  });
}

/** Replaces what the owner allows the agent; the wallet is asked where that lets more through. */
export function useSetOwnerLimits(address: string) {
  const changed = useAgentChanged(address);
  return useMutation({
    mutationFn: ({ botId, limits }: CallOf<typeof setOwnerLimits>["body"] & { botId: string }) =>
      call(setOwnerLimits, { params: { botId }, body: { limits } }),
    onSuccess: changed,
  });
}

/** Lets the agent go on that a limit paused; the wallet is asked. */
export function useResumeAgent(address: string) {
  const changed = useAgentChanged(address);
  return useMutation({
    mutationFn: (botId: string) => call(resumeAgent, { params: { botId } }),
    onSuccess: changed,
    onError: () => changed(),
  });
}

/** Gives up on closing what is open. */
export function useEndExits(address: string) {
  const changed = useAgentChanged(address);
  return useMutation({
    mutationFn: (botId: string) => call(endExits, { params: { botId } }),
    onSuccess: changed,
    onError: () => changed(),
  });
}

export function useDeleteAgent(address: string) {
  const changed = useAgentChanged(address);
  return useMutation({
    mutationFn: (botId: string) => call(deleteAgent, { params: { botId } }),
    onSuccess: () => changed(),
  });
}
