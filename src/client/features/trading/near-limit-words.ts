import type { NearLimit } from "../../../contract/trading-condition.ts";
import type { Times } from "../../lib/times.ts";

/** Text of a limit: what is left of it, and what resets it. */
export interface LimitWords {
  readonly what: string;
  readonly ends: string;
}

/** Returns the text for a limit that the agent is close to. */
export function describeLimit(near: NearLimit, times: Times): LimitWords {
  const { limit, used, most, isReached, easesAt } = near;
  switch (limit) {
    case "orders_a_minute":
      return orderWords(near, "a minute", times);
    case "orders_an_hour":
      return orderWords(near, "an hour", times);
    case "failures":
      return {
        what: `${used} of ${most} orders in a row failed. ${isReached ? "It only closes now." : `After ${most} it only closes.`}`,
        ends: "An order that fills ends the count, and so does turning Auto-Trade off and on.",
      };
    case "fall":
      return {
        what: `The account is ${used}% below its peak. ${isReached ? "It only closes now." : `At ${most}% it only closes.`}`,
        ends: "Resuming it measures the peak anew.",
      };
    case "losses_in_a_row":
      return {
        what: `${used} of ${most} trades in a row lost. ${isReached ? "It only closes now." : `After ${most} it only closes.`}`,
        ends: isReached
          ? "Resuming it starts the count anew."
          : "A trade that wins ends the count.",
      };
    case "trades_a_day":
      return {
        what: isReached
          ? `No new entry: all ${most} trades today are used.`
          : `${BigInt(most) - BigInt(used)} of ${most} trades today left.`,
        ends: easesAt ? `The count starts again at ${times.time(easesAt)} ${times.zone}.` : "",
      };
    case "daily_loss":
      return {
        what: `${used}% of the account is lost today. ${isReached ? "It only closes now." : `At ${most}% it only closes.`}`,
        ends: easesAt ? `The count starts again at ${times.time(easesAt)} ${times.zone}.` : "",
      };
  }
}

function orderWords(near: NearLimit, span: string, times: Times): LimitWords {
  const { used, most, isReached, easesAt } = near;
  const left = BigInt(most) - BigInt(used);
  return {
    what: isReached
      ? `No new entry: all ${most} orders ${span} are used.`
      : `${left} of ${most} orders ${span} left.`,
    ends: easesAt ? `One more is free at ${times.clock(easesAt)}.` : "",
  };
}
