import type { ReceivedSignal } from "../../queries/signals.ts";
import { TimeText } from "../../ui/time-text.tsx";

/** Values and closing bar on which the agent's condition fired. */
export function FiredReason({ closedAt, price, because }: NonNullable<ReceivedSignal["fired"]>) {
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
