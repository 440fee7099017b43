import { formatDecimal } from "../../domain/amount.ts";
import { PRICE_DECIMALS } from "../../domain/market.ts";
import type { SentKind } from "../../domain/notice.ts";
import { PLAN_ACT_WORDS, PLAN_ACTS } from "../../domain/plan/plan.ts";
import { reasonText } from "../../domain/reasons.ts";
import type { NoticeFacts } from "../store/notices/notices.ts";

/** Title and body of a message, plain text. */
export interface NoticeText {
  readonly title: string;
  readonly body: string;
}

type Words = (facts: NoticeFacts) => NoticeText;

const of = (facts: NoticeFacts, name: string): string => String(facts[name] ?? "");

/** "Open long" of OPEN_LONG. */
function signalWords(signal: string): string {
  const words = signal.toLowerCase().replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const why = (facts: NoticeFacts): string => {
  const reason = of(facts, "reason");
  return reason === "" ? "" : reasonText(reason, of(facts, "signal"));
};

const order = (facts: NoticeFacts): string =>
  `${signalWords(of(facts, "signal"))} ${of(facts, "market")}`;

const isUnread = (facts: NoticeFacts): boolean => of(facts, "reason") === "fills_unread";

function fill(facts: NoticeFacts): string {
  // What was read is less than what was traded
  if (isUnread(facts)) return `${order(facts)}. ${why(facts)}`;
  const [size, decimals, price] = [
    of(facts, "size"),
    of(facts, "sizeDecimals"),
    of(facts, "price"),
  ];
  const at = price === "" ? "" : ` at $${formatDecimal(BigInt(price), PRICE_DECIMALS)}`;
  // A size without its decimals would be read as another one
  if (size === "" || decimals === "") return `${order(facts)}: filled${at}. See the Trade Log.`;
  return `${order(facts)}: ${formatDecimal(BigInt(size), Number(decimals))}${at}.`;
}

/** "Trailing stop." of what the plan asked for. */
const planWords = (facts: NoticeFacts): string => {
  const act = PLAN_ACTS.find((each) => each === facts["plan"]);
  return act === undefined ? "" : `${PLAN_ACT_WORDS[act]}.`;
};

const TEXTS: Readonly<Record<SentKind, Words>> = {
  test: () => ({
    title: "Test of Wheelhouse notices",
    body: "If you read this, notices reach you here.",
  }),
  // The code itself is only in the mail
  code: () => ({
    title: "Code to confirm your e-mail address",
    body: "Enter the code from the mail in the notices dialog.",
  }),
  muted: (facts) => {
    const events = of(facts, "events");
    return {
      title: events === "" ? "Notices end here" : "Fewer notices here",
      body: `${events === "" ? "This channel was removed." : `Not told here any more: ${events}.`} If that was not you, sign out everywhere in the wallet menu.`,
    };
  },
  trade_filled: (facts) => ({ title: `${of(facts, "agent")}: traded`, body: fill(facts) }),
  trade_failed: (facts) => ({
    title: isUnread(facts)
      ? `${of(facts, "agent")}: what an order traded is not known`
      : `${of(facts, "agent")}: an order failed`,
    body: `${order(facts)}. ${why(facts)}`.trim(),
  }),
  stop_hit: (facts) => ({
    title: `${of(facts, "agent")}: the stop closed the position`,
    body: `${planWords(facts)} ${fill(facts)}`,
  }),
  target_hit: (facts) => ({
    title: `${of(facts, "agent")}: a target was reached`,
    body: `${planWords(facts)} ${fill(facts)}`,
  }),
  stop_missing: (facts) =>
    of(facts, "text") === ""
      ? {
          title: `${of(facts, "agent")}: the stop could not be placed`,
          body: `The stop of the ${of(facts, "market")} position is not at the exchange. This server watches it and tries to place it again; after 30 seconds without it the position is closed, unless its plan says otherwise.`,
        }
      : {
          title: `${of(facts, "agent")}: the position has no stop`,
          body: of(facts, "text"),
        },
  limit_reached: (facts) => ({
    title: `${of(facts, "agent")}: a limit held an order back`,
    body: `${order(facts)}. ${why(facts)}`.trim(),
  }),
  trading_stopped: (facts) =>
    of(facts, "state") === "stopping"
      ? {
          title: `${of(facts, "agent")}: stopping`,
          body: "Auto-Trade was turned off. Open positions are being closed.",
        }
      : { title: `${of(facts, "agent")}: stopped`, body: "Auto-Trade is off." },
  custody_changed: (facts) => ({
    title: `${of(facts, "agent")}: changed outside Wheelhouse`,
    body: of(facts, "text"),
  }),
  balance_mismatch: (facts) => ({
    title: `${of(facts, "agent")}: the book differs from the chain`,
    body: "What is booked for the agent is not what the chain shows. See the agent's page.",
  }),
  source_silent: (facts) => ({
    title: `${of(facts, "agent")}: no alert for a day`,
    body: "Auto-Trade is on, and no alert has arrived for 24 hours. See whether your alerts are still running.",
  }),
  order_unknown: (facts) => ({
    title: `${of(facts, "agent")}: an order's outcome is not known`,
    body: `${order(facts)} was sent more than 60 seconds ago and the chain has not said what became of it. It is looked up until it does.`,
  }),
  low_sol: (facts) => ({
    title: `Orders on ${of(facts, "network")} may stop`,
    body: "The account that pays the fees of all orders is low on SOL. The operator has to send it some.",
  }),
  proposal_made: (facts) => ({
    title: `${of(facts, "agent")}: proposed by an assistant`,
    body: `${of(facts, "assistant")} proposes a change. Nothing is done before you approve it in the page with your wallet.`,
  }),
  assistant_limited: (facts) => ({
    title: `${of(facts, "assistant")} calls without end`,
    body: "Your assistant has used up its calls of a minute and is told to wait. Nothing was changed, and alerts are not affected. If you do not know why, revoke it under Read-only tokens.",
  }),
  new_browser: (facts) => ({
    title: "Signed in from a new browser",
    body: `${of(facts, "browser")} signed in with your wallet. If that was not you, sign out everywhere in the wallet menu.`,
  }),
};

/** How titles about a network without real money begin. */
const PLAY_MONEY: Readonly<Record<string, string>> = { practice: "Practice", paper: "Paper" };

/** Returns the text of a message; titles about a network with play money begin with its name. */
export function noticeText(kind: SentKind, facts: NoticeFacts): NoticeText {
  const { title, body } = TEXTS[kind](facts);
  const play = PLAY_MONEY[String(facts["network"])];
  return { title: play === undefined ? title : `${play}: ${title}`, body };
}
