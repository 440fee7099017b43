import type {
  explainTrade,
  readAgent,
  readHealth,
  readPosition,
  readSignals,
  readTrades,
} from "../../../../assistant/read-tools.ts";
import type { Range } from "../../../../domain/performance/range.ts";
import type { DataOf } from "../../../../assistant/tool.ts";
import { displayDecimal } from "../../../lib/format.ts";
import { signalText } from "../../../lib/signal-text.ts";

/** What answers a question without a model: one read, told in fixed sentences. */
interface PlainAnswer {
  readonly tool: string;
  readonly args: (question: string) => Readonly<Record<string, unknown>>;
  // oxlint-disable-next-line no-explicit-any -- each topic tells what its own tool answers
  readonly say: (data: any, at: PlainTime) => string;
}

interface PlainTime {
  readonly nowMs: number;
  readonly isToday: boolean;
  readonly question: string;
}

/** Words of a span in a question; 30 days without one. */
const RANGE_WORDS: readonly (readonly [RegExp, Range])[] = [
  [/\bquarter|\b90 ?d|\b(?:3|three) months\b/i, "90d"],
  [/\byear|\b12 months\b/i, "1y"],
  [/\btoday\b|\bweek|\b7 ?d|\bseven days\b|\byesterday\b/i, "7d"],
  [/\bever\b|\ball[- ]time\b|\bbeginning\b|\bstart\b|\bin total\b/i, "all"],
];

const rangeIn = (question: string): Range =>
  RANGE_WORDS.find(([words]) => words.test(question))?.[1] ?? "30d";

const SPANS: Readonly<Record<Range, string>> = {
  "7d": "The last 7 days",
  "30d": "The last 30 days",
  "90d": "The last 90 days",
  "1y": "The last year",
  all: "All",
};

