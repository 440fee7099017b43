import { reasonText } from "../../../domain/reasons.ts";
import type { ReceivedSignal } from "../../queries/signals.ts";
import { TimeText } from "../../ui/time-text.tsx";
import { FiredReason } from "./fired-reason.tsx";
import { OutcomeBadge } from "./outcome-badge.tsx";

const orderText = (order: ReceivedSignal["orders"][number]): string => {
  const signal = order.signal.toLowerCase().replaceAll("_", " ");
  const reason = order.reason === undefined ? "" : ` - ${reasonText(order.reason, order.signal)}`;
  return `${signal}: ${order.status}${reason}`;
};

interface SignalListProps {
  readonly signals: readonly ReceivedSignal[];
  readonly canTest: boolean;
}

/** List of received alerts, newest first, with their outcomes. */
export function SignalList({ signals, canTest }: SignalListProps) {
  if (signals.length === 0) {
    return (
      <p className="rounded-md border border-dashed border-line p-4 text-center text-xs text-muted">
        No alert has arrived yet.{canTest && " Send a test alert to try the whole way."}
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
        <thead className="bg-raised text-2xs text-faint">
          <tr>
            {["Time", "Alert", "Outcome", "Orders"].map((column) => (
              <th key={column} scope="col" className="px-3 py-2 font-medium">
                {column}
              </th>
            ))}
          </tr>
        </thead>
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
