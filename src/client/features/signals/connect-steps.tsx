import { CopyButton } from "../../ui/copy-button.tsx";

interface ConnectStepsProps {
  readonly webhookUrl: string;
  /** Message of each alert, its time still a placeholder. */
  readonly messages: readonly { readonly name: string; readonly text: string }[];
}

/** How to point TradingView at this agent, in three steps. */
export function ConnectSteps({ webhookUrl, messages }: ConnectStepsProps) {
  return (
    <ol className="flex list-decimal flex-col gap-3 pl-5 text-sm">
      <li>Open your alert in TradingView.</li>
      <li>
        Under Notifications, tick Webhook URL and paste this address.
        <span className="mt-1 flex items-center gap-2">
          <code className="min-w-0 font-mono text-2xs break-all text-muted">{webhookUrl}</code>
          <CopyButton text={webhookUrl} label="Copy address" withText />
        </span>
      </li>
      <li>
        Paste the alert's text as its Message.
        {messages.length === 0 ? (
          <span className="block text-xs text-muted">Save an alert to get its text.</span>
        ) : (
          <ul className="mt-1 flex flex-wrap gap-2">
            {messages.map(({ name, text }) => (
              <li key={name}>
                <CopyButton text={text} label={`Copy text of ${name}`} withText />
              </li>
            ))}
          </ul>
        )}
      </li>
    </ol>
  );
}
