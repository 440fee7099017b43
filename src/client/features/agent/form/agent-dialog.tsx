import type { ChatId } from "../../../../domain/ids.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { filledForm } from "./filled-form.ts";
import {
  type EditedAgent,
  useOpenedAgent,
  type OpenedAgent,
  withFreeName,
} from "./use-opened-agent.ts";
import { type ReactNode, useState } from "react";
import type { Agent } from "../../../../contract/agent.ts";
import type { Rule } from "../../../../contract/rules.ts";
import { AlertDialog } from "../../../ui/alert-dialog.tsx";
import { Badge, NetworkBadge } from "../../../ui/badge.tsx";
import type { AgentForm } from "../agent-form.ts";
import type { FormProblem } from "./check-form.ts";
import {
  type AgentFill,
  type AgentSection,
  openAbove,
  openAgentDialog,
  openDepositDialog,
} from "../../../lib/dialogs.ts";
import type { ChartPreview } from "../../../lib/chart-preview.ts";
import { ChangeList } from "../change-list.tsx";
import { SignedList } from "../signed-list.tsx";
import { ShowAlertTexts, useWebhook } from "../signals/connect-steps.tsx";
import { SignalsPanel } from "../signals/signals-panel.tsx";
import { useAgentEditor, type AgentFormEditor } from "./use-agent-editor.ts";
import { useOwner } from "../../../lib/session.ts";
import { FlaskRound } from "lucide-react";
import { Switch } from "../../../ui/switch.tsx";
import { useQuery } from "@tanstack/react-query";
import { toastNote } from "../../../lib/toast.ts";
import { deploymentQuery } from "../../../queries/deployment.ts";
import { Tab, TabList, TabPanel, Tabs } from "../../../ui/tabs.tsx";
import { LimitsNote } from "./limits-note.tsx";
import { RulesTab } from "./rules-tab.tsx";
import { SetUpTab } from "./set-up-tab.tsx";
import { FillBanner, DifferenceList, type FormDifference } from "./difference-list.tsx";

type AgentDialogProps = Omit<
  AgentEditorProps,
  "opened" | "begun" | "proposed" | "rules" | "agent"
> & {
  /** Unsaved draft to continue. */
  readonly edited?: EditedAgent | null;
  /** Id of the chat; null when saving creates it. */
  readonly chatId: ChatId | null;
};

