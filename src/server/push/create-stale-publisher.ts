import type { StaleNotice } from "../../contract/events.ts";
import { STALE_TOPIC, type Hints } from "./hints.ts";
import type { StalePublisher } from "../stale-publisher.ts";

/** Publishes through the hints, which merge equal messages of a few milliseconds. */
export function createStalePublisher(hints: Hints): StalePublisher {
  return {
    publish(wallet, notice) {
      hints.notify(STALE_TOPIC, encodeNotice(wallet, notice));
    },
  };
}

/** Wallet, topic and id joined by slashes, which none of them contains. */
export function encodeNotice(wallet: string, notice: StaleNotice): string {
  return [wallet, notice.topic, notice.id ?? ""].join("/");
}

export function decodeNotice(word: string): { wallet: string; notice: StaleNotice } {
  const [wallet = "", topic = "", id = ""] = word.split("/");
  const notice = { topic: topic as StaleNotice["topic"], ...(id === "" ? {} : { id }) };
  return { wallet, notice };
}
