import { useQueryClient } from "@tanstack/react-query";
import type { Agent } from "../../contract/agent.ts";
import {
  deleteAgent,
  endExits,
  getAgentByChat,
  savePrompts,
  setHypothesisStatus,
  setTradingStatus,
} from "../../contract/agents.ts";
import { resumeAgent, setOwnerLimits } from "../../contract/owner-limits.ts";
import type { ChatId } from "../../domain/ids.ts";
import { keysOf } from "./keys.ts";
import { read, useChange } from "./read.ts";
import type { SignedInWallet } from "../lib/session.ts";

/** Agent of a chat; null without one. */
export const agentQuery = (address: SignedInWallet, chatId: ChatId | "") => ({
  ...read(keysOf(address).agentOfChat(chatId), getAgentByChat, chatId && { params: { chatId } }),
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
  return useChange(savePrompts, { onSuccess: useAgentChanged(address) });
}

export function useSetWritesHypotheses(address: SignedInWallet) {
  return useChange(setHypothesisStatus, { onSuccess: useAgentChanged(address) });
}

/** Sets auto-trade without an optimistic update: the switch shows the server's answer. */
export function useSetAutoTrade(address: SignedInWallet) {
  const changed = useAgentChanged(address);
  return useChange(setTradingStatus, { onSuccess: changed, onError: () => changed() });
}

/** Replaces the owner's limits; looser limits need the wallet's signature. */
export function useSetOwnerLimits(address: SignedInWallet) {
  return useChange(setOwnerLimits, { onSuccess: useAgentChanged(address) });
}

/** Resumes an agent paused by a limit; needs the wallet's signature. */
export function useResumeAgent(address: SignedInWallet) {
  const changed = useAgentChanged(address);
  return useChange(resumeAgent, { onSuccess: changed, onError: () => changed() });
}

/** Ends the open exits without closing the remaining positions. */
export function useEndExits(address: SignedInWallet) {
  const changed = useAgentChanged(address);
  return useChange(endExits, { onSuccess: changed, onError: () => changed() });
}

export function useDeleteAgent(address: SignedInWallet) {
  const changed = useAgentChanged(address);
  return useChange(deleteAgent, { onSuccess: () => changed() });
}
