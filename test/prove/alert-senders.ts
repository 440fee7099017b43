import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import type { SeededAgent } from "../../bench/seed-agents.ts";
import { readEvents } from "../judge/evidence.ts";
import { type Finding, judgeAlerts } from "../judge/judge.ts";
import type { FundedAgent } from "../trader.ts";
import { type AnsweredAlert, describeAlert, type SentAlert } from "../judge/actions.ts";
import type { Random } from "../random.ts";

/** An agent that alerts are sent to. */
export interface AlertTarget {
  readonly agent: Pick<FundedAgent, "botId" | "alertBody">;
  readonly alertNames: readonly [string, ...string[]];
}

export interface AlertSenders {
  readonly acknowledged: readonly AnsweredAlert[];
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

/** Percentage of alerts that are delivered twice at once. */
const TWICE_PERCENT = 10;

/** Sends alerts to every agent, one after the other, each until it is acknowledged by any of the servers. */
export function startSenders(deps: {
  readonly targets: readonly AlertTarget[];
  readonly servers: readonly [string, ...string[]];
  readonly pauseMs: { readonly least: number; readonly most: number };
  readonly random: Random;
}): AlertSenders {
  const { servers, pauseMs, random } = deps;
  const acknowledged: AnsweredAlert[] = [];
  const refused: string[] = [];
  const connections = new Agent({ keepAlive: true });
  const ending = new AbortController();
  let isAbandoned = false;
  let repeats = 0;

  /** Returns the event's id; null for an answer after which a sender sends again. */
  const deliver = async (address: string, body: string, alert: SentAlert) => {
    const { status, text, eventId } = await postAlert(connections, address, body);
    if (status >= 500 || status === 429) return null;
    if (eventId !== undefined) return eventId;
    throw new RefusedError(`${describeAlert(alert)} was answered with ${status}: ${text}`);
  };

  const deliverUntilAnswered = async (body: string, alert: SentAlert): Promise<string | null> => {
    while (!isAbandoned && Date.now() - alert.firedAtMs < GIVE_UP_MS) {
      const address = `${random.pick(servers)}/webhook/${alert.agentId}`;
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
      const alertName = random.pick(alertNames);
      const alert = { agentId: agent.botId, alertName, firedAtMs };
      const body = agent.alertBody(alertName, new Date(firedAtMs).toISOString());
      const copies = random.chance(TWICE_PERCENT) ? 2 : 1;
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
      await sleep(random.int(pauseMs.least, pauseMs.most), undefined, {
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
      connections.destroy();
    },
    abandon() {
      isAbandoned = true;
      ending.abort();
      connections.destroy();
    },
  };
}

class RefusedError extends Error {}

interface Answer {
  readonly status: number;
  readonly text: string;
  /** The event the delivery counts as; absent when it was not acknowledged. */
  readonly eventId: string | undefined;
}

/** Delivers an alert once; rejects when the connection is lost or nothing is answered in time. */
function postAlert(connections: Agent, address: string, body: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", "content-length": body.length };
    const options = { agent: connections, method: "POST", headers };
    const outgoing = request(address, options, (answer) => {
      let text = "";
      answer.on("data", (chunk: Buffer) => (text += chunk.toString()));
      answer.on("error", reject);
      answer.on("end", () => {
        const status = answer.statusCode ?? 0;
        const { eventId } = (status < 300 ? JSON.parse(text) : {}) as { eventId?: string };
        resolve({ status, text, eventId });
      });
    });
    outgoing.setTimeout(ANSWER_WITHIN_MS, () => outgoing.destroy(new Error("no answer in time")));
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

/** Time until an alert of a storm that was not acknowledged is sent again. */
const RESENDS_AFTER_MS = 500;

/** Age of the oldest alert of a storm; all are fresh, and an agent's never share a second. */
const OLDEST_SECONDS = 240;

export interface Storm {
  readonly acknowledged: readonly (AnsweredAlert & { readonly atMs: number })[];
  /** What was answered otherwise, or why nothing was. */
  readonly failed: readonly string[];
}

export interface StormOptions {
  readonly agents: readonly SeededAgent[];
  readonly perSecond: number;
  readonly count: number;
  /** Number of the first alert; storms whose numbers differ send different firings. */
  readonly first?: number;
  /** Server for the next delivery. */
  readonly server: (turn: number) => string;
  /** Whether an alert is sent again until it is acknowledged, as platforms do. */
  readonly resends: boolean;
  /** Called at each acknowledgement with the number so far. */
  readonly onAcknowledged?: (count: number) => void;
}

/** Sends alerts at a pace that does not wait for answers; no two are the same firing. */
export async function fireStorm(options: StormOptions): Promise<Storm> {
  const { agents, perSecond, count, first = 0, server, resends, onAcknowledged } = options;
  const connections = new Agent({ keepAlive: true });
  const acknowledged: Storm["acknowledged"][number][] = [];
  const failed: string[] = [];
  const startedMs = performance.now();
  const oldestMs = Math.floor(Date.now() / 1_000 - OLDEST_SECONDS) * 1_000;

  const send = async (turn: number): Promise<void> => {
    const { id: agentId, token } = agents[turn % agents.length] ?? { id: "", token: "" };
    const firedAtMs = oldestMs + Math.floor(turn / agents.length) * 1_000;
    const alert = { agentId, alertName: "tick", firedAtMs };
    const timestamp = `${new Date(firedAtMs).toISOString().slice(0, 19)}Z`;
    const body = JSON.stringify({ agentId, alertName: "tick", timestamp, token });
    for (;;) {
      const address = `${server(turn)}/webhook/${agentId}`;
      const answer = await postAlert(connections, address, body).catch((error: Error) => error);
      if (!(answer instanceof Error) && answer.eventId !== undefined) {
        acknowledged.push({ ...alert, eventIds: [answer.eventId], atMs: performance.now() });
        onAcknowledged?.(acknowledged.length);
        return;
      }
      failed.push(answer instanceof Error ? answer.message : `${answer.status} ${answer.text}`);
      if (!resends) return;
      await sleep(RESENDS_AFTER_MS);
    }
  };

  const sent: Promise<void>[] = [];
  for (let turn = 0; turn < count; turn += 1) {
    const waitMs = (turn * 1_000) / perSecond - (performance.now() - startedMs);
    if (waitMs > 0) await sleep(waitMs);
    sent.push(send(first + turn));
  }
  await Promise.all(sent);
  connections.destroy();
  return { acknowledged, failed };
}

/** Judges what a database holds of a storm's alerts. */
export const judgeStorm = async (
  database: Client,
  { acknowledged }: Storm,
  agents: readonly SeededAgent[],
): Promise<readonly Finding[]> =>
  judgeAlerts(
    acknowledged,
    await readEvents(
      database,
      agents.map(({ id }) => id),
    ),
  );
