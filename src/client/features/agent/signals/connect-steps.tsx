import { useQueryClient } from "@tanstack/react-query";
import { getWebhook, getWebhookState, type Webhook } from "../../../../contract/agent-webhook.ts";
import type { AgentId } from "../../../../domain/ids.ts";
import { useOwner } from "../../../lib/session.ts";
import { toastError } from "../../../lib/toast.ts";
import { keyOf, useChange, useRead } from "../../../queries/read.ts";
import { Button } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { fillAlertText } from "../rules/alert-text.ts";

/** An agent's webhook; its alert text holds the token only after the owner's wallet has signed to see it. */
export function useWebhook(agentId: AgentId | "") {
  const owner = useOwner();
  const client = useQueryClient();
  const state = useRead(getWebhookState, { params: { agentId } });
  const shown = useRead(getWebhook, { params: { agentId } }, { enabled: false }).data;
  const reveal = useChange(getWebhook, {
    onSuccess: (answer, asked) => client.setQueryData(keyOf(owner, getWebhook, asked), answer),
  });
  const alertText = shown?.alertText ?? null;
  /** Asks the wallet where the text is not shown yet; null when it refused. */
  const show = async (): Promise<string | null> => {
    if (alertText !== null || agentId === "") return alertText;
    try {
      return (await reveal.mutateAsync({ params: { agentId } })).alertText;
    } catch (error) {
      toastError(error);
      return null;
    }
  };
  return { state, alertText, show, isAsking: reveal.isPending };
}

type ShownWebhook = ReturnType<typeof useWebhook>;

/** Button that asks the owner's wallet for the texts with the agent's token; nothing once they are shown. */
export function ShowAlertTexts({ webhook }: { readonly webhook: ShownWebhook }) {
  if (webhook.alertText !== null) return null;
  return (
    <p className="flex flex-wrap items-center gap-2 text-xs text-muted">
      <Button size="small" busy={webhook.isAsking} onClick={() => void webhook.show()}>
        Show alert texts
      </Button>
      Your wallet signs for it: whoever has these texts can fire this agent's alerts.
    </p>
  );
}

export interface ConnectStepsProps {
  readonly webhook: ShownWebhook;
  readonly state: Webhook;
  readonly alertNames: readonly string[];
}

/** Returns whether the address is only reachable from this machine. */
function isLocal(webhookUrl: string): boolean {
  const { hostname } = new URL(webhookUrl, location.href);
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

/** Steps for connecting TradingView to this agent. */
export function ConnectSteps({ webhook, state, alertNames }: ConnectStepsProps) {
  const { alertText } = webhook;
  const { url: webhookUrl } = state;
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
          {alertNames.length === 0 ? (
            <span className="block text-xs text-muted">Save an alert to get its text.</span>
          ) : alertText === null ? (
            <ShowAlertTexts webhook={webhook} />
          ) : (
            <ul className="mt-1 flex flex-wrap gap-2">
              {alertNames.map((name) => (
                <li key={name} className="max-w-full min-w-0">
                  <CopyButton
                    text={fillAlertText(alertText, name)}
                    label={`Copy text of ${name}`}
                    withText
                  />
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
          a public one, or try your rules with the test alert.
        </p>
      )}
    </div>
  );
}
