import * as z from "zod/mini";
import type { AlertSource, FiredAt } from "./alert-source.ts";

const ISO_TIME =
  /^(\d{4}-\d{2}-(\d{2})T\d{2}:\d{2}:\d{2})(?:[.,](\d{1,9}))?(?:Z|([+-](?:0\d|1[0-4]))(?::?([0-5]\d))?)$/;

/** Placeholder that the platform replaces with the firing time. */
const PLACEHOLDER = "{{timenow}}";

/** Fields beside these are ignored. */
const message = z.object({
  agentId: z.string(),
  alertName: z.string(),
  timestamp: z.union([z.string(), z.number()]),
  token: z.string(),
});

const RIGHT =
  'Send the alert text as the agent\'s page shows it: {"agentId":"…","alertName":"…","timestamp":"{{timenow}}","token":"…"}';

/** TradingView's alert message: the JSON text the owner copied, with the time filled in. */
export const tradingView: AlertSource = {
  name: "tradingview",
  right: RIGHT,
  read(body) {
    const parsed = z.safeParse(message, body);
    if (!parsed.success) {
      const wrong = parsed.error.issues.map(({ path: [field] }) => {
        if (field === undefined) return "it is no JSON object";
        return `${String(field)} is ${Object.hasOwn(body as object, field) ? "no text" : "missing"}`;
      });
      return `${wrong.join(", ")}.`;
    }
    const { agentId, alertName, timestamp, token } = parsed.data;
    return { agentId, alertName, token, firedAt: readFiredAt(timestamp) };
  },
};

/**
 * Parses an ISO 8601 time of an offset, `2026-11-21T10:00:00Z` or `2026-11-21T12:00:00.5+02:00`, or Unix time in seconds or
 * milliseconds as a number or digits. Fractions of a millisecond are cut, so that one instant is one time however written.
 */
export function readFiredAt(timestamp: string | number): FiredAt {
  const text = String(timestamp);
  if (text.includes(PLACEHOLDER)) return { kind: "unreadable", code: "timestamp_placeholder" };
  const ms = readIsoTime(text) ?? readUnixTime(text);
  return ms === null
    ? { kind: "unreadable", code: "timestamp_unreadable" }
    : { kind: "time", ms, text };
}

function readIsoTime(text: string): number | null {
  const match = ISO_TIME.exec(text);
  if (match === null) return null;
  const [, seconds = "", day, fraction = "", hours, minutes = "00"] = match;
  // `Date` silently rolls over days that do not exist, to another day of a month
  if (new Date(`${seconds}Z`).getUTCDate() !== Number(day)) return null;
  const offset = hours === undefined ? "Z" : `${hours}:${minutes}`;
  return Date.parse(`${seconds}.${fraction.slice(0, 3).padEnd(3, "0")}${offset}`);
}

function readUnixTime(text: string): number | null {
  const [, seconds, fraction = ""] = /^(\d{10})(?:\.(\d{1,9}))?$/.exec(text) ?? [];
  if (seconds !== undefined) return Number(seconds + fraction.slice(0, 3).padEnd(3, "0"));
  return /^\d{13}$/.test(text) ? Number.parseInt(text, 10) : null;
}
