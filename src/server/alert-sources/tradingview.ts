import * as z from "zod/mini";
import { AppError } from "../../contract/errors.ts";
import type { AlertSource, FiredAt } from "./alert-source.ts";

const ISO_TIME = /^\d{4}-\d{2}-(\d{2})T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?Z$/;

/** Placeholder that the platform replaces with the firing time. */
const PLACEHOLDER = "{{timenow}}";

const message = z.strictObject({
  agentId: z.string(),
  alertName: z.string(),
  timestamp: z.union([z.string(), z.number()]),
  token: z.string(),
});

/** TradingView's alert message: the JSON text the owner copied, with the time filled in. */
export const tradingView: AlertSource = {
  name: "tradingview",
  read(body) {
    const parsed = z.safeParse(message, body);
    if (!parsed.success) {
      const fields = Object.fromEntries(
        parsed.error.issues
          .slice(0, 5)
          .map((issue) => [issue.path.join(".") || "body", "Not allowed."]),
      );
      throw new AppError("bad_request", { fields });
    }
    const { agentId, alertName, timestamp, token } = parsed.data;
    return { agentId, alertName, token, firedAt: readFiredAt(timestamp) };
  },
};

/** Parses `2026-11-21T10:00:00Z`, or Unix time in seconds or milliseconds as a number or digits. */
export function readFiredAt(timestamp: string | number): FiredAt {
  const text = String(timestamp);
  if (text.includes(PLACEHOLDER)) return { kind: "unreadable", code: "timestamp_placeholder" };
  const ms = readIsoTime(text) ?? readUnixTime(text);
  return ms === null
    ? { kind: "unreadable", code: "validation_failed" }
    : { kind: "time", ms, text };
}

function readIsoTime(text: string): number | null {
  const match = ISO_TIME.exec(text);
  if (match === null) return null;
  const ms = Date.parse(text);
  // `Date` silently rolls over days that do not exist, to another day of a month
  return new Date(ms).getUTCDate() === Number(match[1]) ? ms : null;
}

function readUnixTime(text: string): number | null {
  if (/^\d{10}$/.test(text)) return Number.parseInt(text, 10) * 1_000;
  return /^\d{13}$/.test(text) ? Number.parseInt(text, 10) : null;
}
