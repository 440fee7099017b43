import { listAlerts } from "../../../../contract/alerts.ts";
import { listSignals } from "../../../../contract/signals.ts";
import { useRead } from "../../../queries/read.ts";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { ConnectSteps, useWebhook } from "./connect-steps.tsx";
import type { SignalsPanelProps } from "./signals-panel.tsx";
import { TestAlertForm } from "./test-alert-form.tsx";
import { listeningOf } from "./listening.ts";
import { AlertSources } from "./alert-sources.tsx";
import { UnreadableNote, WaitingForAlert } from "./waiting-for-alert.tsx";

/** Guide to an agent's first alert: own conditions, TradingView steps, a test, and received alerts. */
export default function FirstAlert(props: SignalsPanelProps) {
  const { agentId, interval, onUseCondition } = props;
  const shown = useWebhook(agentId);
  const webhook = shown.state.data;
  const alerts = useRead(listAlerts, { params: { agentId } }).data ?? [];
  const signals = useRead(listSignals, { params: { agentId } }).data ?? [];
  if (webhook === undefined) return <Skeleton className="h-[460px]" />;
  const listening = listeningOf(alerts);
  const steps = { webhook: shown, state: webhook, alertNames: alerts.map(({ name }) => name) };
  return (
    <div className="flex flex-col gap-4">
      <AlertSources listening={listening} interval={interval} onUseCondition={onUseCondition}>
        <ConnectSteps {...steps} />
      </AlertSources>
      <TestAlertForm agentId={agentId} alertNames={steps.alertNames} />
      <UnreadableNote unreadable={webhook.unreadable} />
      <WaitingForAlert signals={signals} listening={listening} />
    </div>
  );
}
