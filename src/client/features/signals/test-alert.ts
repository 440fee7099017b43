import { reasonText } from "../../../domain/reasons.ts";
import { clockFault } from "./clock-gap.ts";

/** Placeholder of the alert's time in the server's alert text. */
const TIME_PLACEHOLDER = "{{timenow}}";

/** Returns the body TradingView would send now: the alert's own text with the time filled in. */
export function fillTime(alertText: string, nowMs: number): string {
  return alertText.replaceAll(TIME_PLACEHOLDER, new Date(nowMs).toISOString());
}

/** Webhook's answer to a test alert in the user's terms. */
export interface TestAnswer {
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
