import { Suspense, useState } from "react";
import { useStore } from "zustand";
import type { AgentFile } from "../../contract/agent-file.ts";
import type { Agent } from "../queries/agent.ts";
import { AlertList } from "../features/alerts/alert-list.tsx";
import { AlertCondition } from "../features/condition-builder/alert-condition.tsx";
import type { EditedAgent } from "../features/agent-config/use-opened-agent.ts";
import { simulatedForm } from "../features/agent-config/simulated-form.ts";
import AgentDialog from "../features/agent-config/agent-dialog.tsx";
import { fillAlertText } from "../features/alerts/alert-text.ts";
import { ChangeList } from "../features/history/change-list.tsx";
import { RuleList } from "../features/rules/rule-list.tsx";
import { TemplatePicker } from "../features/templates/template-picker.tsx";
import { CurrentCondition } from "../features/trading-condition/current-condition.tsx";
import { SignalsPanel } from "../features/signals/signals-panel.tsx";
import { VENUE_PROFILES } from "../../venues/profiles.ts";
import { showOnChart } from "../tabs/show-on-chart.ts";
import { simulateDraft } from "../tabs/simulate-draft.ts";
import {
  draftOf,
  forgetDraft,
  keepDraft,
  type SimulatedDraft,
  simulatedDraft,
} from "../tabs/simulated-draft.ts";
import type { AgentProposal } from "../lib/ai/agent-proposal.ts";
import { lazyPart } from "../ui/lazy-part.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { toastError } from "../lib/toast.ts";
import { useController } from "./app-context.ts";
import { ensureConnected } from "../wallet/ensure-connected.ts";
import { wallet } from "../wallet/wallet.ts";
import {
  type AgentSection,
  closeDialog,
  openAbove,
  openDepositDialog,
  openLimitsDialog,
  useDialogs,
} from "./dialogs.ts";
import { signInAgain } from "./sign-in-again.ts";
import type { WorkspaceData } from "./use-workspace.ts";

/** Returns whether a changed asset makes the trading key's limits outdated, because they name the old asset. */
const areLimitsStale = (agent: Agent, before: Agent | null): boolean =>
  VENUE_PROFILES[agent.venue].hasSpendingLimits &&
  agent.custody?.isDelegated === true &&
  before !== null &&
  before.marketId !== agent.marketId;

const TemplateResult = lazyPart(() => import("../features/templates/template-result.tsx"));

interface AgentDialogHostProps {
  readonly workspace: WorkspaceData;
  /** Id of the chat; empty when saving creates it. */
  readonly chatId: string;
  readonly proposal?: AgentProposal | undefined;
  readonly file?: AgentFile | undefined;
  readonly section?: AgentSection | undefined;
}

/** Agent dialog, assembled from alerts, rules and signals; runs the follow-up steps after a save. */
export default function AgentDialogHost(props: AgentDialogHostProps) {
  const { workspace, chatId, proposal, file, section } = props;
  const controller = useController();
  const { above } = useDialogs();
  const { address } = workspace;
  const edited = draftOf(useStore(simulatedDraft), { address, chatId })?.edited;
  const [owner] = useState(() => ({ address, walletType: wallet.store.getState().type }));

  function draftFrom(draft: EditedAgent): SimulatedDraft {
    const { name, network } = draft.form;
    return { address, chatId, name, network, agent: simulatedForm(draft), edited: draft };
  }

  async function ensureChat(): Promise<string | null> {
    if (chatId !== "") return chatId;
    // Creating the chat puts it on screen, so a chat without an agent here is the one this dialog is for
    if (workspace.chat && !workspace.agent) return workspace.chat.id;
    try {
      return await workspace.newChat();
    } catch (error) {
      toastError(error);
      return null;
    }
  }

  return (
    <AgentDialog
      address={address}
      chatId={chatId === "" ? null : chatId}
      proposal={proposal}
      file={file}
      edited={edited ?? null}
      section={section ?? edited?.section}
      parts={{
        templates: (part) => (
          <TemplatePicker
            {...part}
            resultOf={(template) => (
              <Suspense fallback={<Skeleton className="h-8" />}>
                <TemplateResult template={template} network={part.network} agent={part.agent} />
              </Suspense>
            )}
          />
        ),
        alerts: (part) => (
          <AlertList
            {...part}
            conditionOf={(alert, called) => (
              <AlertCondition
                called={called}
                market={part.market}
                onShowOnChart={(preview) => {
                  part.onLeave();
                  showOnChart(chatId, preview);
                }}
                condition={alert.condition}
                onChange={(condition) => part.onChange({ ...alert, condition })}
              />
            )}
          />
        ),
        rules: (part) => <RuleList {...part} />,
        condition: ({ id: agentId, network, trading }) => (
          <CurrentCondition
            address={address}
            agentId={agentId}
            network={network}
            condition={workspace.agent?.id === agentId ? workspace.agent.trading : trading}
          />
        ),
        signals: (agent) => (
          <SignalsPanel
            address={address}
            agentId={agent.id}
            interval={agent.interval}
            isTrading={
              (workspace.agent?.id === agent.id ? workspace.agent : agent).autoTrade === "on"
            }
            fillName={fillAlertText}
          />
        ),
        history: ({ id }) => <ChangeList address={address} agentId={id} />,
      }}
      onOpenChange={(open) => {
        if (open || above !== "none") return;
        forgetDraft({ address: owner.address, chatId });
        closeDialog();
      }}
      authenticate={async () => address !== "" || signInAgain(controller, wallet, owner)}
      ensureChat={ensureChat}
      ensureWallet={() => ensureConnected(wallet)}
      onSimulate={(draft) => {
        simulateDraft(draftFrom(draft));
        closeDialog();
      }}
      onKeep={(draft) => {
        keepDraft(draftFrom(draft));
        closeDialog();
      }}
      onSaved={(agent, before) => {
        forgetDraft({ address: owner.address, chatId });
        if (areLimitsStale(agent, before)) openLimitsDialog(agent);
        else if (!agent.isFunded) openDepositDialog(agent);
        else closeDialog();
      }}
      onContinue={openDepositDialog}
      onOpenHypothesis={() => openAbove("hypothesis")}
      onToggleAutoTrade={() => openAbove("auto-trade")}
    />
  );
}
