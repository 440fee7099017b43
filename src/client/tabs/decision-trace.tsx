import { useStore } from "zustand";
import { DecisionTrace } from "../features/trading/decisions/decision-trace.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Button } from "../ui/button.tsx";
import { openAgentDialog } from "../lib/dialogs.ts";
import { shownDecision } from "./handed-over.ts";
import type { TabProps } from "./tab-props.ts";
import { useOwner } from "../lib/session.ts";

export default function DecisionTraceTab({ chatId, network, agent }: TabProps) {
  const address = useOwner();
  const shown = useStore(shownDecision);
  if (address === "") {
    return <EmptyState title="Sign in to see why your agent trades" />;
  }
  if (agent === null) {
    return (
      <EmptyState
        title="No agent in this chat"
        action={
          chatId !== "" && <Button onClick={() => openAgentDialog({ chatId })}>Create agent</Button>
        }
      >
        Its decisions appear here: every alert, and why it was traded or was not.
      </EmptyState>
    );
  }
  const entryId = shown?.chatId === chatId ? shown.entryId : null;
  return (
    <DecisionTrace
      key={`${agent.id} ${entryId}`}
      agentId={agent.id}
      network={network}
      entryId={entryId}
    />
  );
}
