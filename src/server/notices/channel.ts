import type { SentKind } from "../../domain/notice.ts";
import type { NoticeText } from "./notice-text.ts";

/** One message as a channel gets it. */
export interface OutgoingNotice extends NoticeText {
  /** The same for every attempt, so that who gets it twice can tell. */
  readonly id: string;
  readonly kind: SentKind;
  readonly agentId: string | null;
  readonly at: Date;
  /** Page that shows more. */
  readonly url: string;
}

/** The message was not taken. */
export class NotDelivered extends Error {
  override readonly name = "NotDelivered";
  /** Trying again cannot help: the target is gone or refuses us for good. */
  readonly isFinal: boolean;
  /** The least time the target asked us to wait, in milliseconds. */
  readonly waitMs: number;

  constructor(message: string, { isFinal = false, waitMs = 0 } = {}) {
    super(message);
    this.isFinal = isFinal;
    this.waitMs = waitMs;
  }
}

/** Sends one message to a target, as opened from its seal. Throws `NotDelivered`. */
export type SendNotice = (target: string, notice: OutgoingNotice) => Promise<void>;

/** Returns how long an answer asks to wait, from seconds in its Retry-After header. */
export function retryAfterMs(header: string | string[] | undefined): number {
  const seconds = Number(Array.isArray(header) ? header[0] : header);
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : 0;
}
