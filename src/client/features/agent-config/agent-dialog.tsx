import { useQuery } from "@tanstack/react-query";
import { agentQuery } from "../../queries/agents.ts";
import { alertsQuery } from "../../queries/alerts.ts";
import { defaultNetwork, deploymentQuery } from "../../queries/deployment.ts";
import { rulesQuery } from "../../queries/rules.ts";
import type { AgentProposal } from "../../lib/ai/agent-proposal.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { AgentEditor, type AgentEditorProps } from "./agent-editor.tsx";
import { applyProposal } from "./apply-proposal.ts";
import { formOfAgent, newAgentForm } from "./agent-form.ts";

type AgentDialogProps = Omit<AgentEditorProps, "initial" | "proposed" | "rules" | "agent"> & {
  /** Null when the chat is made on save. */
  readonly chatId: string | null;
  /** What the assistant proposes, filled in over what is saved. */
  readonly proposal?: AgentProposal | undefined;
};

/** Creates or changes the agent of one chat. Opens once everything it edits has been read. */
export default function AgentDialog(props: AgentDialogProps) {
  const { address, chatId, proposal } = props;
  const agentRead = useQuery(agentQuery(address, chatId ?? ""));
  const botId = agentRead.data?.botId ?? "";
  const alertsRead = useQuery(alertsQuery(address, botId));
  const rulesRead = useQuery(rulesQuery(address, botId));
  const deploymentRead = useQuery(deploymentQuery);
  const agent = chatId === null ? null : agentRead.data;

  if (agent === null && deploymentRead.data !== undefined) {
    const initial = newAgentForm(defaultNetwork(deploymentRead.data));
    return (
      <AgentEditor
        {...props}
        key="new"
        agent={null}
        rules={[]}
        initial={initial}
        proposed={proposal && applyProposal(initial, proposal)}
      />
    );
  }
  if (agent && alertsRead.data && rulesRead.data) {
    const initial = formOfAgent(agent, alertsRead.data, rulesRead.data);
    return (
      <AgentEditor
        {...props}
        key={agent.botId}
        agent={agent}
        rules={rulesRead.data}
        initial={initial}
        proposed={proposal && applyProposal(initial, proposal)}
      />
    );
  }
  const reads = [agentRead, alertsRead, rulesRead];
  const what = ["agent", "alerts", "rules"][reads.findIndex((read) => read.isError)];
  return (
    <Dialog
      open
      onOpenChange={props.onOpenChange}
      size="large"
      title="Agent configuration"
      footer={<Button onClick={() => props.onOpenChange(false)}>Cancel</Button>}
    >
      {what === undefined ? (
        <div className="flex flex-col gap-4" aria-busy="true">
          {["a", "b", "c", "d"].map((line) => (
            <Skeleton key={line} className="h-8" />
          ))}
        </div>
      ) : (
        <div role="alert" className="flex flex-col items-start gap-3 text-sm">
          <p className="font-semibold">
            Error Loading {what.charAt(0).toUpperCase() + what.slice(1)}
          </p>
          <p>Failed to load {what}. Please refresh and try again.</p>
          <Button onClick={() => reads.forEach((read) => read.isError && void read.refetch())}>
            Try again
          </Button>
        </div>
      )}
    </Dialog>
  );
}
