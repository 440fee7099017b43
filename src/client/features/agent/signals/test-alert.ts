import { reasonText } from "../../../../domain/reasons.ts";

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
