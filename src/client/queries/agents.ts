import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { AgentId, ChatId } from "../../domain/ids.ts";
import { type Agent, toAgent } from "./agent.ts";
import type { CallOf } from "../../contract/route.ts";
import {
  deleteAgent,
  endExits,
  getAgentByChat,
  savePrompts,
  setHypothesisStatus,
  setTradingStatus,
} from "../../contract/agents.ts";
import { resumeAgent, setOwnerLimits } from "../../contract/owner-limits.ts";
import { call } from "../lib/api.ts";
import { keysOf } from "./keys.ts";
import type { SignedInWallet } from "../lib/session.ts";

/** Agent of a chat; null without one. */
export const agentQuery = (address: SignedInWallet, chatId: ChatId | "") =>
  queryOptions({
    queryKey: keysOf(address).agentOfChat(chatId),
    queryFn: async () => {
      const found = await call(getAgentByChat, { params: { chatId } });
      return found && toAgent(found);
    },
    enabled: address !== "" && chatId !== "",
    staleTime: 30_000,
  });

/** Returns a function that invalidates every query showing a changed agent. */
export function useAgentChanged(address: SignedInWallet) {
  const client = useQueryClient();
  return (agent?: Agent) => {
    const keys = keysOf(address);
    if (agent) client.setQueryData(keys.agentOfChat(agent.chatId), agent);
    const stale = agent
      ? [keys.alerts(agent.id), keys.rules(agent.id), keys.custody(agent.id)]
      : [];
    return Promise.all(
      [keys.chats, keys.agents, ...stale].map((queryKey) => client.invalidateQueries({ queryKey })),
    );
  };
}

export function useSavePrompts(address: SignedInWallet) {
  const changed = useAgentChanged(address);
  return useMutation({
    mutationFn: async (prompts: Pick<Agent, "id" | "buyReportPrompt" | "sellReportPrompt">) => {
      const { id, ...agent } = prompts;
      return toAgent(await call(savePrompts, { params: { id }, body: { agent } }));
    },
    onSuccess: changed,
  });
}

export function useSetWritesHypotheses(address: SignedInWallet) {
  const changed = useAgentChanged(address);
  return useMutation({
    mutationFn: async ({ id, writesHypotheses }: Pick<Agent, "id" | "writesHypotheses">) =>
      toAgent(
        await call(setHypothesisStatus, {
          params: { id },
          body: { hypothesisStatus: writesHypotheses ? "on" : "off" },
        }),
      ),
    onSuccess: changed,
  });
}

/** Sets auto-trade without an optimistic update: the switch shows the server's answer. */
export function useSetAutoTrade(address: SignedInWallet) {
  const changed = useAgentChanged(address);
  return useMutation({
    mutationFn: async ({ id, autoTrade }: { id: AgentId; autoTrade: "on" | "off" }) =>
      toAgent(
        await call(setTradingStatus, { params: { botId: id }, body: { tradingStatus: autoTrade } }),
      ),
    onSuccess: changed,
    onError: () => changed(),
  });
}

/** Replaces the owner's limits; looser limits need the wallet's signature. */
export function useSetOwnerLimits(address: SignedInWallet) {
  const changed = useAgentChanged(address);
  return useMutation({
    mutationFn: async ({ id, limits }: CallOf<typeof setOwnerLimits>["body"] & { id: AgentId }) =>
      toAgent(await call(setOwnerLimits, { params: { botId: id }, body: { limits } })),
    onSuccess: changed,
  });
}

/** Resumes an agent paused by a limit; needs the wallet's signature. */
export function useResumeAgent(address: SignedInWallet) {
  const changed = useAgentChanged(address);
  return useMutation({
    mutationFn: async (id: AgentId) => toAgent(await call(resumeAgent, { params: { botId: id } })),
    onSuccess: changed,
    onError: () => changed(),
  });
}

/** Ends the open exits without closing the remaining positions. */
export function useEndExits(address: SignedInWallet) {
  const changed = useAgentChanged(address);
  return useMutation({
    mutationFn: async (id: AgentId) => toAgent(await call(endExits, { params: { botId: id } })),
    onSuccess: changed,
    onError: () => changed(),
  });
}

export function useDeleteAgent(address: SignedInWallet) {
  const changed = useAgentChanged(address);
  return useMutation({
    mutationFn: (id: AgentId) => call(deleteAgent, { params: { botId: id } }),
    onSuccess: () => changed(),
  });
}
