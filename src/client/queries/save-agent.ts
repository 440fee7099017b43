import { createCompleteAgent, updateCompleteAgent } from "../../contract/save-agent.ts";
import { useAgentChanged } from "./agents.ts";
import { useChange } from "./read.ts";
import type { SignedInWallet } from "../lib/session.ts";

export function useCreateCompleteAgent(address: SignedInWallet) {
  const changed = useAgentChanged(address);
  return useChange(createCompleteAgent, { onSuccess: ({ agent }) => changed(agent) });
}

export function useUpdateCompleteAgent(address: SignedInWallet) {
  const changed = useAgentChanged(address);
  return useChange(updateCompleteAgent, { onSuccess: ({ agent }) => changed(agent) });
}
