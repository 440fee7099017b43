import { hash } from "node:crypto";
import type { FastifyInstance, FastifyRequest, RouteShorthandOptionsWithHandler } from "fastify";
import { AppError, isAppError } from "../../contract/errors.ts";
import type { ResponseOf } from "../../contract/route.ts";
import { WEBHOOK_BODY_LIMIT_BYTES } from "../../contract/fields.ts";
import type { receiveWebhook } from "../../contract/webhook.ts";
import {
  isPlain,
  alertNameKey,
  isAlertNameUsable,
  MAX_ALERT_NAME_LENGTH,
} from "../../domain/name-key.ts";
import type { Clock } from "../../domain/clock.ts";
import { parseAgentId, SERVER_ID } from "../../domain/ids.ts";
import type { AlertFired, AlertSource } from "../alert-sources/alert-source.ts";
import { isAlertSender } from "../alert-sources/alert-senders.ts";
import { readWebhookToken, withoutSecrets } from "../alert-sources/webhook-token.ts";
import { parseStrictJson, StrictJsonError } from "../http/strict-json.ts";
import type { Intake } from "../trading/intake.ts";
import {
  type Delivery,
  type DeliveryContent,
  type DeliveryResult,
} from "../trading/intake/delivery.ts";

/** Maximum time for a body to arrive, in milliseconds. */
const BODY_WITHIN_MS = 3_000;

export interface ReadDeps {
  readonly clock: Clock;
  readonly webhookKey: Uint8Array;
  readonly source: AlertSource;
}

export interface WebhookDeps extends ReadDeps {
  /** Rejects with `unavailable` before the sender gives up. */
  readonly receive: (delivery: Delivery) => Promise<DeliveryResult>;
  /** Counts a delivery that could not be read, for the owner to see. */
  readonly noteUnreadable: Intake["noteUnreadable"];
  readonly limits?: AlertRateLimits;
  /** Addresses that may send alerts; any address when absent. */
  readonly senders?: ReadonlySet<string> | undefined;
}

const DEFAULT_LIMITS: AlertRateLimits = { alertsPerMinute: 60, deliveriesPerMinute: 600 };

/** Registers the webhook that charting platforms call. Accepts JSON, however labelled. */
export function registerWebhook(scope: FastifyInstance, deps: WebhookDeps): void {
  const limit = createAlertRate(deps.limits ?? DEFAULT_LIMITS);
  const recordLimit = recordLimitOnce(deps.receive);
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser<Buffer>(
    "*",
    { parseAs: "buffer", bodyLimit: WEBHOOK_BODY_LIMIT_BYTES },
    (_request, bytes, done) => done(null, bytes),
  );
  const options: RouteShorthandOptionsWithHandler = {
    bodyLimit: WEBHOOK_BODY_LIMIT_BYTES,
    onRequest: (request, _reply, done) => {
      // How it is labelled says nothing, and a label that is none would be refused
      delete request.headers["content-type"];
      done();
    },
    preParsing: (request, _reply, payload, done) => {
      const timer = setTimeout(() => request.raw.destroy(), BODY_WITHIN_MS);
      request.raw.once("close", () => clearTimeout(timer));
      payload.once("end", () => clearTimeout(timer));
      done(null, payload);
    },
    handler: async (request, reply) => {
      if (deps.senders !== undefined && !isAlertSender(deps.senders, request.ip)) {
        throw noAgent("it came from an address that this server takes no alerts from.");
      }
      const alert = readDelivery(deps, agentOf(request), bodyOf(request));
      const delivery = { ...alert, requestId: request.id };
      try {
        limitRate(limit, delivery);
      } catch (refusal) {
        recordLimit(delivery);
        throw refusal;
      }
      const answer = told(await stored(request, deps.receive(delivery)));
      return reply.code(answer.status === "duplicate" ? 200 : 202).send(answer);
    },
    onError: (request, _reply, error, done) => {
      const agentId = agentOf(request);
      const problem = problemOf(error);
      if (problem !== null && SERVER_ID.test(agentId)) {
        const head = Buffer.from(bodyOf(request).subarray(0, HEAD_BYTES));
        deps.noteUnreadable(parseAgentId(agentId), {
          problem: problem.message,
          sample: () =>
            problem.hidesText ? null : withoutSecrets(head.toString(), agentId, SHOWN_CHARACTERS),
          atMs: deps.clock.now(),
        });
      }
      done();
    },
  };
  scope.post("/webhook/:agentId", options);
  scope.post("/webhook/:agentId/", options);
}

