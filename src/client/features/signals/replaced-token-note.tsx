import type { Webhook } from "../../queries/webhook.ts";
import { TimeText } from "../../ui/time-text.tsx";

/** Note that TradingView still sends alerts with a replaced token. */
export function ReplacedTokenNote({
  alerts,
  since,
  lastAt,
}: NonNullable<Webhook["replacedToken"]>) {
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
