import type { AgentFile } from "../../../contract/agent-file.ts";
import type { ChatId } from "../../../domain/ids.ts";
import type { AgentProposal } from "../../lib/ai/agent-proposal.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { AgentEditor, type AgentEditorProps } from "./agent-editor.tsx";
import { applyAgentFile } from "./apply-agent-file.ts";
import { applyProposal } from "./apply-proposal.ts";
import { type EditedAgent, useOpenedAgent } from "./use-opened-agent.ts";

type AgentDialogProps = Omit<
  AgentEditorProps,
  "opened" | "begun" | "proposed" | "proposedBy" | "rules" | "agent"
> & {
  /** Unsaved draft to continue. */
  readonly edited?: EditedAgent | null;
  /** Id of the chat; null when saving creates it. */
  readonly chatId: ChatId | null;
  /** Proposal of the assistant, applied over the saved agent. */
  readonly proposal?: AgentProposal | undefined;
  /** Agent file, applied over the saved agent. */
  readonly file?: AgentFile | undefined;
};

/** Dialog that creates or edits the agent of one chat. Opens after everything it edits has been loaded. */
export default function AgentDialog(props: AgentDialogProps) {
  const { address, chatId, proposal, file, edited = null } = props;
  const { opened, agent, rules, failed, retry } = useOpenedAgent(address, chatId, edited);
  if (opened !== null) {
    const begun = edited?.form ?? opened.form;
    return (
      <AgentEditor
        {...props}
        agent={agent}
        rules={rules}
        opened={opened}
        begun={begun}
        proposed={
          file === undefined
            ? proposal && applyProposal(begun, proposal)
            : applyAgentFile(begun, file)
        }
        proposedBy={file === undefined ? "assistant" : "file"}
      />
    );
  }
  return (
    <Dialog
      open
      onOpenChange={props.onOpenChange}
      size="large"
      title="Agent configuration"
      footer={<Button onClick={() => props.onOpenChange(false)}>Cancel</Button>}
    >
      {failed === undefined ? (
        <div className="flex flex-col gap-4" aria-busy="true">
          {["a", "b", "c", "d"].map((line) => (
            <Skeleton key={line} className="h-8" />
          ))}
        </div>
      ) : (
        <div role="alert" className="flex flex-col items-start gap-3 text-sm">
          <p className="font-semibold">
            Error Loading {failed.charAt(0).toUpperCase() + failed.slice(1)}
          </p>
          <p>Failed to load {failed}. Please refresh and try again.</p>
          <Button onClick={retry}>Try again</Button>
        </div>
      )}
    </Dialog>
  );
}
