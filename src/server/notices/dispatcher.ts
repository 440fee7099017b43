import { CODE_MINUTES } from "../../contract/notices.ts";
import { HEALTH_LIMITS_MS } from "../../domain/agent-health.ts";
import type { Clock } from "../../domain/clock.ts";
import type { ChannelKind } from "../../contract/notice-channels/list.ts";
import { quietUntil, URGENT_KINDS } from "../../domain/notice.ts";
import type { Db } from "../store/postgres/db.ts";
import { insertLastingNotices } from "../store/notices/notice-watch.ts";
import {
  claimDueNotices,
  type DueNotice,
  endAttempt,
  type NoticeEnding,
  fanOutEvents,
} from "../store/notices/notices.ts";
import { repeatTask } from "../pacing/repeat-task.ts";
import { CODE_LIFE_MS, type AddressCodes } from "./confirm-address.ts";
import { NotDelivered, type SendNotice } from "./channel.ts";
import { type NoticeText, noticeText } from "./notice-text.ts";
import type { TargetCipher } from "./encrypt-target.ts";

/** Pauses between attempts; after the last one a message is given up. */
export const PAUSES_MS = [5, 15, 60, 300, 900, 3_600, 10_800, 21_600].map((each) => each * 1_000);

/** The longest a target may ask us to wait. */
const MAX_WAIT_MS = 3_600_000;
/** How long a claimed channel belongs to one server; longer than any attempt, so that after it the server counts as dead. */
const LEASE_MS = 120_000;
/** Attempts under way at once: more than the channels of one wallet, so that targets that hang leave room for others. */
const ATTEMPTS_AT_ONCE = 32;
const INTERVAL_MS = 2_000;

/** Pause between two looks for orders without an outcome and for silent sources. */
const WATCH_MS = 15_000;

/** An older message is given up at its next failure: quiet hours and all pauses fit in. Bounds what waits for a dead target. */
const MAX_AGE_MS = 36 * 3_600_000;

export interface DispatcherDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly publicUrl: URL;
  readonly seal: TargetCipher;
  readonly codes: AddressCodes;
  /** A kind without a sender is not offered by this server. */
  readonly senders: Readonly<Record<ChannelKind, SendNotice | undefined>>;
  readonly onFailure: (error: unknown) => void;
}

/** Sends notices to the channels of their owners. Several servers on one database may run one each. */
export interface Dispatcher {
  /** Sends everything that is due and returns the number of attempts. */
  run(): Promise<number>;
  start(): void;
  /** Claims nothing more and resolves when the attempts under way have ended. */
  stop(): Promise<void>;
}

/** A stop that was refused is tried again meanwhile, in milliseconds. */
const STOP_MISSING_MS = 5_000;

const watchTimes = (nowMs: number) => ({
  unknownBefore: new Date(nowMs - HEALTH_LIMITS_MS.unsettled),
  missingBefore: new Date(nowMs - STOP_MISSING_MS),
  silentSince: new Date(nowMs - HEALTH_LIMITS_MS.silent),
});

export function createDispatcher(deps: DispatcherDeps): Dispatcher {
  const { db, clock, onFailure } = deps;
  const underWay = new Set<Promise<void>>();
  let attempts = 0;
  let watchedAt = -Infinity;

  async function watch(): Promise<void> {
    const now = clock.now();
    if (now - watchedAt < WATCH_MS) return;
    watchedAt = now;
    await insertLastingNotices(db, watchTimes(now));
  }

  /** Claims nothing once stopped: a claimed channel would wait for its lease to end. */
  async function claim(limit: number): Promise<readonly DueNotice[]> {
    if (rounds.isStopped() || limit === 0) return [];
    const now = clock.now();
    return claimDueNotices(db, new Date(now), new Date(now + LEASE_MS), limit);
  }

  /** Sends a message, then whatever is due next, until nothing is. */
  async function sendFrom(first: DueNotice): Promise<void> {
    for (let next: DueNotice | undefined = first; next !== undefined; [next] = await claim(1)) {
      attempts += 1;
      const ending = await attempt(deps, next);
      await endAttempt(db, next, ending, new Date(clock.now()));
    }
  }

  /** Begins to send what is due, without waiting for it: a target that hangs holds up nobody else. */
  async function begin(): Promise<void> {
    await watch();
    while ((await fanOutEvents(db, new Date(clock.now()))) > 0);
    for (const notice of await claim(ATTEMPTS_AT_ONCE - underWay.size)) {
      const sending = sendFrom(notice)
        .catch(onFailure)
        .finally(() => underWay.delete(sending));
      underWay.add(sending);
    }
  }

  const rounds = repeatTask({ task: begin, pauseMs: INTERVAL_MS, onFailure });

  return {
    async run() {
      const before = attempts;
      await begin();
      await Promise.all(underWay);
      return attempts - before;
    },
    start: rounds.start,
    async stop() {
      await rounds.stop();
      await Promise.all(underWay);
    },
  };
}

async function attempt(deps: DispatcherDeps, notice: DueNotice): Promise<NoticeEnding> {
  const now = deps.clock.now();
  const until = URGENT_KINDS.includes(notice.kind) ? null : quietUntil(notice.quiet, now);
  if (until !== null) return { kind: "held", until: new Date(until) };
  try {
    await send(deps, notice);
    return { kind: "sent" };
  } catch (error) {
    if (!(error instanceof NotDelivered)) deps.onFailure(error);
    return afterFailure(error, notice, now);
  }
}

async function send(deps: DispatcherDeps, notice: DueNotice) {
  const { seal, senders, publicUrl } = deps;
  const target = seal.open(notice.channelId, notice.target);
  if (target === null) {
    const message = "The server's secret was replaced. Add the channel again.";
    throw new NotDelivered(message, { isFinal: true });
  }
  const sender = senders[notice.channelKind];
  if (sender === undefined) throw new NotDelivered("This server does not send that way now.");
  await sender(target, {
    ...(notice.kind === "code" ? codeText(deps, notice) : noticeText(notice.kind, notice.facts)),
    id: notice.seq,
    kind: notice.kind,
    agentId: notice.agentId,
    at: notice.at,
    url: publicUrl.origin,
  });
}

/** The only text that holds a code. */
function codeText({ clock, codes, publicUrl }: DispatcherDeps, notice: DueNotice): NoticeText {
  if (clock.now() >= notice.at.getTime() + CODE_LIFE_MS) {
    const message = "The code ran out before it could be sent. Ask for a new one.";
    throw new NotDelivered(message, { isFinal: true });
  }
  const code = codes.codeOf(notice.channelId, String(notice.facts["code"]));
  const { title } = noticeText(notice.kind, notice.facts);
  const body = [
    `The wallet ${notice.owner} wants to get its notices from ${publicUrl.host} here. Your code is ${code}. It can be used for ${CODE_MINUTES} minutes.`,
    "If that is not your wallet, do nothing: nothing else is sent to this address.",
  ].join("\n\n");
  return { title, body };
}

function afterFailure(error: unknown, { attempts, at }: DueNotice, now: number): NoticeEnding {
  const { message, isFinal, waitMs } =
    error instanceof NotDelivered ? error : new NotDelivered("It could not be sent.");
  const pause = PAUSES_MS[attempts];
  const isTooOld = now - at.getTime() > MAX_AGE_MS;
  if (isFinal || isTooOld || pause === undefined) return { kind: "given_up", error: message };
  const wait = Math.max(pause, Math.min(waitMs, MAX_WAIT_MS));
  return { kind: "again", at: new Date(now + wait), error: message };
}
