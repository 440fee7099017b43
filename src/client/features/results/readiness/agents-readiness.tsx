import { useState } from "react";
import { getAgentByChat } from "../../../../contract/agents.ts";
import type { ChatId } from "../../../../domain/ids.ts";
import { useRead } from "../../../queries/read.ts";
import { Field } from "../../../ui/field.tsx";
import { NotLoaded } from "../../../ui/not-loaded.tsx";
import { Select } from "../../../ui/select.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import ReadinessCard from "./readiness-card.tsx";

interface AgentsReadinessProps {
  /** Agents with play money, at least one. */
  readonly agents: readonly { readonly chatId: ChatId; readonly name: string }[];
  readonly onOpen: (chatId: ChatId) => void;
}

/** Readiness of one agent of several, chosen by name. */
export default function AgentsReadiness({ agents, onOpen }: AgentsReadinessProps) {
  const [wanted, setWanted] = useState("");
  const chatId = (agents.find((each) => each.chatId === wanted) ?? agents[0])?.chatId ?? "";
  const agent = useRead(getAgentByChat, { params: { chatId } });
  return (
    <div className="flex flex-col gap-3">
      {agents.length > 1 && (
        <Field label="Agent" className="w-72 max-w-full">
          <Select
            value={chatId}
            onValueChange={setWanted}
            options={agents.map((each) => ({ value: each.chatId, label: each.name }))}
          />
        </Field>
      )}
      {agent.data ? (
        <ReadinessCard key={chatId} agent={agent.data} onOpen={onOpen} />
      ) : agent.isError ? (
        <NotLoaded onRetry={agent.refetch}>The agent could not be loaded.</NotLoaded>
      ) : (
        <Skeleton className="h-40" />
      )}
    </div>
  );
}