/** Dialog that creates or edits the agent of one chat. Opens after everything it edits has been loaded. */
export default function AgentDialog(props: AgentDialogProps) {
  const { chatId, fill, takenNames, edited = null } = props;
  const { opened, agent, rules, ...own } = useOpenedAgent(chatId, edited, takenNames);
  const source = useOpenedAgent(fill?.kind === "copy" ? fill.chatId : null, null, takenNames);
  const failed = own.failed ?? source.failed;
  const retry = () => [own, source].forEach((each) => each.retry());
  if (opened !== null && source.opened !== null) {
    const begun = edited?.form ?? opened.form;
    const filled = fill && filledForm(begun, fill, source.opened.form);
    return (
      <AgentEditor
        {...props}
        agent={agent}
        rules={rules}
        opened={opened}
        begun={begun}
        proposed={filled && opened.agent === null ? withFreeName(filled, takenNames) : filled}
      />
    );
  }
  return (
    <Dialog
      onClose={props.onClose}
      size="large"
      title="Agent configuration"
      footer={<Button onClick={props.onClose}>Cancel</Button>}
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

interface AgentEditorProps {
  /** Saved state at the time the dialog was opened. */
  readonly opened: OpenedAgent;
  /** Initial form: the kept draft, or the saved agent. */
  readonly begun: AgentForm;
  /** What filled the form, and the filled form; absent when the user opened the dialog by hand. */
  readonly fill?: AgentFill | undefined;
  readonly proposed?: AgentForm | undefined;
  /** Section shown first; defaults to the first. */
  readonly section?: AgentSection | undefined;
  /** Current agent with its rules, refetched while the dialog is open. */
  readonly agent: Agent | null;
  readonly rules: readonly Rule[];
  /** Called with the dialog's input kept when a condition's firings are shown on the chart. */
  readonly onShowOnChart: (preview: ChartPreview) => void;
  readonly takenNames: readonly string[];
  /** Renders the agent's current restriction; empty without one. */
  readonly renderCondition: (agent: Agent) => ReactNode;
  readonly onClose: () => void;
  readonly authenticate: () => Promise<boolean>;
  readonly ensureWallet: () => Promise<boolean>;
  readonly ensureChat: () => Promise<ChatId | null>;
  /** Called with a form that passed its checks. */
  readonly onSimulate: (edited: EditedAgent) => void;
  /** Closes the dialog and keeps its input. */
  readonly onKeep: (edited: EditedAgent) => void;
  /** Called after a save with the agent before it, null for a new one. */
  readonly onSaved: (agent: Agent, before: Agent | null) => void;
}

const sectionOf = (problem: FormProblem): AgentSection =>
  problem.place.kind === "field" ? "set-up" : "rules";

function AgentEditor(props: AgentEditorProps) {
  const address = useOwner();
  const { agent, opened, begun } = props;
  const editor = useAgentEditor(opened, props.proposed ?? begun, props);
  const { form, base, change, check, save, edits, conflict } = editor;
  const [leaving, setLeaving] = useState<(() => void) | null>(null);
  const [section, setSection] = useState<AgentSection>(props.section ?? "set-up");

  /** Runs `go` at once when no input would be lost, otherwise after the user's confirmation. */
  const leave = (go: () => void) => (edits.length === 0 ? go() : setLeaving(() => go));
  const close = () => leave(props.onClose);
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
      onClose={close}
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
      {agent !== null && props.renderCondition(agent)}
      {props.fill !== undefined && (
        <FillBanner
          before={begun}
          proposed={form}
          by={props.fill.kind}
          onDiscard={() => change({ kind: "load", form: begun })}
        />
      )}
      <EditorSections
        editor={editor}
        agent={agent}
        rules={props.rules}
        onShowOnChart={props.onShowOnChart}
        section={section}
        onSection={setSection}
        onKeep={() => props.onKeep({ opened: base, form, section })}
        leave={leave}
      />
      {conflict && <SaveConflict {...conflict} />}
      <AlertDialog
        open={leaving !== null}
        onClose={() => setLeaving(null)}
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

interface EditorActionsProps {
  /** Null for an agent that does not exist yet. */
  readonly agent: Agent | null;
  readonly isSaving: boolean;
  readonly onSimulate: () => void;
  readonly onCancel: () => void;
  readonly onSubmit: () => void;
}

/** Footer of the agent dialog. */
function EditorActions({ agent, isSaving, onSimulate, onCancel, onSubmit }: EditorActionsProps) {
  return (
    <>
      <div className="mr-auto">
        <AutoTradeSwitch agent={agent} />
      </div>
      <Button onClick={onSimulate} title="Simulate what stands here, saved or not">
        <FlaskRound aria-hidden />
        Simulate
      </Button>
      <Button onClick={onCancel}>Cancel</Button>
      <Button tone="primary" busy={isSaving} onClick={onSubmit}>
        {isSaving && agent === null ? "Creating..." : agent === null ? "Create" : "Save"}
      </Button>
    </>
  );
}

function stateLabel(agent: Agent | null): string {
  if (agent?.subAccountId === undefined) return "Create agent first";
  return { on: "Active", stopping: "Stopping", off: "Inactive" }[agent.autoTrade];
}

/** Switch that opens the confirmation, which makes the change. */
function AutoTradeSwitch({ agent }: Pick<EditorActionsProps, "agent">) {
  const autoTrade = agent?.autoTrade ?? "off";
  return (
    <Switch
      tone="up"
      label={
        <>
          <span className="text-ink max-sm:sr-only">Auto-Trade · </span>
          {stateLabel(agent)}
        </>
      }
      checked={autoTrade !== "off"}
      disabled={agent?.subAccountId === undefined || autoTrade === "stopping"}
      onCheckedChange={() => openAbove("auto-trade")}
    />
  );
}

/** Returns why an agent's venue cannot be changed; null while it can. */
function venueLockOf(agent: Agent | null): string | null {
  if (agent?.subAccountId !== undefined) return "Venue cannot be changed after initial deposit";
  if (agent?.custody?.tradingKey.isAuthorised === true) {
    return "Venue cannot be changed after the trading key is set up";
  }
  return null;
}

interface EditorSectionsProps {
  readonly editor: AgentFormEditor;
  readonly agent: Agent | null;
  readonly rules: readonly Rule[];
  readonly onShowOnChart: (preview: ChartPreview) => void;
  readonly section: AgentSection;
  readonly onSection: (section: AgentSection) => void;
  /** Closes the dialog and keeps its input. */
  readonly onKeep: () => void;
  /** Runs what leaves the form, after the user's confirmation where input would be lost. */
  readonly leave: (go: () => void) => void;
}

/** Tabs of the agent dialog. */
function EditorSections(props: EditorSectionsProps) {
  const { editor, agent, section, onSection, leave } = props;
  const { form, change, problem } = editor;
  const deployment = useQuery(deploymentQuery).data;
  const webhook = useWebhook(agent?.id ?? "");
  const hasAccount = agent?.subAccountId !== undefined;
  const place = problem?.place;
  return (
    <Tabs value={section} onValueChange={(value) => onSection(value as AgentSection)}>
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
          <ContinueSetUp onContinue={() => leave(() => openDepositDialog(agent))} />
        )}
        <SetUpTab
          form={form}
          change={change}
          deployment={deployment}
          isNew={agent === null}
          venueLock={venueLockOf(agent)}
          webhookUrl={webhook.state.data?.url ?? null}
          errorOf={(field) =>
            place?.kind === "field" && place.name === field ? (problem?.message ?? null) : null
          }
          onAssetCleared={(message) => toastNote({ title: "Asset Cleared", message })}
          onDuplicate={
            agent === null
              ? undefined
              : () =>
                  leave(() =>
                    openAgentDialog({ chatId: "" }, { kind: "copy", chatId: agent.chatId }),
                  )
          }
        />
        <LimitsNote />
      </TabPanel>
      <TabPanel value="rules" className="flex flex-col gap-6">
        <RulesTab
          form={form}
          change={change}
          problem={problem}
          costs={editor.costs}
          saved={props.rules}
          alertText={webhook.alertText}
          showTexts={agent !== null && <ShowAlertTexts webhook={webhook} />}
          onShowOnChart={(preview) => {
            props.onKeep();
            props.onShowOnChart(preview);
          }}
        />
      </TabPanel>
      <TabPanel value="signals">
        {agent !== null && (
          <SignalsPanel
            agentId={agent.id}
            interval={agent.interval}
            isTrading={agent.autoTrade === "on"}
          />
        )}
      </TabPanel>
      <TabPanel value="history">
        {agent !== null && (
          <div className="flex flex-col gap-6">
            <SignedList agentId={agent.id} />
            <ChangeList agentId={agent.id} />
          </div>
        )}
      </TabPanel>
    </Tabs>
  );
}

function ContinueSetUp({ onContinue }: { readonly onContinue: () => void }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-2 rounded-md bg-warn-soft px-3 py-2 text-xs text-warn">
      Not trading yet: custody or the first deposit is missing.
      <Button size="small" onClick={onContinue}>
        Continue set-up
      </Button>
    </div>
  );
}

