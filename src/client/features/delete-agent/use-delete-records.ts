import { useQueryClient } from "@tanstack/react-query";
import type { Agent } from "../../queries/agent.ts";
import { describeProblem, isApiError, isNetworkError } from "../../lib/problem.ts";
import { toastDone, toastProblem } from "../../lib/toast.ts";
import { useDeleteAgent } from "../../queries/agents.ts";
import { useDeleteChat } from "../../queries/chats.ts";
import { deletionQuery } from "../../queries/custody.ts";
import type { SignedInWallet } from "../../lib/session.ts";

/** Running deletions by agent id; an approval may report its end more than once. */
const running = new Map<string, Promise<boolean>>();

const reasonOf = (error: unknown): string => describeProblem(error).message;

/**
 * Deletes an agent's records once nothing on chain needs them: the agent first, then its chat. Answers whether the
 * agent is gone; every failure is told in the specification's words.
 */
export function useDeleteRecords(address: SignedInWallet, { id: agentId, chatId }: Agent) {
  const client = useQueryClient();
  const deleteAgent = useDeleteAgent(address);
  const deleteChat = useDeleteChat(address);

  const deleteBoth = async (): Promise<boolean> => {
    let warnings: readonly string[];
    try {
      warnings = (await client.fetchQuery(deletionQuery(address, agentId))).warnings;
      await deleteAgent.mutateAsync(agentId);
    } catch (error) {
      if (!isApiError(error) && !isNetworkError(error)) {
        toastProblem({
          title: "Deletion failed",
          message: "An unexpected error occurred during agent deletion",
        });
        return false;
      }
      toastProblem({
        title: "Agent deletion failed",
        message: `Failed to delete agent from database: ${reasonOf(error)} Agent deletion failed - chat preserved to maintain data consistency.`,
      });
      return false;
    }
    for (const message of warnings.filter((text) => !text.startsWith("Recovered"))) {
      toastProblem({ title: "Agent deleted, with a warning", message });
    }
    try {
      await deleteChat.mutateAsync(chatId);
    } catch (error) {
      toastProblem({
        title: "Failed to delete chat",
        message: `${reasonOf(error)} The agent is deleted. Please delete the chat manually.`,
      });
    }
    const recovered = warnings.find((text) => text.startsWith("Recovered"));
    toastDone({
      title: "Agent deleted successfully",
      ...(recovered !== undefined && { message: recovered }),
    });
    return true;
  };

  return (): Promise<boolean> => {
    const begun = running.get(agentId) ?? deleteBoth().finally(() => running.delete(agentId));
    running.set(agentId, begun);
    return begun;
  };
}
