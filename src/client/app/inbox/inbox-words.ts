import type { ResponseOf } from "../../../contract/route.ts";
import type { listInbox } from "../../../contract/trade-log.ts";
import { tradedSignal } from "../../../domain/order/order-states.ts";
import { PLAN_ACT_WORDS } from "../../../domain/plan/plan.ts";
import { reasonText } from "../../../domain/reasons.ts";
import { assetOf, kindOf } from "../../../venues/profiles.ts";
import { displayDecimal, displayPrice, sizeDecimals } from "../../lib/format.ts";
import { signalText } from "../../lib/signal-text.ts";

export type InboxItem = ResponseOf<typeof listInbox>[number];

/** Actions that show an entry where it belongs. */
export interface InboxLinks {
  readonly seeChart: (item: InboxItem) => void;
  readonly seeWhy: (item: InboxItem) => void;
}

const VERBS: Readonly<Record<string, string>> = {
  OPEN_LONG: "Bought",
  CLOSE_LONG: "Sold",
  OPEN_SHORT: "Sold short",
  CLOSE_SHORT: "Bought back",
};

/** Returns an entry in words: "Bought 3.70 SOL at $134.35", or what failed and why; with what of a plan asked for it. */
export function inboxWords({ entry }: InboxItem): {
  readonly title: string;
  /** Result of a closing, or the reason of a failure. */
  readonly message: string | undefined;
} {
  const { market, signal, side, size, price, plan, pnl, reason, status, type } = entry;
  const asset = assetOf(market);
  if (status === "failed") {
    const what = `${signalText(signal)} ${asset} was not traded`;
    return { title: what, message: reason === undefined ? undefined : reasonText(reason, signal) };
  }
  const isTransfer = type === "transfer";
  const verb = isTransfer ? "Moved" : VERBS[tradedSignal(signal, side, kindOf(market))];
  if (!/[1-9]/.test(size)) return { title: `${signalText(signal)} ${asset}`, message: undefined };
  const at = price === undefined ? "" : ` at $${displayPrice(price)}`;
  const amount = `${displayDecimal(size, sizeDecimals(size))} ${asset}`;
  const did = `${verb ?? signalText(signal)} ${amount}${at}`;
  const isLoss = pnl?.startsWith("-") === true;
  return {
    title: plan ? `${PLAN_ACT_WORDS[plan]}: ${did[0]?.toLowerCase()}${did.slice(1)}` : did,
    message:
      pnl === undefined
        ? reason && reasonText(reason, signal)
        : `${isLoss ? "Lost" : "Earned"} $${displayDecimal(pnl, 2).replace("−", "")} with fees of both sides`,
  };
}

/** Returns how many entries came after the newest one seen before. */
export function countUnread(items: readonly InboxItem[], seenAt: string): number {
  return items.filter(({ entry }) => entry.at > seenAt).length;
}

/** Returns the entries that were not there, or had another outcome, in an earlier answer; oldest first. */
export function newsSince(
  items: readonly InboxItem[],
  before: readonly InboxItem[],
): readonly InboxItem[] {
  const known = new Set(before.map(({ entry }) => `${entry.id} ${entry.status}`));
  // An entry that is older than all of the full list before has only moved up into it
  const oldest = before.length === 0 ? "" : (before.at(-1)?.entry.at ?? "");
  return items
    .filter(({ entry }) => !known.has(`${entry.id} ${entry.status}`) && entry.at >= oldest)
    .toReversed();
}
