import { useQuery } from "@tanstack/react-query";
import { toastNote } from "../../lib/toast.ts";
import type { Agent } from "../../queries/agent.ts";
import { deploymentQuery } from "../../queries/deployment.ts";
import type { Rule } from "../../queries/rules.ts";
import { webhookQuery } from "../../queries/webhook.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Tab, TabList, TabPanel, Tabs } from "../../ui/tabs.tsx";
import type { DialogParts, DialogSection } from "./dialog-parts.ts";
import { LimitsNote } from "./limits-note.tsx";
import { RulesTab } from "./rules-tab.tsx";
import { SetUpTab } from "./set-up-tab.tsx";
import type { AgentFormEditor } from "./use-agent-editor.ts";
import type { SignedInWallet } from "../../lib/session.ts";

/** Returns why an agent's venue cannot be changed; null while it can. */
function venueLockOf(agent: Agent | null): string | null {
  if (agent?.isFunded === true) return "Venue cannot be changed after initial deposit";
  if (agent?.custody?.hasTradingKey === true) {
    return "Venue cannot be changed after the trading key is set up";
  }
  return null;
}

interface EditorSectionsProps {
  readonly editor: AgentFormEditor;
  readonly agent: Agent | null;
  readonly rules: readonly Rule[];
  readonly address: SignedInWallet;
  readonly parts: DialogParts;
  readonly section: DialogSection;
  readonly onSection: (section: DialogSection) => void;
  /** Closes the dialog and keeps its input. */
  readonly onKeep: () => void;
  readonly onOpenHypothesis: () => void;
  /** Continues with custody and first deposit of the saved agent. */
  readonly onContinue: (agent: Agent) => void;
}

/** Tabs of the agent dialog. */
export function EditorSections(props: EditorSectionsProps) {
  const { editor, agent, address, parts, section, onSection } = props;
  const { form, change, problem } = editor;
  const deployment = useQuery(deploymentQuery).data;
  const webhook = useQuery(webhookQuery(address, agent?.id ?? "")).data;
  const hasAccount = agent?.isFunded === true;
  const place = problem?.place;
  return (
    <Tabs value={section} onValueChange={(value) => onSection(value as DialogSection)}>
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
          <ContinueSetUp onContinue={() => props.onContinue(agent)} />
        )}
        <SetUpTab
          form={form}
          change={change}
          deployment={deployment}
          venueLock={venueLockOf(agent)}
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
          onLeave={props.onKeep}
        />
      </TabPanel>
      <TabPanel value="signals">{agent !== null && parts.signals(agent)}</TabPanel>
      <TabPanel value="history">{agent !== null && parts.history(agent)}</TabPanel>
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
