import { hash } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError, isAppError } from "../../contract/errors.ts";
import type { ResponseOf } from "../../contract/route.ts";
import { type receiveWebhook, WEBHOOK_BODY_LIMIT_BYTES } from "../../contract/webhook.ts";
import {
  isPlain,
  alertNameKey,
  isAlertNameUsable,
  MAX_ALERT_NAME_LENGTH,
} from "../../domain/name-key.ts";
import type { Clock } from "../../domain/clock.ts";
import { parseAgentId } from "../../domain/ids.ts";
import type { AlertFired, AlertSource } from "../alert-sources/alert-source.ts";
import { isAlertSender } from "../alert-sources/alert-senders.ts";
import { readWebhookToken } from "../alert-sources/webhook-token.ts";
import { parseStrictJson } from "../http/strict-json.ts";
import type { Delivery, DeliveryContent, DeliveryResult } from "../trading/intake/delivery.ts";

/** Maximum time for a body to arrive, in milliseconds. */
const BODY_WITHIN_MS = 3_000;

export interface WebhookDeps {
  readonly clock: Clock;
  readonly webhookKey: Uint8Array;
  readonly source: AlertSource;
  /** Rejects with `unavailable` before the sender gives up. */
  readonly receive: (delivery: Delivery) => Promise<DeliveryResult>;
  readonly limits?: AlertRateLimits;
  /** Addresses that may send alerts; any address when absent. */
  readonly senders?: ReadonlySet<string> | undefined;
}

const DEFAULT_LIMITS: AlertRateLimits = { alertsPerMinute: 60, deliveriesPerMinute: 600 };

/** Registers the webhook that charting platforms call. Accepts JSON, also when labelled as plain text. */
export function registerWebhook(scope: FastifyInstance, deps: WebhookDeps): void {
  const limit = createAlertRate(deps.limits ?? DEFAULT_LIMITS);
  const recordLimit = recordLimitOnce(deps.receive);
  scope.addContentTypeParser<Buffer>(
    /^(?:application\/json|text\/plain)(?:\s*;\s*charset="?utf-8"?\s*)?$/i,
    { parseAs: "buffer", bodyLimit: WEBHOOK_BODY_LIMIT_BYTES },
    (_request, bytes, done) => {
      try {
        done(null, parseStrictJson(bytes));
      } catch (error) {
        done(error as Error);
      }
    },
  );
  scope.route<{ Params: { agentId: string } }>({
    method: "POST",
    url: "/webhook/:agentId",
    bodyLimit: WEBHOOK_BODY_LIMIT_BYTES,
    preParsing: (request, _reply, payload, done) => {
      const timer = setTimeout(() => request.raw.destroy(), BODY_WITHIN_MS);
      request.raw.once("close", () => clearTimeout(timer));
      payload.once("end", () => clearTimeout(timer));
      done(null, payload);
    },
    handler: async (request, reply) => {
      if (deps.senders !== undefined && !isAlertSender(deps.senders, request.ip)) {
        throw new AppError("not_found");
      }
      const fired = deps.source.read(request.body);
      const version = readWebhookToken(deps.webhookKey, request.params.agentId, fired.token);
      if (version === null || fired.agentId !== request.params.agentId) {
        throw new AppError("not_found");
      }
      const delivery = {
        ...toDelivery(fired, version, deps.clock.now()),
        requestId: request.id,
      };
      try {
        limitRate(limit, delivery);
      } catch (refusal) {
        recordLimit(delivery);
        throw refusal;
      }
      const answer = told(await stored(request, deps.receive(delivery)));
      return reply.code(answer.status === "duplicate" ? 200 : 202).send(answer);
    },
  });
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
      throw new AppError("not_found");
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