interface SaveConflictProps {
  /** Changes saved elsewhere since the form was opened. */
  readonly theirs: readonly FormDifference[];
  readonly ours: readonly FormDifference[];
  /** Names of conflicting changes. */
  readonly contested: readonly string[];
  readonly onKeepBoth: () => void;
  readonly onTakeTheirs: () => void;
  /** Returns to the unchanged form without a decision. */
  readonly onBack: () => void;
}

/** Shows changes saved elsewhere while the form was open and asks which to keep. Saves nothing. */
function SaveConflict(props: SaveConflictProps) {
  const { theirs, ours, contested } = props;
  const lists = [
    ["Saved elsewhere", theirs],
    ["Your changes", ours],
  ] as const;
  return (
    <Dialog
      keepOpenOutside
      onClose={props.onBack}
      title="Changed Elsewhere"
      description="This agent was changed elsewhere since you opened it. Nothing was saved."
      footer={
        <>
          <Button onClick={props.onTakeTheirs}>Drop my changes</Button>
          <Button tone="primary" onClick={props.onKeepBoth}>
            Keep both
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4 text-xs">
        {lists.map(([title, changes]) => (
          <section key={title} aria-label={title} className="flex flex-col gap-1">
            <h3 className="text-sm font-semibold">{title}</h3>
            {changes.length === 0 ? <p className="text-muted">None</p> : null}
            <DifferenceList changes={changes} />
          </section>
        ))}
        <p className="text-muted">
          Keep both puts the two together in the form, for you to look at and save.
          {contested.length > 0 &&
            ` Where both changed the same, yours stays: ${contested.join(", ")}.`}
        </p>
      </div>
    </Dialog>
  );
}
