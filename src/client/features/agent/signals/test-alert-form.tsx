import { useQueryClient } from "@tanstack/react-query";
import { Send } from "lucide-react";
import { useState } from "react";
import type { AgentId } from "../../../../domain/ids.ts";
import { plainFetch } from "../../../lib/api.ts";
import { clock } from "../../../lib/clock.ts";
import { markStale } from "../../../queries/read.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Select } from "../../../ui/select.tsx";
import { type ConnectStepsProps, messageFrom } from "./connect-steps.tsx";
import { useOwner } from "../../../lib/session.ts";
import { reasonText } from "../../../../domain/reasons.ts";

interface TestAlertFormProps extends ConnectStepsProps {
  readonly agentId: AgentId;
}

/** Sends one alert through the real webhook, with the agent's real token and the present time. */
export function TestAlertForm({ agentId, webhook, state, alertNames }: TestAlertFormProps) {
  const address = useOwner();
  const client = useQueryClient();
  const [picked, setPicked] = useState("");
  const [isSending, setSending] = useState(false);
  const [answer, setAnswer] = useState<TestAnswer | null>(null);
  const name = alertNames.includes(picked) ? picked : (alertNames[0] ?? "");
  const send = async () => {
    setSending(true);
    // The test uses the webhook's path on this page's server
    const path = new URL(state.url, location.href).pathname;
    const text = await messageFrom(webhook)(name);
    const nowMs = clock.now();
    if (text !== null) {
      setAnswer(await sendTestAlert(path, fillTime(text, nowMs), plainFetch, nowMs));
    }
    setSending(false);
    await markStale(client, address, [{ topic: "signals", id: agentId }]);
  };
  if (state.isSenderLimited) {
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

/** Placeholder of the alert's time in the server's alert text. */
const TIME_PLACEHOLDER = "{{timenow}}";

/** Returns the body TradingView would send now: the alert's own text with the time filled in. */
export function fillTime(alertText: string, nowMs: number): string {
  return alertText.replaceAll(TIME_PLACEHOLDER, new Date(nowMs).toISOString());
}

/** Webhook's answer to a test alert in the user's terms. */
interface TestAnswer {
  readonly ok: boolean;
  readonly text: string;
}

interface WebhookAnswer {
  readonly status?: string;
  readonly code?: string;
  readonly reason?: string;
  readonly message?: string;
}

const isAnswer = (value: unknown): value is WebhookAnswer =>
  typeof value === "object" && value !== null;

const answerText = (status: number, answer: WebhookAnswer): TestAnswer => {
  switch (answer.status) {
    case "accepted":
      return { ok: true, text: `${status} accepted` };
    case "duplicate":
      return { ok: true, text: `${status} duplicate: this alert had already arrived` };
    case "ignored":
      return {
        ok: true,
        text: `${status} ignored: ${reasonText(answer.reason ?? "no reason given")}`,
      };
    default:
      return { ok: false, text: `${status} refused: ${answer.message ?? "no reason given"}` };
  }
};

/**
 * Posts the alert to the agent's own webhook address exactly as the charting platform would: plain text, no session.
 * The answer is shown, never thrown.
 */
export async function sendTestAlert(
  url: string,
  body: string,
  post: typeof fetch,
  nowMs: number,
): Promise<TestAnswer> {
  try {
    const response = await post(url, {
      method: "POST",
      headers: { "content-type": "text/plain; charset=utf-8" },
      credentials: "omit",
      body,
    });
    const parsed: unknown = await response.json().catch(() => ({}));
    const answer = isAnswer(parsed) ? parsed : {};
    const shown = answerText(response.status, answer);
    const fault =
      answer.code === "stale_signal" ? clockFault(response.headers.get("date"), nowMs) : null;
    return fault === null ? shown : { ok: false, text: `${shown.text} ${fault}` };
  } catch {
    return { ok: false, text: "The webhook address could not be reached from this browser." };
  }
}

/** Clock difference in milliseconds from which the server refuses alerts as future and displayed times mislead. */
const WORTH_SAYING_MS = 60_000;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const counted = (count: number, unit: string): string =>
  `${count} ${unit}${count === 1 ? "" : "s"}`;

function lengthOf(ms: number): string {
  if (ms >= 2 * DAY_MS) return counted(Math.round(ms / DAY_MS), "day");
  if (ms >= 2 * HOUR_MS) return counted(Math.round(ms / HOUR_MS), "hour");
  return counted(Math.round(ms / MINUTE_MS), "minute");
}

/** Returns a warning about the difference between device and server clock; null when small or unknown. */
function clockFault(dateHeader: string | null, nowMs: number): string | null {
  const gap = nowMs - Date.parse(dateHeader ?? "");
  if (Number.isNaN(gap) || Math.abs(gap) < WORTH_SAYING_MS) return null;
  const side = gap > 0 ? "ahead of" : "behind";
  return `This device's clock is ${lengthOf(Math.abs(gap))} ${side} the server's. Set it right, then send again.`;
}
