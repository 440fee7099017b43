import * as z from "zod/mini";
import { type StaleNotice, staleNotice } from "../../contract/events.ts";
import type { OwnerAddress } from "../../domain/ids.ts";
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
export function encodeNotice(wallet: OwnerAddress, notice: StaleNotice): string {
  return [wallet, notice.topic, "id" in notice ? notice.id : ""].join("/");
}

/** Returns the wallet a word is for, as text. */
export const walletOf = (word: string): string => word.slice(0, word.indexOf("/"));

/** Returns the notice of a word; null for one this version does not know. */
export function decodeNotice(word: string): StaleNotice | null {
  const [, topic, id = ""] = word.split("/");
  return z.safeParse(staleNotice, { topic, ...(id === "" ? {} : { id }) }).data ?? null;
}

/** Hints between the servers of one database; a subset of the store's notifier. */
export interface Hints {
  notify(topic: string, id: string): void;
  subscribe(topic: string, listener: (id: string) => void): () => void;
  /** Calls back when hints may have been missed. */
  onMayHaveMissed(listener: () => void): () => void;
}

export const STALE_TOPIC = "stale";
export const SESSION_ENDED_TOPIC = "session-ended";
/** Topics heard by whoever has streams to browsers. */
export const STREAM_TOPICS = [STALE_TOPIC, SESSION_ENDED_TOPIC] as const;
