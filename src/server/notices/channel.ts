import type { AgentId } from "../../domain/ids.ts";
import type { SentKind } from "../../domain/notice.ts";
import type { NoticeText } from "./notice-text.ts";

/** A message in the form a sender gets it. */
export interface OutgoingNotice extends NoticeText {
  /** Equal for every attempt, so that a receiver can recognise a repeat. */
  readonly id: string;
  readonly kind: SentKind;
  readonly agentId: AgentId | null;
  readonly at: Date;
  /** Page that shows more. */
  readonly url: string;
}

/** Thrown when a target did not accept a message. */
export class NotDelivered extends Error {
  override readonly name = "NotDelivered";
  /** True when a retry cannot succeed, for instance because the target no longer exists. */
  readonly isFinal: boolean;
  /** Shortest pause the target asked for, milliseconds; 0 when it asked for none. */
  readonly waitMs: number;

  constructor(message: string, { isFinal = false, waitMs = 0 } = {}) {
    super(message);
    this.isFinal = isFinal;
    this.waitMs = waitMs;
  }
}

/** Sends one message to a decrypted target, JSON of the kind's own shape. Throws `NotDelivered`. */
export type SendNotice = (target: string, notice: OutgoingNotice) => Promise<void>;

/** Returns the pause a Retry-After header asks for, milliseconds; 0 when it is absent or holds a date. */
export function retryAfterMs(header: string | string[] | undefined): number {
  const seconds = Number(Array.isArray(header) ? header[0] : header);
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : 0;
}
