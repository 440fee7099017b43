import { useQueryClient } from "@tanstack/react-query";
import { Send } from "lucide-react";
import { useState } from "react";
import type { AgentId } from "../../../../domain/ids.ts";
import { plainFetch } from "../../../lib/api.ts";
import { clock } from "../../../lib/clock.ts";
import { markStale } from "../../../queries/stale.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Select } from "../../../ui/select.tsx";
import { fillTime, sendTestAlert, type TestAnswer } from "./test-alert.ts";
import { useOwner } from "../../../lib/session.ts";

interface TestAlertFormProps {
  readonly agentId: AgentId;
  /** Webhook address of the agent; the test uses its path on this page's server. */
  readonly webhookUrl: string;
  /** Returns the message of one alert with a placeholder for the time; null when the wallet refused. */
  readonly textOf: (alertName: string) => Promise<string | null>;
  readonly alertNames: readonly string[];
  /** True when the operator accepts alerts only from listed addresses, so that browsers are refused. */
  readonly isSenderLimited: boolean;
}

/** Sends one alert through the real webhook, with the agent's real token and the present time. */
export function TestAlertForm(props: TestAlertFormProps) {
  const address = useOwner();
  const { agentId, webhookUrl, textOf, alertNames } = props;
  const client = useQueryClient();
  const [picked, setPicked] = useState("");
  const [isSending, setSending] = useState(false);
  const [answer, setAnswer] = useState<TestAnswer | null>(null);
  const name = alertNames.includes(picked) ? picked : (alertNames[0] ?? "");
  const send = async () => {
    setSending(true);
    const path = new URL(webhookUrl, location.href).pathname;
    const text = await textOf(name);
    const nowMs = clock.now();
    if (text !== null) {
      setAnswer(await sendTestAlert(path, fillTime(text, nowMs), plainFetch, nowMs));
    }
    setSending(false);
    await markStale(client, address, [{ topic: "signals", id: agentId }]);
  };
  if (props.isSenderLimited) {
    return (
      <p className="text-xs text-muted">
        This server takes alerts only from addresses its operator named, such as TradingView's own.
        No test can be sent from here: let an alert in TradingView fire once.
      </p>
    );
  }
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-end gap-2">
        <Field label="Test alert" className="grow">
          <Select
            value={name}
            placeholder="Save an alert first"
            disabled={alertNames.length === 0}
            options={alertNames.map((each) => ({ value: each, label: each }))}
            onValueChange={setPicked}
          />
        </Field>
        <Button disabled={name === ""} busy={isSending} onClick={() => void send()}>
          <Send aria-hidden />
          Send test alert
        </Button>
      </div>
      <p className="text-xs text-faint">
        A test alert is a real alert: it counts, and with Auto-Trade on it can trade.
      </p>
      {answer !== null && (
        <p role="status" className={answer.ok ? "text-xs text-up" : "text-xs text-down"}>
          The webhook answered: {answer.text}
        </p>
      )}
    </div>
  );
}
