import { listAlerts } from "../../../../contract/alerts.ts";
import { type Rule, listRules } from "../../../../contract/rules.ts";
import { getAgentByChat } from "../../../../contract/agents.ts";
import { read, useRead } from "../../../queries/read.ts";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { freeAgentName } from "../../../../domain/agent-name.ts";
import type { ChatId } from "../../../../domain/ids.ts";
import type { Agent } from "../../../../contract/agent.ts";
import { defaultNetwork, deploymentQuery } from "../../../queries/deployment.ts";
import { formOfAgent, newAgentForm, type AgentForm } from "../agent-form.ts";
import type { AgentSection } from "../../../lib/dialogs.ts";
import { type SignedInWallet } from "../../../lib/session.ts";

/** Saved state the dialog edits, at the time of reading. */
export interface OpenedAgent {
  /** Null for an agent that does not exist yet. */
  readonly agent: Agent | null;
  readonly rules: readonly Rule[];
  readonly form: AgentForm;
}

/** Unsaved state of a dialog that was left for a simulation. */
export interface EditedAgent {
  /** State it was started from; a save compares with it. */
  readonly opened: OpenedAgent;
  readonly form: AgentForm;
  readonly section: AgentSection;
}

interface Read<T> {
  readonly data: T | undefined;
  readonly isError: boolean;
  readonly isFetching: boolean;
  readonly isFetchedAfterMount: boolean;
}

/** Returns data fetched after the dialog opened; cached data could undo changes made meanwhile. */
function freshly<T>({ data, isError, isFetching, isFetchedAfterMount }: Read<T>): T | undefined {
  return isError || isFetching || !isFetchedAfterMount ? undefined : data;
}

/** Returns a form whose name no other agent of the wallet has. */
export const withFreeName = (form: AgentForm, takenNames: readonly string[]): AgentForm => ({
  ...form,
  name: form.name === "" ? "" : freeAgentName(form.name, takenNames),
});

/** Loads the chat's agent and keeps the first complete result, even when session or cache change. */
export function useOpenedAgent(
  chatId: ChatId | null,
  edited: EditedAgent | null,
  takenNames: readonly string[],
) {
  const agentRead = useRead(getAgentByChat, { params: { chatId: chatId ?? "" } }, { staleTime: 0 });
  const agentId = agentRead.data?.id ?? "";
  const alertsRead = useRead(listAlerts, { params: { agentId } }, { staleTime: 0 });
  const rulesRead = useRead(listRules, { params: { agentId } }, { staleTime: 0 });
  const deployment = useQuery(deploymentQuery).data;
  const [opened, setOpened] = useState<OpenedAgent | null>(edited?.opened ?? null);

  if (opened === null) {
    const agent = chatId === null ? null : freshly(agentRead);
    const [alerts, rules] = [freshly(alertsRead), freshly(rulesRead)];
    if (agent === null && deployment !== undefined) {
      const form = newAgentForm(defaultNetwork(deployment));
      setOpened({ agent, rules: [], form: withFreeName(form, takenNames) });
    } else if (agent && alerts && rules) {
      setOpened({ agent, rules, form: formOfAgent(agent, alerts, rules) });
    }
  }
  const reads = [agentRead, alertsRead, rulesRead];
  return {
    opened,
    /** Current agent with the counts of its rules. */
    agent: agentRead.data ?? opened?.agent ?? null,
    rules: rulesRead.data ?? opened?.rules ?? [],
    failed: ["agent", "alerts", "rules"][reads.findIndex((read) => read.isError)],
    retry: () => reads.forEach((read) => read.isError && void read.refetch()),
  };
}

/** Refetches a saved agent; null when it was deleted. */
export async function readAgain(
  client: QueryClient,
  address: SignedInWallet,
  chatId: ChatId,
): Promise<OpenedAgent | null> {
  const agent = await client.fetchQuery({
    ...read(address, getAgentByChat, { params: { chatId } }),
    staleTime: 0,
  });
  if (agent === null) return null;
  const [alerts, rules] = await Promise.all([
    client.fetchQuery({
      ...read(address, listAlerts, { params: { agentId: agent.id } }),
      staleTime: 0,
    }),
    client.fetchQuery({
      ...read(address, listRules, { params: { agentId: agent.id } }),
      staleTime: 0,
    }),
  ]);
  return { agent, rules, form: formOfAgent(agent, alerts, rules) };
}
