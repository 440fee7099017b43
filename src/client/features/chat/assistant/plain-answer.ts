import { displayDecimal } from "../../../lib/format.ts";
import { signalText } from "../../../lib/signal-text.ts";
import type { Signal } from "../../../../domain/signal.ts";

/** What answers a question without a model: one read, told in fixed sentences. */
interface PlainAnswer {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  // oxlint-disable-next-line no-explicit-any -- each topic tells what its own tool answers
  readonly say: (data: any, at: PlainTime) => string;
}

interface PlainTime {
  readonly nowMs: number;
  readonly isToday: boolean;
}

/** Reads that answer a question by its words, the more special first. */
const TOPICS: readonly (readonly [RegExp, PlainAnswer])[] = [
  [/\bwhy\b|\bexplain\b/i, { tool: "explain_trade", args: {}, say: whyText }],
  [
    /\bportfolio|\ball (?:my |your )?agents|\bworth\b/i,
    { tool: "read_portfolio", args: { range: "30d" }, say: () => "All agents of your wallet:" },
  ],
  [
    /\bperform|\bprofit|\bmade\b|\bmake\b|\bearn|\breturn|\bp&l\b|\bpnl\b/i,
    {
      tool: "read_performance",
      args: { range: "30d" },
      say: () => "The last 30 days of this agent:",
    },
  ],
  [
    /\btrade[ds]?\b|\btrading log|\bbought\b|\bsold\b|\bfills?\b|\borders?\b/i,
    { tool: "read_trades", args: { limit: 50 }, say: tradesText },
  ],
  [/\bposition|\bholding?\b/i, { tool: "read_position", args: {}, say: positionText }],
  [/\balerts?\b|\bsignals?\b/i, { tool: "read_signals", args: { limit: 10 }, say: signalsText }],
  [
    /\bhealth|\bworking\b|\brunning\b|\bhow are you\b/i,
    { tool: "read_health", args: {}, say: healthText },
  ],
  [
    /\brules?\b|\bsettings?\b|\bconditions?\b|\bconfig/i,
    { tool: "read_agent", args: {}, say: agentText },
  ],
];

const MOST_LINES = 10;

/** Returns what answers a question without a model; null where only a model can. */
export const plainAnswerOf = (question: string): PlainAnswer | null =>
  TOPICS.find(([words]) => words.test(question))?.[1] ?? null;

/** Returns the answer in fixed sentences, in Markdown. */
export function plainText(
  question: string,
  data: { readonly error?: string },
  nowMs: number,
): string {
  const answer = plainAnswerOf(question);
  const isToday = /\btoday\b/i.test(question);
  const text =
    answer === null || data.error !== undefined
      ? (data.error ?? "Only a model can answer that.")
      : answer.say(data, { nowMs, isToday });
  return `${text}\n\n*Told from what was read, without a model. Set the key of an AI provider for other questions.*`;
}

interface ShownTrade {
  readonly at: string;
  readonly signal: string;
  readonly market: string;
  readonly size: string;
  readonly status: string;
  readonly price?: string;
  readonly pnl?: string;
  readonly reason?: string;
}

const timeOf = (at: string): string => at.slice(0, 16).replace("T", " ");
const list = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join("\n");
const signed = (text: string): string =>
  `${text.startsWith("-") ? "" : "+"}${displayDecimal(text, 2)}`;

function tradesText(
  { trades }: { readonly trades: readonly ShownTrade[] },
  { nowMs, isToday }: PlainTime,
): string {
  const today = new Date(nowMs).toDateString();
  const asked = isToday ? trades.filter(({ at }) => new Date(at).toDateString() === today) : trades;
  const when = isToday ? " today" : "";
  if (asked.length === 0) return `No orders${when}.`;
  const filled = asked.filter(({ status }) => status === "success").length;
  const lines = asked
    .slice(0, MOST_LINES)
    .map(({ at, signal, market, size, status, price, pnl, reason }) => {
      const what = `${timeOf(at)} UTC: ${signalText(signal as Signal)}, ${size} ${market}`;
      const how =
        status === "success"
          ? price === undefined
            ? ""
            : ` at ${displayDecimal(price, 2)}`
          : `, ${status}`;
      const more = [pnl === undefined ? null : `P&L ${signed(pnl)}`, reason ?? null].filter(
        (part) => part !== null,
      );
      return `${what}${how}${more.length === 0 ? "" : ` (${more.join("; ")})`}`;
    });
  const rest =
    asked.length > MOST_LINES ? `\n\nThe Trade Log has ${asked.length - MOST_LINES} more.` : "";
  return `${asked.length} ${asked.length === 1 ? "order" : "orders"}${when}, ${filled} filled:\n\n${list(lines)}${rest}`;
}

