import type { Decision } from "../../../../contract/decisions.ts";
import { reasonWhat } from "../../../../domain/reasons.ts";
import type { RiskCheckName } from "../../../../domain/risk-check.ts";
import { displayDecimal, groupThousands } from "../../../lib/format.ts";
import { signalText } from "../../../lib/signal-text.ts";
import { timesIn } from "../../../lib/time-zone.ts";

/** Tone of an outcome's mark, which also has a text, so that colour is never the only sign. */
export type Tone = "up" | "down" | "warn" | "neutral";

const CHECK_LABELS: Readonly<Record<RiskCheckName, string>> = {
  signal_age: "Age of the signal",
  auto_trade: "Auto-Trade is on",
  custody: "Custody as it was set up",
  powers: "Nobody else may move the money",
  account: "The account is what the records explain",
  order_possible: "Order possible",
  trading_halted: "Trading is not halted",
  venue: "The venue takes entries",
  reducing: "Entries are allowed",
  failures: "Failed orders in a row",
  daily_loss: "Loss today",
  fall: "Fall from the highest worth",
  losses_in_a_row: "Losses in a row",
  trades_a_day: "Trades today",
  price_age: "Age of the price",
  price_certainty: "Uncertainty of the price",
  orders_a_minute: "Orders within a minute",
  orders_an_hour: "Orders within an hour",
  entries_of_owner: "Your entries within a minute",
  fees_of_owner: "Fees paid for your agents today",
  size: "Size of the order",
  free_money: "Worth of the order",
  asset_share: "Share of one asset",
  signing_costs: "Entries are signed again from",
};

/** Returns the label of a check; a check unknown to this page shows its name. */
export function checkLabel(name: string): string {
  return Object.hasOwn(CHECK_LABELS, name)
    ? CHECK_LABELS[name as RiskCheckName]
    : name.replaceAll("_", " ");
}

type Check = Decision["checks"][number];

/** Returns a figure of a check with its unit. */
export function checkFigure(text: string | undefined, unit: Check["unit"], asset: string): string {
  if (text === undefined) return "–";
  switch (unit) {
    case "time":
      return `${timesIn("UTC").short(Number(text) * 1_000)} UTC`;
    case "seconds":
      return `${displayDecimal(text, 1)} s`;
    case "price":
    case "quote":
      return `$${displayDecimal(text, 2)}`;
    case "sol":
      return `${displayDecimal(text, 4)} SOL`;
    case "base":
      return `${groupThousands(text)} ${asset}`;
    default:
      return groupThousands(text);
  }
}

/** Returns a short title of a decision. */
export function decisionTitle({ kind, signal, alert }: Decision): string {
  return kind === "alert" ? (alert?.alertName ?? "Alert") : signalText(signal);
}

const STATE_WORDS: Readonly<Record<string, string>> = {
  planned: "Waiting",
  denied: "Denied",
  submitted: "Sent",
  unknown: "Checking",
  resting: "At the venue",
  filled: "Filled",
  partially_filled: "Partly filled",
  cancelled: "Not filled",
  rejected: "Rejected",
  expired: "Expired",
  accepted: "Counted",
  ignored: "Ignored",
  refused: "Refused",
};

/** Returns the outcome of a decision in one or two words, with its tone. */
export function outcomeWords(decision: Decision): { readonly text: string; readonly tone: Tone } {
  const { kind, outcome, rules } = decision;
  if (kind === "reset") return { text: "Counters reset", tone: "neutral" };
  if (outcome.reason === "fills_unread") return { text: "Not known", tone: "warn" };
  const text = STATE_WORDS[outcome.state] ?? outcome.state;
  switch (outcome.state) {
    case "filled":
    case "partially_filled":
    case "success":
      return { text: text === "success" ? "Done" : text, tone: "up" };
    case "denied":
    case "rejected":
    case "expired":
    case "cancelled":
    case "failed":
      return { text, tone: "down" };
    case "accepted":
      return { text: rules.length === 0 ? "In no rule" : text, tone: "neutral" };
    default:
      return { text, tone: "warn" };
  }
}

/** Returns a sentence with the reason for a decision's outcome. */
export function outcomeSentence(decision: Decision): string {
  const { kind, outcome, rules } = decision;
  if (outcome.reason !== undefined) return reasonWhat(outcome.reason);
  if (kind === "reset") return "The counters of the rules it names were set to zero.";
  if (kind === "order") return "";
  if (rules.length === 0) return "No rule names this alert, so it counted for nothing.";
  return rules.some((rule) => rule.kind === "counted")
    ? "It counted. No rule is complete yet."
    : "Every rule that names it has counted enough of it and waits for its other alerts.";
}

/** Returns a rule's conditions as a sentence, for instance `2 × dip and 1 × volume`. */
export function countersText(
  counters: readonly { readonly alertName?: string | undefined; readonly requiredCount: number }[],
): string {
  return counters
    .map(({ alertName, requiredCount }) => `${requiredCount} × ${alertName ?? "a deleted alert"}`)
    .join(" and ");
}
