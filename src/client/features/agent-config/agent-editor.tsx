import { useState } from "react";
import type { ChatId } from "../../../domain/ids.ts";
import type { Agent } from "../../queries/agent.ts";
import type { Rule } from "../../queries/rules.ts";
import { AlertDialog } from "../../ui/alert-dialog.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { NetworkBadge } from "../../ui/network-badge.tsx";
import type { AgentForm } from "./agent-form.ts";
import type { FormProblem } from "./check-form.ts";
import type { DialogParts, DialogSection } from "./dialog-parts.ts";
import { EditorActions } from "./editor-actions.tsx";
import { EditorSections } from "./editor-sections.tsx";
import { ProposalBanner, type Proposer } from "./proposal-banner.tsx";
import { SaveConflict } from "./save-conflict.tsx";
import { useAgentEditor } from "./use-agent-editor.ts";
import type { EditedAgent, OpenedAgent } from "./use-opened-agent.ts";
import type { SignedInWallet } from "../../lib/session.ts";

export interface AgentEditorProps {
  /** Saved state at the time the dialog was opened. */
  readonly opened: OpenedAgent;
  /** Initial form: the kept draft, or the saved agent. */
  readonly begun: AgentForm;
  /** Form with the assistant's or the file's values; absent when the user opened the dialog by hand. */
  readonly proposed?: AgentForm | undefined;
  readonly proposedBy: Proposer;
  /** Section shown first; defaults to the first. */
  readonly section?: DialogSection | undefined;
  /** Current agent with its rules, refetched while the dialog is open. */
  readonly agent: Agent | null;
  readonly rules: readonly Rule[];
  /** Signed-in wallet; empty when the session was lost meanwhile. */
  readonly address: SignedInWallet;
  readonly parts: DialogParts;
  readonly onOpenChange: (open: boolean) => void;
  readonly authenticate: () => Promise<boolean>;
  readonly ensureWallet: () => Promise<boolean>;
  readonly ensureChat: () => Promise<ChatId | null>;
  /** Called with a form that passed its checks. */
  readonly onSimulate: (edited: EditedAgent) => void;
  /** Closes the dialog and keeps its input. */
  readonly onKeep: (edited: EditedAgent) => void;
  /** Called after a save with the agent before it, null for a new one. */
  readonly onSaved: (agent: Agent, before: Agent | null) => void;
  readonly onOpenHypothesis: () => void;
  readonly onToggleAutoTrade: () => void;
  /** Continues with custody and first deposit of the saved agent. */
  readonly onContinue: (agent: Agent) => void;
}

const sectionOf = (problem: FormProblem): DialogSection =>
  problem.place.kind === "field" ? "set-up" : "rules";

export function AgentEditor(props: AgentEditorProps) {
  const { agent, address, parts, opened, begun } = props;
  const editor = useAgentEditor(opened, props.proposed ?? begun, props);
  const { form, base, change, check, save, edits, conflict } = editor;
  const [leaving, setLeaving] = useState<(() => void) | null>(null);
  const [section, setSection] = useState<DialogSection>(props.section ?? "set-up");

  /** Runs `go` at once when no input would be lost, otherwise after the user's confirmation. */
  const leave = (go: () => void) => (edits.length === 0 ? go() : setLeaving(() => go));
  const close = () => leave(() => props.onOpenChange(false));
  const submit = async () => {
    const found = await save();
    if (found !== null) setSection(sectionOf(found));
  };
  const simulate = () => {
    const found = check();
    if (found === null) props.onSimulate({ opened: base, form, section });
    else setSection(sectionOf(found));
  };

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && close()}
      size="large"
      keepOpenOutside
      title={form.name === "" ? "New agent" : form.name}
      description={
        <span className="inline-flex items-center gap-2">
          {agent === null ? "Create an agent for this chat" : "Agent configuration"}
          <NetworkBadge network={form.network} />
        </span>
      }
      footer={
        <EditorActions
          agent={agent}
          isSaving={editor.isSaving}
          onToggleAutoTrade={props.onToggleAutoTrade}
          onSimulate={simulate}
          onCancel={close}
          onSubmit={() => void submit()}
        />
      }
    >
      {address === "" && (
        <p role="status" className="mb-4 rounded-md bg-warn-soft px-3 py-2 text-xs text-warn">
          Your session has ended. What you typed is kept: saving asks you to sign in again first.
        </p>
      )}
      {agent !== null && parts.condition(agent)}
      {props.proposed !== undefined && (
        <ProposalBanner
          before={begun}
          proposed={form}
          by={props.proposedBy}
          onDiscard={() => change({ kind: "load", form: begun })}
        />
      )}
      <EditorSections
        editor={editor}
        agent={agent}
        rules={props.rules}
        address={address}
        parts={parts}
        section={section}
        onSection={setSection}
        onKeep={() => props.onKeep({ opened: base, form, section })}
        onOpenHypothesis={props.onOpenHypothesis}
        onContinue={(saved) => leave(() => props.onContinue(saved))}
      />
      {conflict && <SaveConflict {...conflict} />}
      <AlertDialog
        open={leaving !== null}
        onOpenChange={(open) => !open && setLeaving(null)}
        title="Discard your changes?"
        cancelLabel="Keep editing"
        actionLabel="Discard"
        onAction={() => leaving?.()}
      >
        {edits.length === 1 ? "One change is" : `${edits.length} changes are`} not saved.
      </AlertDialog>
    </Dialog>
  );
}