interface ShownPosition {
  readonly note?: string;
  readonly market: string;
  readonly side?: string;
  readonly position: string;
  readonly positionValue: string;
  readonly entryPrice?: string;
  readonly pnl?: string;
}

function positionText({
  note,
  market,
  side,
  position,
  positionValue,
  entryPrice,
  pnl,
}: ShownPosition): string {
  if (note !== undefined) return note;
  if (side === undefined) return `No open position on ${market}.`;
  const entry = entryPrice === undefined ? "" : `, entered at ${displayDecimal(entryPrice, 2)}`;
  const made = pnl === undefined ? "" : `, P&L ${signed(pnl)} %`;
  return `${side === "long" ? "Long" : "Short"} ${position.replace("-", "")} ${market}, worth ${displayDecimal(positionValue, 2)}${entry}${made}.`;
}

interface ShownDecision {
  readonly at: string;
  readonly signal?: string;
  readonly alert?: { readonly alertName: string; readonly because: readonly string[] };
  readonly checks?: readonly {
    readonly name: string;
    readonly hasPassed: boolean;
    readonly reason?: string;
  }[];
  readonly outcome?: { readonly state: string; readonly reason?: string; readonly price?: string };
}

function whyText({ at, signal, alert, checks = [], outcome }: ShownDecision): string {
  const refused = checks.find(({ hasPassed }) => !hasPassed);
  return [
    `${timeOf(at)} UTC${signal === undefined ? "" : `: ${signalText(signal as Signal)}`}.`,
    alert === undefined
      ? "No alert asked for it."
      : `The alert “${alert.alertName}” completed its rule${alert.because.length === 0 ? "." : `: ${alert.because.join(" ")}`}`,
    refused === undefined ? null : `The check “${refused.name}” refused it.`,
    outcome === undefined
      ? "It has no outcome yet."
      : `It ended as ${outcome.state.replaceAll("_", " ")}${outcome.price === undefined ? "" : ` at ${displayDecimal(outcome.price, 2)}`}${outcome.reason === undefined ? "" : ` (${outcome.reason.replaceAll("_", " ")})`}.`,
  ]
    .filter((sentence) => sentence !== null)
    .join(" ");
}

interface ShownSignal {
  readonly alertName: string;
  readonly receivedAt: string;
  readonly outcome: string;
  readonly reason?: string;
}

function signalsText({ signals }: { readonly signals: readonly ShownSignal[] }): string {
  if (signals.length === 0) return "No alerts received yet.";
  return `The last alerts:\n\n${list(
    signals.map(
      ({ alertName, receivedAt, outcome, reason }) =>
        `${timeOf(receivedAt)} UTC: “${alertName}”, ${outcome}${reason === undefined ? "" : ` (${reason.replaceAll("_", " ")})`}`,
    ),
  )}`;
}

interface ShownHealth {
  readonly isTrading: boolean;
  readonly lastAlert: { readonly at: string } | null;
  readonly book: { readonly state: string };
  readonly venue: { readonly isAnswering: boolean | null };
  readonly unsettled: { readonly orders: number };
}

function healthText({ isTrading, lastAlert, book, venue, unsettled }: ShownHealth): string {
  return list([
    `Auto-trade is ${isTrading ? "on" : "off"}.`,
    lastAlert === null ? "No alert received yet." : `Last alert ${timeOf(lastAlert.at)} UTC.`,
    { right: "The book agrees with the chain.", different: "The book differs from the chain." }[
      book.state
    ] ?? "The book was not held against the chain yet.",
    venue.isAnswering === false ? "The venue does not answer." : "The venue answers.",
    `${unsettled.orders} ${unsettled.orders === 1 ? "order" : "orders"} without an outcome.`,
  ]);
}

interface ShownAgent {
  readonly name: string;
  readonly marketId: string;
  readonly interval: string;
  readonly rules: readonly {
    readonly action: Signal;
    readonly conditions: readonly {
      readonly alertName: string;
      readonly requiredCount: number;
      readonly count: number;
    }[];
  }[];
}

function agentText({ name, marketId, interval, rules }: ShownAgent): string {
  const lines = rules.map(({ action, conditions }) => {
    const needs = conditions.map(
      ({ alertName, count, requiredCount }) => `“${alertName}” ${count} of ${requiredCount}`,
    );
    return `${signalText(action)}: ${needs.join(" and ")}`;
  });
  return `${name} trades ${marketId} on ${interval}.\n\n${lines.length === 0 ? "It has no rules." : list(lines)}`;
}
