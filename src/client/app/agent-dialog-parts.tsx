import { Suspense } from "react";
import type { ChatId } from "../../domain/ids.ts";
import type { DialogParts } from "../features/agent-config/dialog-parts.ts";
import { AlertList } from "../features/alerts/alert-list.tsx";
import { fillAlertText } from "../features/alerts/alert-text.ts";
import { AlertCondition } from "../features/condition-builder/alert-condition.tsx";
import { ChangeList } from "../features/history/change-list.tsx";
import { RuleList } from "../features/rules/rule-list.tsx";
import { SignalsPanel } from "../features/signals/signals-panel.tsx";
import { TemplatePicker } from "../features/templates/template-picker.tsx";
import { CurrentCondition } from "../features/trading-condition/current-condition.tsx";
import { showOnChart } from "../tabs/show-on-chart.ts";
import { lazyPart } from "../ui/lazy-part.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import type { WorkspaceData } from "./use-workspace.ts";

const TemplateResult = lazyPart(() => import("../features/templates/template-result.tsx"));

/** Returns what other features show inside the agent dialog. */
export function agentDialogParts(workspace: WorkspaceData, chatId: ChatId | ""): DialogParts {
  const { address } = workspace;
  return {
    templates: (part) => (
      <TemplatePicker
        {...part}
        resultOf={(template) => (
          <Suspense fallback={<Skeleton className="h-8" />}>
            <TemplateResult
              owner={address}
              template={template}
              network={part.network}
              agent={part.agent}
            />
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
        isTrading={(workspace.agent?.id === agent.id ? workspace.agent : agent).autoTrade === "on"}
        fillName={fillAlertText}
      />
    ),
    history: ({ id }) => <ChangeList address={address} agentId={id} />,
  };
}
