import { TableHead } from "../../../ui/table-head.tsx";
import { type ReceivedSignal, listSignals } from "../../../../contract/signals.ts";
import { listAlerts } from "../../../../contract/alerts.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { AgentId } from "../../../../domain/ids.ts";
import { type Webhook, getWebhook, rotateWebhook } from "../../../../contract/agent-webhook.ts";
import { keyOf, useChange, useRead } from "../../../queries/read.ts";
import { AlertDialog } from "../../../ui/alert-dialog.tsx";
import { Button } from "../../../ui/button.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import { ConnectSteps, useWebhook } from "./connect-steps.tsx";
import { listeningOf, firstHeard } from "./listening.ts";
import { AlertSources } from "./alert-sources.tsx";
import { TestAlertForm } from "./test-alert-form.tsx";
import { WaitingForAlert, OutcomeBadge, UnreadableNote } from "./waiting-for-alert.tsx";
import { useOwner } from "../../../lib/session.ts";
import { TimeText } from "../../../ui/time-text.tsx";
import { reasonText } from "../../../../domain/reasons.ts";

export interface SignalsPanelProps {
  readonly agentId: AgentId;
  /** Interval of the agent, for instance 90m. */
  readonly interval: string;
  /** True while Auto-Trade is on; absent when unknown. */
  readonly isTrading?: boolean;
  /** Opens the agent's alerts; absent when they are on the same screen. */
  readonly onUseCondition?: () => void;
}

/** Panel of received alerts: how to send them, a test, and the last 100. */
export function SignalsPanel(props: SignalsPanelProps) {
  const address = useOwner();
  const { agentId, interval, isTrading, onUseCondition } = props;
  const shown = useWebhook(agentId);
  const webhook = shown.state.data;
  const alerts = useRead(listAlerts, { params: { agentId } }).data ?? [];
  const signals = useRead(listSignals, { params: { agentId } });
  const client = useQueryClient();
  const rotate = useChange(rotateWebhook, {
    toast: { title: "Token replaced", message: "Copy the new alert texts to TradingView." },
    onSuccess: (replaced, asked) =>
      client.setQueryData(keyOf(address, getWebhook, asked), replaced),
  });
  const [isAsking, setAsking] = useState(false);
  if (webhook === undefined) return <Spinner label="Loading signals..." />;
  const steps = { webhook: shown, state: webhook, alertNames: alerts.map(({ name }) => name) };
  return (
    <div className="flex flex-col gap-6">
      <AlertSources
        listening={listeningOf(alerts)}
        interval={interval}
        isTrading={isTrading}
        onUseCondition={onUseCondition}
      >
        <ConnectSteps {...steps} />
      </AlertSources>
      <section aria-label="Test" className="border-t pt-4">
        <TestAlertForm agentId={agentId} alertNames={steps.alertNames} />
      </section>
      <section aria-label="Received" className="flex flex-col gap-2 border-t pt-4">
        <div className="flex items-center justify-between">
          <h3 className="text-sm font-semibold">Last 100 alerts received</h3>
          <Button size="small" onClick={() => setAsking(true)}>
            Replace token
          </Button>
        </div>
        <UnreadableNote unreadable={webhook.unreadable} />
        {webhook.replacedToken && <ReplacedTokenNote {...webhook.replacedToken} />}
        {signals.isError && (
          <p role="status" className="text-xs text-warn">
            The list could not be refreshed.
          </p>
        )}
        {signals.data && firstHeard(signals.data) === undefined && (
          <WaitingForAlert signals={signals.data} listening={listeningOf(alerts)} />
        )}
        <SignalList signals={signals.data ?? []} />
      </section>
      <AlertDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title="Replace the token?"
        actionLabel="Replace token"
        busy={rotate.isPending}
        onAction={() =>
          rotate.mutate({ params: { agentId } }, { onSettled: () => setAsking(false) })
        }
      >
        The old token stops working at once: every alert in TradingView needs its new text.
      </AlertDialog>
    </div>
  );
}

/** Note that TradingView still sends alerts with a replaced token. */
function ReplacedTokenNote({ alerts, since, lastAt }: NonNullable<Webhook["replacedToken"]>) {
  return (
    <p role="status" className="rounded-md bg-warn-soft px-3 py-2 text-xs text-warn">
      {alerts === 1
        ? "1 alert with the old token was refused since "
        : `${alerts} alerts with the old token were refused since `}
      <TimeText at={since} as="short" />
      {alerts > 1 && (
        <>
          , the last on <TimeText at={lastAt} as="short" />
        </>
      )}
      . Paste the new text into every alert in TradingView. If all have it, somebody else holds the
      old one: it does nothing any more.
    </p>
  );
}

const orderText = (order: ReceivedSignal["orders"][number]): string => {
  const opening = order.signal.toLowerCase().replaceAll("_", " ");
  const signal =
    order.closesFirst === true
      ? `${opening}, closes the ${order.signal === "OPEN_LONG" ? "short" : "long"} first`
      : opening;
  const reason = order.reason === undefined ? "" : ` - ${reasonText(order.reason, order.signal)}`;
  return `${signal}: ${order.status}${reason}`;
};

interface SignalListProps {
  readonly signals: readonly ReceivedSignal[];
}

/** List of received alerts, newest first, with their outcomes. */
function SignalList({ signals }: SignalListProps) {
  if (signals.length === 0) {
    return (
      <p className="rounded-md border border-dashed border-line p-4 text-center text-xs text-muted">
        No alert has arrived yet. Send a test alert to try the way from here to a trade.
      </p>
    );
  }
  return (
    // Focusable, because on phones it scrolls sideways, by keys too
    <div
      role="group"
      aria-label="Alerts received"
      tabIndex={0}
      className="overflow-x-auto rounded-md border border-line"
    >
      <table className="w-full min-w-[480px] text-left text-xs" aria-label="Received alerts">
        <TableHead
          className="bg-raised text-2xs"
          cell="px-3 py-2"
          columns={["Time", "Alert", "Outcome", "Orders"]}
        />
        <tbody>
          {signals.map((signal) => (
            <tr key={signal.eventId} className="border-t align-top">
              <td className="px-3 py-2 whitespace-nowrap text-muted">
                <TimeText at={signal.receivedAt} as="short" />
              </td>
              <td className="max-w-60 px-3 py-2">
                <span className="block truncate font-medium">
                  {signal.alertName === "" ? "-" : signal.alertName}
                </span>
                {signal.fired && <FiredReason {...signal.fired} />}
              </td>
              <td className="px-3 py-2">
                <OutcomeBadge outcome={signal.outcome} />
                {signal.reason !== undefined && (
                  <span className="mt-1 block text-muted">{reasonText(signal.reason)}</span>
                )}
              </td>
              <td className="px-3 py-2 text-muted">
                {signal.orders.length === 0
                  ? "-"
                  : signal.orders.map((order) => (
                      <span key={order.orderId} className="block">
                        {orderText(order)}
                      </span>
                    ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Values and closing bar on which the agent's condition fired. */
function FiredReason({ closedAt, price, because }: NonNullable<ReceivedSignal["fired"]>) {
  return (
    <span className="mt-0.5 block text-muted">
      Built-in condition
      {because.map((reason) => (
        <span key={reason} className="block wrap-break-word text-ink">
          {reason}
        </span>
      ))}
      <span className="block">
        {price === undefined ? "Bars up to " : "Bar closed "}
        <TimeText at={closedAt} as="short" />
        {price !== undefined && ` at ${price}`}
      </span>
    </span>
  );
}
