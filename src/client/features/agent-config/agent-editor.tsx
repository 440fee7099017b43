import { useQuery } from "@tanstack/react-query";
import { FlaskRound } from "lucide-react";
import { useState } from "react";
import type { Agent } from "../../queries/agent.ts";
import { deploymentQuery } from "../../queries/deployment.ts";
import { webhookQuery } from "../../queries/webhook.ts";
import { toastNote } from "../../lib/toast.ts";
import { AlertDialog } from "../../ui/alert-dialog.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { NetworkBadge } from "../../ui/network-badge.tsx";
import { Tab, TabList, TabPanel, Tabs } from "../../ui/tabs.tsx";
import type { AgentForm } from "./agent-form.ts";
import { AutoTradeSwitch } from "./auto-trade-switch.tsx";
import type { FormProblem } from "./check-form.ts";
import type { DialogParts, DialogSection } from "./dialog-parts.ts";
import type { Rule } from "../../queries/rules.ts";
import { LimitsNote } from "./limits-note.tsx";
import { ProposalBanner, type Proposer } from "./proposal-banner.tsx";
import { RulesTab } from "./rules-tab.tsx";
import { SaveConflict } from "./save-conflict.tsx";
import { SetUpTab } from "./set-up-tab.tsx";
import { useAgentEditor } from "./use-agent-editor.ts";
import type { EditedAgent, OpenedAgent } from "./use-opened-agent.ts";

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
  readonly address: string;
  readonly parts: DialogParts;
  readonly onOpenChange: (open: boolean) => void;
  readonly authenticate: () => Promise<boolean>;
  readonly ensureWallet: () => Promise<boolean>;
  readonly ensureChat: () => Promise<string | null>;
  /** Called after a save with the agent before it, null for a new one. */
  /** Called with a form that passed its checks. */
  readonly onSimulate: (edited: EditedAgent) => void;
  /** Closes the dialog and keeps its input. */
  readonly onKeep: (edited: EditedAgent) => void;
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
  const { form, base, change, check, save, isSaving, problem, edits, conflict } = useAgentEditor(
    opened,
    props.proposed ?? begun,
    props,
  );
  const [leaving, setLeaving] = useState<(() => void) | null>(null);
  const [section, setSection] = useState<DialogSection>(props.section ?? "set-up");
  const deployment = useQuery(deploymentQuery).data;
  const webhook = useQuery(webhookQuery(address, agent?.id ?? "")).data;
  const hasAccount = agent?.isFunded === true;

  const place = problem?.place;
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
        <>
          <div className="mr-auto">
            <AutoTradeSwitch agent={agent} onToggle={props.onToggleAutoTrade} />
          </div>
          <Button onClick={simulate} title="Simulate what stands here, saved or not">
            <FlaskRound aria-hidden />
            Simulate
          </Button>
          <Button onClick={close}>Cancel</Button>
          <Button tone="primary" busy={isSaving} onClick={() => void submit()}>
            {isSaving && agent === null ? "Creating..." : agent === null ? "Create" : "Save"}
          </Button>
        </>
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
      <Tabs value={section} onValueChange={(value) => setSection(value as DialogSection)}>
        <TabList className="mb-4" aria-label="Agent configuration">
          <Tab value="set-up">Setup</Tab>
          <Tab value="rules">
            Alerts & rules
            <Badge>{form.rules.length}</Badge>
          </Tab>
          <Tab value="signals" disabled={agent === null}>
            Signals
          </Tab>
          <Tab value="history" disabled={agent === null}>
            History
          </Tab>
        </TabList>
        <TabPanel value="set-up" className="flex flex-col gap-4">
          {agent !== null && !hasAccount && (
            <div className="flex flex-wrap items-center justify-between gap-2 rounded-md bg-warn-soft px-3 py-2 text-xs text-warn">
              Not trading yet: custody or the first deposit is missing.
              <Button size="small" onClick={() => leave(() => props.onContinue(agent))}>
                Continue set-up
              </Button>
            </div>
          )}
          <SetUpTab
            form={form}
            change={change}
            deployment={deployment}
            isVenueLocked={hasAccount}
            webhookUrl={webhook?.url ?? null}
            errorOf={(field) =>
              place?.kind === "field" && place.name === field ? (problem?.message ?? null) : null
            }
            onAssetCleared={(message) => toastNote({ title: "Asset Cleared", message })}
            onOpenHypothesis={agent === null ? undefined : props.onOpenHypothesis}
          />
          <LimitsNote />
        </TabPanel>
        <TabPanel value="rules" className="flex flex-col gap-6">
          <RulesTab
            form={form}
            change={change}
            problem={problem}
            saved={props.rules}
            alertText={webhook?.alertText ?? null}
            parts={parts}
            onLeave={() => props.onKeep({ opened: base, form, section })}
          />
        </TabPanel>
        <TabPanel value="signals">{agent !== null && parts.signals(agent)}</TabPanel>
        <TabPanel value="history">{agent !== null && parts.history(agent)}</TabPanel>
      </Tabs>
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
