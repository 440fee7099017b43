import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { AgentId } from "../../../domain/ids.ts";
import { toastDone, toastError } from "../../lib/toast.ts";
import { alertsQuery } from "../../queries/alerts.ts";
import { signalsQuery } from "../../queries/signals.ts";
import { useRotateWebhook, webhookQuery } from "../../queries/webhook.ts";
import { AlertDialog } from "../../ui/alert-dialog.tsx";
import { Button } from "../../ui/button.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { ConnectSteps } from "./connect-steps.tsx";
import { ReplacedTokenNote } from "./replaced-token-note.tsx";
import { firstHeard } from "./heard-alert.ts";
import { listeningOf } from "./listening.ts";
import { WaysIn } from "./ways-in.tsx";
import { SignalList } from "./signal-list.tsx";
import { TestAlertForm } from "./test-alert-form.tsx";
import { WaitingForAlert } from "./waiting-for-alert.tsx";
import type { SignedInWallet } from "../../lib/session.ts";

export interface SignalsPanelProps {
  readonly address: SignedInWallet;
  readonly agentId: AgentId;
  /** Interval of the agent, for instance 90m. */
  readonly interval: string;
  /** True while Auto-Trade is on; absent when unknown. */
  readonly isTrading?: boolean;
  /** Inserts an alert's name into the agent's message. */
  readonly fillName: (template: string, alertName: string) => string;
  /** Opens the agent's alerts; absent when they are on the same screen. */
  readonly onUseCondition?: () => void;
}

/** Panel of received alerts: how to send them, a test, and the last 100. */
export function SignalsPanel(props: SignalsPanelProps) {
  const { address, agentId, interval, isTrading, fillName, onUseCondition } = props;
  const webhook = useQuery(webhookQuery(address, agentId)).data;
  const alerts = useQuery(alertsQuery(address, agentId)).data ?? [];
  const signals = useQuery(signalsQuery(address, agentId));
  const rotate = useRotateWebhook(address);
  const [isAsking, setAsking] = useState(false);
  if (webhook === undefined) return <Spinner label="Loading signals..." />;
  const textOf = (name: string) => fillName(webhook.alertText, name);
  const act = async () => {
    try {
      await rotate.mutateAsync(agentId);
      toastDone({ title: "Token replaced", message: "Copy the new alert texts to TradingView." });
    } catch (error) {
      toastError(error);
    }
    setAsking(false);
  };
  return (
    <div className="flex flex-col gap-6">
      <WaysIn
        listening={listeningOf(alerts)}
        interval={interval}
        isTrading={isTrading}
        onUseCondition={onUseCondition}
      >
        <ConnectSteps
          webhookUrl={webhook.url}
          messages={alerts.map(({ name }) => ({ name, text: textOf(name) }))}
          canTest={!webhook.isSenderLimited}
        />
      </WaysIn>
      <section aria-label="Test" className="border-t pt-4">
        <TestAlertForm
          address={address}
          agentId={agentId}
          webhookUrl={webhook.url}
          textOf={textOf}
          alertNames={alerts.map(({ name }) => name)}
          isSenderLimited={webhook.isSenderLimited}
        />
      </section>
      <section aria-label="Received" className="flex flex-col gap-2 border-t pt-4">
        <div className="flex items-center justify-between">
          <h3 className="text-sm font-semibold">Last 100 alerts received</h3>
          <Button size="small" onClick={() => setAsking(true)}>
            Replace token
          </Button>
        </div>
        {webhook.replacedToken && <ReplacedTokenNote {...webhook.replacedToken} />}
        {signals.isError && (
          <p role="status" className="text-xs text-warn">
            The list could not be refreshed.
          </p>
        )}
        {signals.data && firstHeard(signals.data) === undefined && (
          <WaitingForAlert signals={signals.data} listening={listeningOf(alerts)} />
        )}
        <SignalList signals={signals.data ?? []} canTest={!webhook.isSenderLimited} />
      </section>
      <AlertDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Replace the token?"
        actionLabel="Replace token"
        busy={rotate.isPending}
        onAction={() => void act()}
      >
        The old token stops working at once: every alert in TradingView needs its new text.
      </AlertDialog>
    </div>
  );
}
