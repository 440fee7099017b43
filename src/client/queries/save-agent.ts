import { useMutation } from "@tanstack/react-query";
import type { ResponseOf } from "../../contract/route.ts";
import { createCompleteAgent, updateCompleteAgent } from "../../contract/save-agent.ts";
import type { AgentId } from "../../domain/ids.ts";
import { call } from "../lib/api.ts";
import { type Agent, toAgent } from "./agent.ts";
import { useAgentChanged } from "./agents.ts";
import { type CompleteDraft, toWireDraft } from "./draft.ts";
import type { SignedInWallet } from "../lib/session.ts";

interface ChangedDraft extends CompleteDraft {
  /** `updatedAt` of the agent when the dialog was opened; detects concurrent saves. */
  readonly updatedAt: string;
}

/** Result of a save, with everything the server dropped. */
export interface SavedAgent {
  readonly agent: Agent;
  readonly dropped: WireSaved["dropped"];
}

type WireSaved = ResponseOf<typeof createCompleteAgent>;

const toSaved = ({ agent, dropped }: WireSaved): SavedAgent => ({ agent: toAgent(agent), dropped });

export function useCreateCompleteAgent(address: SignedInWallet) {
  const changed = useAgentChanged(address);
  return useMutation({
    mutationFn: async (draft: CompleteDraft) =>
      toSaved(await call(createCompleteAgent, { body: toWireDraft(draft) })),
    onSuccess: ({ agent }) => changed(agent),
  });
}

export function useUpdateCompleteAgent(address: SignedInWallet) {
  const changed = useAgentChanged(address);
  return useMutation({
    mutationFn: async ({ agentId, draft }: { agentId: AgentId; draft: ChangedDraft }) =>
      toSaved(
        await call(updateCompleteAgent, {
          params: { botId: agentId },
          body: { ...toWireDraft(draft), updatedAt: draft.updatedAt },
        }),
      ),
    onSuccess: ({ agent }) => changed(agent),
  });
}