const agentOf = (request: FastifyRequest) => (request.params as { agentId: string }).agentId;

/** Returns what was sent; nothing where it was refused before it was read. */
const bodyOf = (request: FastifyRequest) => (request.body as Buffer | undefined) ?? Buffer.alloc(0);

/** Bytes of a delivery that could not be read that are kept, and the characters that its owner is shown. */
const HEAD_BYTES = 1_024;
const SHOWN_CHARACTERS = 200;

/** Why a delivery could not be read, as the end of a sentence for the agent's owner. */
class UnreadableDelivery extends Error {
  override readonly name = "UnreadableDelivery";
  /** Whether the text may hold the secret of another agent. */
  readonly hidesText: boolean;

  constructor(problem: string, { hidesText = false } = {}) {
    super(problem);
    this.hidesText = hidesText;
  }
}

/** Returns the answer to the sender of a delivery that could not be read: what is wrong, and what is right. */
const unreadable = (wrong: string, right: string): AppError => {
  const problem = `${wrong} ${right}`;
  const cause = new UnreadableDelivery(problem);
  return new AppError("bad_request", { message: `The alert could not be read: ${problem}`, cause });
};

/** One answer for whatever names no agent together with its token, so that a stranger learns nothing. */
const noAgent = (problem?: string) =>
  new AppError("not_found", {
    message:
      "No agent takes this: address, agentId and token have to be those of one agent. Copy the alert text from its page.",
    ...(problem !== undefined && { cause: new UnreadableDelivery(problem, { hidesText: true }) }),
  });

/** Returns an alert as the pipeline takes it. Throws what its sender is answered, with an `UnreadableDelivery` as cause. */
export function readDelivery(deps: ReadDeps, agentId: string, body: Uint8Array): Delivery {
  const { source, webhookKey, clock } = deps;
  const fired = source.read(parseBody(body, source.right));
  if (typeof fired === "string") throw unreadable(fired, source.right);
  const version = readWebhookToken(webhookKey, agentId, fired.token);
  if (version === null) {
    throw noAgent(
      fired.token === "{{token}}"
        ? "wrong token. {{token}} stands for it: show the alert texts on this page and copy one."
        : "wrong token. Copy the alert text from this page.",
    );
  }
  if (fired.agentId !== agentId) {
    throw noAgent("its agentId is not that of this agent. Copy the alert text from this page.");
  }
  return toDelivery(fired, version, clock.now());
}

const BYTE_ORDER_MARK = Buffer.from("\ufeff");

/** Returns what a delivery says, of which one byte order mark is no part. */
function parseBody(body: Uint8Array, right: string): unknown {
  const mark = BYTE_ORDER_MARK.equals(body.subarray(0, 3)) ? 3 : 0;
  const bytes = body.subarray(mark);
  try {
    return parseStrictJson(bytes);
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    const { at, message: refusal } = error;
    const why = at === undefined ? refusal : whyNotJson(Buffer.from(bytes).toString(), at);
    throw unreadable(why, right);
  }
}