/** Reads that answer a question by its words, the more special first. */
const TOPICS: readonly (readonly [RegExp, PlainAnswer])[] = [
  [/\bwhy\b|\bexplain\b/i, { tool: "explain_trade", args: () => ({}), say: whyText }],
  [
    /\bportfolio|\ball (?:my |your )?agents|\bworth\b/i,
    {
      tool: "read_portfolio",
      args: (question) => ({ range: rangeIn(question) }),
      say: () => "All agents of your wallet:",
    },
  ],
  [
    /\bperform|\bprofit|\bmade\b|\bmake\b|\bearn|\breturn|\bp&l\b|\bpnl\b/i,
    {
      tool: "read_performance",
      args: (question) => ({ range: rangeIn(question) }),
      say: (_, { question }) => `${SPANS[rangeIn(question)]} of this agent:`,
    },
  ],
  [
    /\btrade[ds]?\b|\btrading log|\bbought\b|\bsold\b|\bfills?\b|\borders?\b/i,
    { tool: "read_trades", args: () => ({ limit: 50 }), say: tradesText },
  ],
  [/\bposition|\bholding?\b/i, { tool: "read_position", args: () => ({}), say: positionText }],
  [
    /\balerts?\b|\bsignals?\b/i,
    { tool: "read_signals", args: () => ({ limit: 10 }), say: signalsText },
  ],
  [
    /\bhealth|\bworking\b|\brunning\b|\bhow are you\b/i,
    { tool: "read_health", args: () => ({}), say: healthText },
  ],
  [
    /\brules?\b|\bsettings?\b|\bconditions?\b|\bconfig/i,
    { tool: "read_agent", args: () => ({}), say: agentText },
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
      : answer.say(data, { nowMs, isToday, question });
  return `${text}\n\n*Told from what was read, without a model. Set the key of an AI provider for other questions.*`;
}

const timeOf = (at: string): string => at.slice(0, 16).replace("T", " ");
const list = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join("\n");
const signed = (text: string): string =>
  `${text.startsWith("-") ? "" : "+"}${displayDecimal(text, 2)}`;

function tradesText(
  { trades }: DataOf<typeof readTrades>,
  { nowMs, isToday, question }: PlainTime,
): string {
  const today = new Date(nowMs).toDateString();
  const isWeek = !isToday && rangeIn(question) === "7d";
  const asked = trades.filter(({ at }) =>
    isToday
      ? new Date(at).toDateString() === today
      : !isWeek || Date.parse(at) > nowMs - 7 * 86_400_000,
  );
  const when = isToday ? " today" : isWeek ? " in the last 7 days" : "";
  if (asked.length === 0) return `No orders${when}.`;
  const filled = asked.filter(({ status }) => status === "success").length;
  const lines = asked
    .slice(0, MOST_LINES)
    .map(({ at, signal, market, size, status, price, pnl, reason }) => {
      const what = `${timeOf(at)} UTC: ${signalText(signal)}, ${size} ${market}`;
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

function positionText(data: DataOf<typeof readPosition>): string {
  if ("note" in data) return data.note;
  const { market, side, position, positionValue, entryPrice, pnl } = data;
  if (side === undefined) return `No open position on ${market}.`;
  const entry = entryPrice === undefined ? "" : `, entered at ${displayDecimal(entryPrice, 2)}`;
  const made = pnl === undefined ? "" : `, P&L ${signed(pnl)} %`;
  return `${side === "long" ? "Long" : "Short"} ${position.replace("-", "")} ${market}, worth ${displayDecimal(positionValue, 2)}${entry}${made}.`;
}

function whyText({ at, signal, alert, checks, outcome }: DataOf<typeof explainTrade>): string {
  const refused = checks.find(({ hasPassed }) => !hasPassed);
  return [
    `${timeOf(at)} UTC${signal === undefined ? "" : `: ${signalText(signal)}`}.`,
    alert === undefined
      ? "No alert asked for it."
      : `The alert “${alert.alertName}” completed its rule${alert.because === undefined || alert.because.length === 0 ? "." : `: ${alert.because.join(" ")}`}`,
    refused === undefined ? null : `The check “${refused.name}” refused it.`,
    `It ended as ${outcome.state.replaceAll("_", " ")}${outcome.price === undefined ? "" : ` at ${displayDecimal(outcome.price, 2)}`}${outcome.reason === undefined ? "" : ` (${outcome.reason.replaceAll("_", " ")})`}.`,
  ]
    .filter((sentence) => sentence !== null)
    .join(" ");
}

function signalsText({ signals }: DataOf<typeof readSignals>): string {
  if (signals.length === 0) return "No alerts received yet.";
  return `The last alerts:\n\n${list(
    signals.map(
      ({ alertName, receivedAt, outcome, reason }) =>
        `${timeOf(receivedAt)} UTC: “${alertName}”, ${outcome}${reason === undefined ? "" : ` (${reason.replaceAll("_", " ")})`}`,
    ),
  )}`;
}

function healthText({
  isTrading,
  lastAlert,
  book,
  venue,
  unsettled,
}: DataOf<typeof readHealth>): string {
  return list([
    `Auto-trade is ${isTrading ? "on" : "off"}.`,
    lastAlert === null ? "No alert received yet." : `Last alert ${timeOf(lastAlert.at)} UTC.`,
    {
      right: "The book agrees with the chain.",
      different: "The book differs from the chain.",
      unchecked: "The book was not held against the chain yet.",
    }[book.state],
    venue.isAnswering === false ? "The venue does not answer." : "The venue answers.",
    `${unsettled.orders} ${unsettled.orders === 1 ? "order" : "orders"} without an outcome.`,
  ]);
}

function agentText({ name, marketId, interval, rules }: DataOf<typeof readAgent>): string {
  const lines = rules.map(({ action, portion, conditions }) => {
    const part = portion === undefined ? "" : ` ${portion}%`;
    const needs = conditions.map(
      ({ alertName, count, requiredCount }) => `“${alertName}” ${count} of ${requiredCount}`,
    );
    return `${signalText(action)}${part}: ${needs.join(" and ")}`;
  });
  return `${name} trades ${marketId} on ${interval}.\n\n${lines.length === 0 ? "It has no rules." : list(lines)}`;
}
