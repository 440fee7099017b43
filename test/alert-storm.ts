import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import type { SeededAgent } from "../bench/seed-agents.ts";

/** Time until a sender of alerts hangs up, and until it sends an alert again that was not taken. */
const SENDER_WAITS_MS = 3_000;
const RESENDS_AFTER_MS = 500;

/** Age of the oldest alert of a storm; all are fresh, and an agent's never share a second. */
const OLDEST_SECONDS = 240;

export interface Acknowledged {
  readonly eventId: string;
  readonly atMs: number;
}

export interface Storm {
  readonly acknowledged: readonly Acknowledged[];
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
  const connections = new Agent({ keepAlive: true, maxSockets: 256 });
  const acknowledged: Acknowledged[] = [];
  const failed: string[] = [];
  const startedMs = performance.now();
  const oldestMs = Date.now() - OLDEST_SECONDS * 1_000;

  const send = async (turn: number): Promise<void> => {
    const { id, token } = agents[turn % agents.length] ?? { id: "", token: "" };
    const firedAt = new Date(oldestMs + Math.floor(turn / agents.length) * 1_000).toISOString();
    const timestamp = `${firedAt.slice(0, 19)}Z`;
    const body = JSON.stringify({ agentId: id, alertName: "tick", timestamp, token });
    for (;;) {
      const answer = await post(connections, `${server(turn)}/webhook/${id}`, body);
      const { eventId } = answer;
      if (eventId !== undefined) {
        acknowledged.push({ eventId, atMs: performance.now() });
        onAcknowledged?.(acknowledged.length);
        return;
      }
      failed.push(answer.problem);
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

type Answer =
  | { readonly eventId: string }
  | { readonly eventId?: undefined; readonly problem: string };

function post(agent: Agent, address: string, body: string): Promise<Answer> {
  return new Promise((resolve) => {
    const headers = { "content-type": "application/json", "content-length": body.length };
    const outgoing = request(address, { agent, method: "POST", headers }, (answer) => {
      let text = "";
      answer.on("data", (chunk: Buffer) => (text += chunk.toString()));
      answer.on("error", (error) => resolve({ problem: error.message }));
      answer.on("end", () => {
        const status = answer.statusCode ?? 0;
        if (status >= 300) return resolve({ problem: `${status} ${text}` });
        resolve({ eventId: (JSON.parse(text) as { eventId: string }).eventId });
      });
    });
    outgoing.setTimeout(SENDER_WAITS_MS, () => outgoing.destroy(new Error("no answer in time")));
    outgoing.on("error", (error) => resolve({ problem: error.message }));
    outgoing.end(body);
  });
}

/** Returns the acknowledged events that the database does not hold, and those it holds although nobody was told. */
export async function compareStored(
  database: Client,
  { acknowledged }: Storm,
  agents: readonly SeededAgent[],
): Promise<{ readonly lost: readonly string[]; readonly untold: readonly string[] }> {
  const { rows } = await database.query<{ id: string }>(
    `select replace(id::text, '-', '') as id from alert_events
     where replace(agent_id::text, '-', '') = any($1) and outcome = 'accepted'`,
    [agents.map(({ id }) => id)],
  );
  const stored = new Set(rows.map(({ id }) => id));
  const told = new Set(acknowledged.map(({ eventId }) => eventId.replaceAll("-", "")));
  return {
    lost: [...told].filter((id) => !stored.has(id)),
    untold: [...stored].filter((id) => !told.has(id)),
  };
}