/** Returns what is wrong where a text stops being JSON. It repeats nothing of the text, which may hold the token. */
function whyNotJson(text: string, at: number): string {
  const rest = text.slice(at).trimStart();
  const [next = ""] = rest;
  const before = text.slice(0, at).trimEnd().at(-1);
  if (next === "\0") return "it is UTF-16 and has to be UTF-8.";
  if (text.trim() === "") return "it is empty.";
  if (!text.trimStart().startsWith("{")) return "it is not the alert text, which begins with {.";
  if (/[\p{Pi}\p{Pf}„‚'`]/u.test(next)) {
    return `character ${at + 1} is the quote ${next} where JSON has the straight quote ".`;
  }
  if (next === "{" && before === "{") return `a {{placeholder}} stands without quotes around it.`;
  if (next === "}" && before === ",") return "there is a comma too many before the last brace.";
  if (next === "" || (next === '"' && !rest.includes('"', 1))) return "its end is missing.";
  return `it stops being JSON at character ${at + 1}.`;
}

/** Returns why a delivery could not be read; null where it was refused or failed otherwise. */
export function problemOf(error: Error): UnreadableDelivery | null {
  if (error.cause instanceof UnreadableDelivery) return error.cause;
  if (isAppError(error, "bad_request")) return new UnreadableDelivery(error.message);
  const isTooLarge = "statusCode" in error && error.statusCode === 413;
  return isTooLarge ? new UnreadableDelivery("it is larger than 16 KB.") : null;
}

/** Returns an alert as the pipeline takes it; `tokenVersion` is of the valid token it came with. */
export function toDelivery(
  fired: Omit<AlertFired, "token">,
  tokenVersion: number,
  receivedAtMs: number,
): Delivery {
  return {
    agentId: parseAgentId(fired.agentId),
    tokenVersion,
    alertName: shownName(fired.alertName),
    receivedAtMs,
    content: toContent(fired),
  };
}

function toContent(fired: Omit<AlertFired, "token">): DeliveryContent {
  const { alertName, firedAt } = fired;
  if (!isAlertNameUsable(alertName)) return { kind: "refusal", code: "alert_name_invalid" };
  if (firedAt.kind === "unreadable") return { kind: "refusal", code: firedAt.code };
  const nameKey = alertNameKey(alertName);
  return {
    kind: "alert",
    alertNameKey: nameKey,
    firedAtMs: firedAt.ms,
    dedupKey: sha256(`${nameKey}\n${firedAt.ms}`),
    bodyHash: sha256(JSON.stringify([alertName, firedAt.text])).slice(0, 16),
  };
}

/**
 * Rate limit key; it includes the token version, so that a holder of a replaced token cannot use up the agent's own
 * limit.
 */
const senderOf = ({ agentId, tokenVersion }: Delivery) => `${agentId} ${tokenVersion}`;

const sha256 = (text: string) => hash("sha256", text, "hex");

/** Returns the displayed form of a name that no alert can have. */
const shownName = (name: string) => {
  const shown = name.slice(0, MAX_ALERT_NAME_LENGTH);
  return isPlain(shown)
    ? shown
    : shown.toWellFormed().replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, "\ufffd");
};

function limitRate(limit: ReturnType<typeof createAlertRate>, delivery: Delivery): void {
  const { content, receivedAtMs } = delivery;
  const firing = content.kind === "refusal" ? `${content.code} ${receivedAtMs}` : content.dedupKey;
  limit(senderOf(delivery), firing, receivedAtMs);
}

/**
 * Records rate-limited alerts for the owner, at most once a minute per sender, so that a flood cannot fill the store.
 */
function recordLimitOnce(receive: WebhookDeps["receive"]): (delivery: Delivery) => void {
  const recordedMinute = new Map<string, number>();
  return (delivery) => {
    const minute = Math.floor(delivery.receivedAtMs / 60_000);
    const sender = senderOf(delivery);
    if (recordedMinute.get(sender) === minute) return;
    recordedMinute.delete(sender);
    recordedMinute.set(sender, minute);
    for (const [earlier, recorded] of recordedMinute) {
      if (recorded === minute) break;
      recordedMinute.delete(earlier);
    }
    receive({ ...delivery, content: { kind: "refusal", code: "rate_limited" } }).catch(() => {});
  };
}

