/** The source of time, passed in everywhere so that tests control it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}
