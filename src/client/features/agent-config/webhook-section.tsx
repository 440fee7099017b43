import { CopyButton } from "../../ui/copy-button.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";

/** Shows the webhook address for the charting platform; null until the agent exists. */
export function WebhookSection({ url }: { readonly url: string | null }) {
  if (url === null) {
    return (
      <Field label="Webhook URL" hint="Made when the agent is created">
        <Input readOnly disabled value="" placeholder="Create the agent first" />
      </Field>
    );
  }
  return (
    <Field
      label="Webhook URL"
      hint="Paste it into the notifications of a TradingView alert. The text to send is under Alerts & rules."
    >
      <div className="flex items-center gap-1">
        <Input readOnly aria-label="Webhook URL" value={url} className="font-mono text-xs" />
        <CopyButton text={url} label="Copy webhook URL" />
      </div>
    </Field>
  );
}
