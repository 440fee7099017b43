import { listAlerts } from "../../../../contract/alerts.ts";
import { listSignals } from "../../../../contract/signals.ts";
import { getWebhook } from "../../../../contract/agent-webhook.ts";
import { useRead } from "../../../queries/read.ts";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { ConnectSteps } from "./connect-steps.tsx";
import type { SignalsPanelProps } from "./signals-panel.tsx";
import { TestAlertForm } from "./test-alert-form.tsx";
import { listeningOf } from "./listening.ts";
import { AlertSources } from "./alert-sources.tsx";
import { WaitingForAlert } from "./waiting-for-alert.tsx";
import { fillAlertText } from "../rules/alert-text.ts";

/** Guide to an agent's first alert: own conditions, TradingView steps, a test, and received alerts. */
export default function FirstAlert(props: SignalsPanelProps) {
  const { agentId, interval, onUseCondition } = props;
  const webhook = useRead(getWebhook, { params: { agentId } }).data;
  const alerts = useRead(listAlerts, { params: { agentId } }).data ?? [];
  const signals = useRead(listSignals, { params: { agentId } }).data ?? [];
  if (webhook === undefined) return <Skeleton className="h-[460px]" />;
  const listening = listeningOf(alerts);
  const textOf = (name: string) => fillAlertText(webhook.alertText, name);
  return (
    <div className="flex flex-col gap-4">
      <AlertSources listening={listening} interval={interval} onUseCondition={onUseCondition}>
        <ConnectSteps
          webhookUrl={webhook.url}
          messages={alerts.map(({ name }) => ({ name, text: textOf(name) }))}
          canTest={!webhook.isSenderLimited}
        />
      </AlertSources>
      <TestAlertForm
        agentId={agentId}
        webhookUrl={webhook.url}
        textOf={textOf}
        alertNames={alerts.map(({ name }) => name)}
        isSenderLimited={webhook.isSenderLimited}
      />
      <WaitingForAlert signals={signals} listening={listening} />
    </div>
  );
}
