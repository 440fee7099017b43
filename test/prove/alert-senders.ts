import { setTimeout as sleep } from "node:timers/promises";
import type { FundedAgent } from "../trader.ts";
import type { Chance } from "./chance.ts";

/** An alert as a charting platform sends it. */
export interface SentAlert {
  readonly agentId: string;
  readonly alertName: string;
  readonly firedAtMs: number;
}

/** An alert with the ids of the events its deliveries were answered with: one, unless it counted twice. */
export interface AcknowledgedAlert extends SentAlert {
  readonly eventIds: readonly string[];
}

/** An agent that alerts are sent to. */
export interface AlertTarget {
  readonly agent: Pick<FundedAgent, "botId" | "alertBody">;
  readonly alertNames: readonly [string, ...string[]];
}

export interface AlertSenders {
  readonly acknowledged: readonly AcknowledgedAlert[];
  /** Deliveries that were repeated after a 5xx answer, a lost connection or none within three seconds. */
  repeats(): number;
  /** Unexpected answers to valid alerts; one line each. */
  readonly refused: readonly string[];
  /** Sends no new alerts and resolves when each sent one is answered. */
  stop(): Promise<void>;
  /** Ends without waiting for answers. */
  abandon(): void;
}

/** TradingView gives up on an answer after three seconds. */
const ANSWER_WITHIN_MS = 3_000;

const REPEAT_AFTER_MS = 100;

/** Time after which a sender gives an alert up, in milliseconds: it would be too old to count. */
const GIVE_UP_MS = 240_000;

/** Share of alerts that are delivered twice at once. */
const TWICE = 0.1;

/** Sends alerts to every agent, one after the other, each until it is acknowledged by any of the servers. */
export function startSenders(deps: {
  readonly targets: readonly AlertTarget[];
  readonly servers: readonly [string, ...string[]];
  readonly pauseMs: { readonly least: number; readonly most: number };
  readonly chance: Chance;
}): AlertSenders {
  const { servers, pauseMs, chance } = deps;
  const acknowledged: AcknowledgedAlert[] = [];
  const refused: string[] = [];
  const ending = new AbortController();
  let isAbandoned = false;
  let repeats = 0;

  /** Returns the event's id; null for an answer after which a sender sends again. */
  const deliver = async (address: string, body: string, alert: SentAlert) => {
    const answer = await fetch(address, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    const text = await answer.text();
    if (answer.status >= 500 || answer.status === 429) return null;
    const { status, eventId } = JSON.parse(text) as { status?: string; eventId?: string };
    if (eventId !== undefined && (status === "accepted" || status === "duplicate")) return eventId;
    throw new RefusedError(`${describeAlert(alert)} was answered with ${answer.status}: ${text}`);
  };

  const deliverUntilAnswered = async (body: string, alert: SentAlert): Promise<string | null> => {
    while (!isAbandoned && Date.now() - alert.firedAtMs < GIVE_UP_MS) {
      const address = `${chance.pick(servers)}/webhook/${alert.agentId}`;
      const eventId = await deliver(address, body, alert).catch((error: unknown) => {
        if (error instanceof RefusedError) throw error;
        return null;
      });
      if (eventId !== null) return eventId;
      repeats += 1;
      await sleep(REPEAT_AFTER_MS);
    }
    throw new RefusedError(
      `${describeAlert(alert)} was not acknowledged in ${GIVE_UP_MS / 1_000} s`,
    );
  };

  const sendAll = async ({ agent, alertNames }: AlertTarget): Promise<void> => {
    let firedAtMs = 0;
    while (!ending.signal.aborted) {
      // An alert is told from another of the same name by its time
      firedAtMs = Math.max(Date.now(), firedAtMs + 1);
      const alertName = chance.pick(alertNames);
      const alert = { agentId: agent.botId, alertName, firedAtMs };
      const body = agent.alertBody(alertName, new Date(firedAtMs).toISOString());
      const copies = chance.isTrue(TWICE) ? 2 : 1;
      const answers = await Promise.allSettled(
        Array.from({ length: copies }, () => deliverUntilAnswered(body, alert)),
      );
      const eventIds = answers.flatMap((each) =>
        each.status === "fulfilled" && each.value !== null ? [each.value] : [],
      );
      refused.push(
        ...answers.flatMap((each) =>
          each.status === "rejected" ? [(each.reason as Error).message] : [],
        ),
      );
      if (eventIds.length > 0) acknowledged.push({ ...alert, eventIds: [...new Set(eventIds)] });
      await sleep(chance.between(pauseMs.least, pauseMs.most), undefined, {
        signal: ending.signal,
      }).catch(() => {});
    }
  };
  const sending = Promise.all(deps.targets.map(sendAll));

  return {
    acknowledged,
    refused,
    repeats: () => repeats,
    async stop() {
      ending.abort();
      await sending;
    },
    abandon() {
      isAbandoned = true;
      ending.abort();
    },
  };
}

class RefusedError extends Error {}

export const describeAlert = ({ agentId, alertName, firedAtMs }: SentAlert): string =>
  `alert ${alertName} of ${new Date(firedAtMs).toISOString()} for agent ${agentId}`;