/** Any failure to store is `unavailable`: the sender retries only after a 5xx. */
async function stored(
  request: FastifyRequest,
  receiving: Promise<DeliveryResult>,
): Promise<DeliveryResult> {
  try {
    return await receiving;
  } catch (error) {
    if (isAppError(error)) throw error;
    request.log.error({ err: error, reqId: request.id }, "alert not stored");
    throw new AppError("unavailable", { cause: error });
  }
}

/** Returns what the sender of an alert is told; throws where it was refused. */
export function told(result: DeliveryResult): ResponseOf<typeof receiveWebhook> {
  switch (result.kind) {
    case "accepted":
    case "duplicate":
      return { status: result.kind, eventId: result.eventId };
    case "ignored":
      return { status: result.kind, reason: result.reason };
    case "refused":
      throw new AppError(result.code);
    case "missed":
    case "outdated":
    case "unknown":
      throw noAgent();
  }
}

const MINUTE_MS = 60_000;

/** Maximum number of remembered firings over all senders; beyond it the oldest count as new again. */
const MAX_REMEMBERED = 100_000;

interface AlertRateLimits {
  /** Distinct firings per sender and minute. */
  readonly alertsPerMinute: number;
  /** Deliveries per sender and minute, including duplicates. */
  readonly deliveriesPerMinute: number;
}

/**
 * Limits the rate of alerts per sender, which is one token of one agent. Retries of the same firing do not count
 * towards the firing limit.
 *
 * Throws `rate_limited`. Counts are per process.
 */
export function createAlertRate(
  limits: AlertRateLimits,
): (sender: string, dedupKey: string, nowMs: number) => void {
  const limitDeliveries = createMinutes(limits.deliveriesPerMinute);
  const limitAlerts = createMinutes(limits.alertsPerMinute);
  const seenUntil = new Map<string, number>();
  return (sender, dedupKey, nowMs) => {
    limitDeliveries(sender, nowMs);
    const firing = `${sender} ${dedupKey}`;
    if ((seenUntil.get(firing) ?? 0) > nowMs) return;
    limitAlerts(sender, nowMs);
    seenUntil.set(firing, nowMs + MINUTE_MS);
    for (const [oldest, until] of seenUntil) {
      if (until > nowMs && seenUntil.size <= MAX_REMEMBERED) break;
      seenUntil.delete(oldest);
    }
  };
}

interface Minute {
  readonly endsAtMs: number;
  count: number;
}

/**
 * Counts what each sender does within minutes that begin with its first act. Without a timer and a promise per sender,
 * unlike the limits of other calls: every alert is counted twice.
 */
function createMinutes(limit: number): (sender: string, nowMs: number) => void {
  // All last equally long, so the first entries end first
  const minutes = new Map<string, Minute>();
  const begin = (sender: string, nowMs: number): Minute => {
    const minute = { endsAtMs: nowMs + MINUTE_MS, count: 0 };
    minutes.delete(sender);
    minutes.set(sender, minute);
    for (const [oldest, { endsAtMs }] of minutes) {
      if (endsAtMs > nowMs) break;
      minutes.delete(oldest);
    }
    return minute;
  };
  return (sender, nowMs) => {
    const known = minutes.get(sender);
    const leftMs = (known?.endsAtMs ?? 0) - nowMs;
    // A clock that was set back begins a new minute
    const isOn = leftMs > 0 && leftMs <= MINUTE_MS;
    const minute = known !== undefined && isOn ? known : begin(sender, nowMs);
    minute.count += 1;
    if (minute.count <= limit) return;
    const retryAfterSeconds = Math.max(1, Math.ceil((minute.endsAtMs - nowMs) / 1_000));
    throw new AppError("rate_limited", { retryAfterSeconds });
  };
}
