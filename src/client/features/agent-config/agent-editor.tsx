import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Agent } from "../../../contract/agent.ts";
import { deploymentQuery } from "../../queries/deployment.ts";
import { webhookQuery } from "../../queries/webhook.ts";
import { toastNote } from "../../lib/toast.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { NetworkBadge } from "../../ui/network-badge.tsx";
import { Tab, TabList, TabPanel, Tabs } from "../../ui/tabs.tsx";
import type { AgentForm } from "./agent-form.ts";
import { AutoTradeSwitch } from "./auto-trade-switch.tsx";
import type { FormProblem } from "./check-form.ts";
import type { DialogParts } from "./dialog-parts.ts";
import type { Rule } from "./loaded-parts.ts";
import { ProposalBanner } from "./proposal-banner.tsx";
import { SetUpTab } from "./set-up-tab.tsx";
import { useAgentEditor } from "./use-agent-editor.ts";
import { withLiveCounts } from "./live-counts.ts";

export interface AgentEditorProps {
  readonly initial: AgentForm;
  /** The form as the assistant proposes it; absent when the user opened it by hand. */
  readonly proposed?: AgentForm | undefined;
  readonly agent: Agent | null;
  readonly rules: readonly Rule[];
  readonly address: string;
  readonly parts: DialogParts;
  readonly onOpenChange: (open: boolean) => void;
  readonly authenticate: () => Promise<boolean>;
  readonly ensureWallet: () => Promise<boolean>;
  readonly ensureChat: () => Promise<string | null>;
  /** With the agent as it was, null for a new one. */
  readonly onSaved: (agent: Agent, before: Agent | null) => void;
  readonly onOpenHypothesis: () => void;
  readonly onToggleAutoTrade: () => void;
  /** Goes on with custody and the first deposit of a saved agent. */
  readonly onContinue: (agent: Agent) => void;
}

type Section = "set-up" | "rules" | "signals";

const sectionOf = (problem: FormProblem): Section =>
  problem.place.kind === "field" ? "set-up" : "rules";

export function AgentEditor(props: AgentEditorProps) {
  const { agent, address, parts } = props;
  const { form, change, save, isSaving, problem } = useAgentEditor(
    props.proposed ?? props.initial,
    props,
  );
  const [section, setSection] = useState<Section>("set-up");
  const deployment = useQuery(deploymentQuery).data;
  const webhook = useQuery(webhookQuery(address, agent?.botId ?? "")).data;
  const hasAccount = agent?.number !== undefined && agent.number >= 0;

  const place = problem?.place;
  const messageAt = (kind: "alert" | "rule", key: string) =>
    place?.kind === kind && place.key === key ? (problem?.message ?? null) : null;
  const submit = async () => {
    const found = await save();
    if (found !== null) setSection(sectionOf(found));
  };

  return (
    <Dialog
      open
      onOpenChange={props.onOpenChange}
      size="large"
      keepOpenOutside
      title={form.agentName === "" ? "New agent" : form.agentName}
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
          <Button onClick={() => props.onOpenChange(false)}>Cancel</Button>
          <Button tone="primary" busy={isSaving} onClick={() => void submit()}>
            {isSaving && agent === null ? "Creating..." : agent === null ? "Create" : "Save"}
          </Button>
        </>
      }
    >
      {agent !== null && parts.condition(agent)}
      {props.proposed !== undefined && (
        <ProposalBanner
          before={props.initial}
          proposed={form}
          onDiscard={() => change({ kind: "load", form: props.initial })}
        />
      )}
      <Tabs value={section} onValueChange={(value) => setSection(value as Section)}>
        <TabList className="mb-4" aria-label="Agent configuration">
          <Tab value="set-up">Setup</Tab>
          <Tab value="rules">
            Alerts & rules
            <Badge>{form.rules.length}</Badge>
          </Tab>
          <Tab value="signals" disabled={agent === null}>
            Signals
          </Tab>
        </TabList>
        <TabPanel value="set-up" className="flex flex-col gap-4">
          {agent !== null && !hasAccount && (
            <div className="flex flex-wrap items-center justify-between gap-2 rounded-md bg-warn-soft px-3 py-2 text-xs text-warn">
              Not trading yet: custody or the first deposit is missing.
              <Button size="small" onClick={() => props.onContinue(agent)}>
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
        </TabPanel>
        <TabPanel value="rules" className="flex flex-col gap-6">
          {parts.alerts({
            alerts: form.alerts,
            alertText: webhook?.alertText ?? null,
            error: place?.kind === "alerts" ? (problem?.message ?? null) : null,
            errorOf: (key) => messageAt("alert", key),
            ruleCountOf: (key) =>
              form.rules.filter((rule) => rule.triggers.some((each) => each.alertKey === key))
                .length,
            onAdd: () => change({ kind: "add-alert" }),
            onChange: ({ key, name, description }) =>
              change({ kind: "change-alert", key, name, description }),
            onDelete: (key) => change({ kind: "delete-alert", key }),
          })}
          {parts.rules({
            rules: withLiveCounts(form, props.rules),
            alerts: form.alerts,
            isSpotOnly: form.venue === "jupiter",
            errorOf: (key) => messageAt("rule", key),
            onAdd: () => change({ kind: "add-rule" }),
            onDelete: (key) => change({ kind: "delete-rule", key }),
            onAction: (key, action) => change({ kind: "action", key, action }),
            onToggle: (key, alertKey) => change({ kind: "toggle-trigger", key, alertKey }),
            onCount: (key, alertKey, count) =>
              change({ kind: "required-count", key, alertKey, count }),
            onAddAlert: (key, name) => change({ kind: "add-alert", name, forRule: key }),
          })}
        </TabPanel>
        <TabPanel value="signals">{agent !== null && parts.signals(agent)}</TabPanel>
      </Tabs>
    </Dialog>
  );
}
