import { createHash } from "node:crypto";
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

export interface Shot {
  readonly path: string;
  readonly body: string;
}

/** Picks the port of the server that gets a request. */
export type Balance = (shot: Shot) => number;

/** One server's port, those of several, which take turns, or another way to pick one. */
export type Target = number | readonly number[] | Balance;

function balanceOf(target: Target): Balance {
  if (typeof target === "function") return target;
  const ports = [target].flat();
  let taken = 0;
  return () => ports[taken++ % ports.length] ?? 0;
}

/** Gives a path's requests always to the same server, by highest weight as the proxy of `compose.yaml` does. */
export function byPath(ports: readonly number[]): Balance {
  const chosen = new Map<string, number>();
  const weigh = (path: string, port: number) =>
    createHash("sha1").update(`${path} ${port}`).digest("hex");
  return ({ path }) => {
    const known = chosen.get(path);
    if (known !== undefined) return known;
    const best = ports.reduce((a, b) => (weigh(path, b) > weigh(path, a) ? b : a));
    chosen.set(path, best);
    return best;
  };
}

export interface LoadResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly statuses: ReadonlyMap<number, number>;
  /** Number of deliveries after the first ones. */
  readonly again: number;
}

/** Pause before an alert is delivered again, in milliseconds, and how often it is at most. */
const REDELIVERY_MS = 250;
const MOST_AGAIN = 20;

interface Answer {
  readonly status: number;
  readonly ms: number;
  /** How often it was delivered before. */
  readonly again?: number;
}

function fire(agent: Agent, port: number, shot: Shot): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const outgoing = request(
      {
        agent,
        host: "127.0.0.1",
        port,
        method: "POST",
        path: shot.path,
        headers: {
          "content-type": "application/json",
          "content-length": Buffer.byteLength(shot.body),
        },
      },
      (answer) => {
        answer.resume();
        answer.on("end", () =>
          resolve({ status: answer.statusCode ?? 0, ms: performance.now() - startedAt }),
        );
      },
    );
    outgoing.on("error", reject);
    outgoing.end(shot.body);
  });
}

/** Delivers as the charting platform does: again after a 5xx answer. The time counts from the first delivery. */
async function deliver(agent: Agent, port: number, shot: Shot): Promise<Answer> {
  const startedAt = performance.now();
  for (let again = 0; ; again += 1) {
    const { status } = await fire(agent, port, shot);
    const ms = performance.now() - startedAt;
    if (status < 500 || again === MOST_AGAIN) return { status, ms, again };
    await sleep(REDELIVERY_MS);
  }
}

export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function summarise(answers: readonly Answer[], elapsedMs: number): LoadResult {
  const sorted = answers.map((answer) => answer.ms).sort((a, b) => a - b);
  const statuses = new Map<number, number>();
  for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  return {
    perSecond: (answers.length * 1000) / elapsedMs,
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
    statuses,
    again: answers.reduce((sum, { again = 0 }) => sum + again, 0),
  };
}

/** Keeps a fixed number of requests under way, each sent after an answer to another. */
export async function saturate(
  target: Target,
  connections: number,
  durationMs: number,
  next: () => Shot,
): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const portOf = balanceOf(target);
  const answers: Answer[] = [];
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() - startedAt < durationMs) {
        const shot = next();
        answers.push(await fire(agent, portOf(shot), shot));
      }
    }),
  );
  const elapsedMs = performance.now() - startedAt;
  agent.destroy();
  return summarise(answers, elapsedMs);
}

/** Sends at a fixed rate independent of answers, so that slow answers do not reduce the load. */
export async function pace(
  target: Target,
  perSecond: number,
  durationMs: number,
  next: () => Shot,
): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const portOf = balanceOf(target);
  const pending: Promise<Answer>[] = [];
  const startedAt = performance.now();
  const total = Math.floor((perSecond * durationMs) / 1000);
  for (let index = 0; index < total; index += 1) {
    const dueMs = (index * 1000) / perSecond;
    const waitMs = dueMs - (performance.now() - startedAt);
    if (waitMs > 0) await sleep(waitMs);
    const shot = next();
    pending.push(deliver(agent, portOf(shot), shot));
  }
  const answers = await Promise.all(pending);
  const elapsedMs = performance.now() - startedAt;
  agent.destroy();
  return summarise(answers, elapsedMs);
}
