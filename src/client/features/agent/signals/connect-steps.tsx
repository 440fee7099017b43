import { CopyButton } from "../../../ui/copy-button.tsx";

interface ConnectStepsProps {
  readonly webhookUrl: string;
  /** Message of each alert with a placeholder for the time. */
  readonly messages: readonly { readonly name: string; readonly text: string }[];
  /** True when a test alert can be sent from this page. */
  readonly canTest: boolean;
}

/** Returns whether the address is only reachable from this machine. */
function isLocal(webhookUrl: string): boolean {
  const { hostname } = new URL(webhookUrl, location.href);
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

/** Steps for connecting TradingView to this agent. */
export function ConnectSteps({ webhookUrl, messages, canTest }: ConnectStepsProps) {
  return (
    <div className="flex flex-col gap-3">
      <ol className="flex list-decimal flex-col gap-3 pl-5 text-sm marker:text-faint">
        <li>
          In TradingView, open your chart and create an alert on your condition.
          <span className="block text-xs text-muted">
            “Once per bar close” fires on finished candles only.
          </span>
        </li>
        <li>
          Under Notifications, tick Webhook URL and paste this address.
          <span className="block text-xs text-muted">
            TradingView offers it to accounts with two-factor authentication.
          </span>
          <span className="mt-1 flex flex-wrap items-center gap-2">
            <code className="min-w-0 font-mono text-2xs break-all text-muted">{webhookUrl}</code>
            <CopyButton text={webhookUrl} label="Copy address" withText />
          </span>
        </li>
        <li>
          Replace the alert's Message with this text, unchanged.
          {messages.length === 0 ? (
            <span className="block text-xs text-muted">Save an alert to get its text.</span>
          ) : (
            <ul className="mt-1 flex flex-wrap gap-2">
              {messages.map(({ name, text }) => (
                <li key={name} className="max-w-full min-w-0">
                  <CopyButton text={text} label={`Copy text of ${name}`} withText />
                </li>
              ))}
            </ul>
          )}
        </li>
        <li>Create the alert. When it fires, it shows up below within seconds.</li>
      </ol>
      {isLocal(webhookUrl) && (
        <p className="rounded-md bg-warn-soft px-3 py-2 text-xs text-warn">
          This address is on your own machine, where TradingView cannot reach it. Set PUBLIC_URL to
          a public one{canTest && ", or try everything with the test alert"}.
        </p>
      )}
    </div>
  );
}
