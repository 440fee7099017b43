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
