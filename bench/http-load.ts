import { Agent, request } from "node:http";

export interface Shot {
  readonly path: string;
  readonly body: string;
}

/** One server's port, or those of several, which take turns. */
type Ports = number | readonly number[];

function inTurn(ports: Ports): () => number {
  const all = [ports].flat();
  let taken = 0;
  return () => all[taken++ % all.length] ?? 0;
}

export interface LoadResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly statuses: ReadonlyMap<number, number>;
}

function fire(agent: Agent, port: number, shot: Shot): Promise<{ status: number; ms: number }> {
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

export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function summarise(
  answers: readonly { status: number; ms: number }[],
  elapsedMs: number,
): LoadResult {
  const sorted = answers.map((answer) => answer.ms).sort((a, b) => a - b);
  const statuses = new Map<number, number>();
  for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  return {
    perSecond: (answers.length * 1000) / elapsedMs,
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
    statuses,
  };
}

/** Sends requests over a fixed number of connections, each after the previous answer. */
export async function saturate(
  ports: Ports,
  connections: number,
  durationMs: number,
  next: () => Shot,
): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const nextPort = inTurn(ports);
  const answers: { status: number; ms: number }[] = [];
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const port = nextPort();
      while (performance.now() - startedAt < durationMs) {
        answers.push(await fire(agent, port, next()));
      }
    }),
  );
  const elapsedMs = performance.now() - startedAt;
  agent.destroy();
  return summarise(answers, elapsedMs);
}

/** Sends at a fixed rate independent of answers, so that slow answers do not reduce the load. */
export async function pace(
  ports: Ports,
  perSecond: number,
  durationMs: number,
  next: () => Shot,
): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const nextPort = inTurn(ports);
  const pending: Promise<{ status: number; ms: number }>[] = [];
  const startedAt = performance.now();
  const total = Math.floor((perSecond * durationMs) / 1000);
  for (let index = 0; index < total; index += 1) {
    const dueMs = (index * 1000) / perSecond;
    const waitMs = dueMs - (performance.now() - startedAt);
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    pending.push(fire(agent, nextPort(), next()));
  }
  const answers = await Promise.all(pending);
  const elapsedMs = performance.now() - startedAt;
  agent.destroy();
  return summarise(answers, elapsedMs);
}
