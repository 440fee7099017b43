import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import {
  Agent,
  createServer,
  get,
  type IncomingMessage,
  request,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "./server-process.ts";

const HEALTH_INTERVAL_MS = 1_000;
const TRY_FOR_MS = 5_000;
const TRY_PAUSE_MS = 250;

/** A load balancer in front of several servers. */
export interface TurningProxy {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts the Caddy of `CADDY_PATH` with `deploy/Caddyfile`, or where that is not set a stand-in for it. */
export function startTurningProxy(servers: readonly string[]): Promise<TurningProxy> {
  const caddy = process.env["CADDY_PATH"];
  return caddy === undefined ? startStandIn(servers) : startCaddy(caddy, servers);
}

/** Runs Caddy as the compose file does, without TLS and on a port of this machine. */
async function startCaddy(path: string, servers: readonly string[]): Promise<TurningProxy> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const written = readFileSync(join(import.meta.dirname, "../deploy/Caddyfile"), "utf8");
  const folder = mkdtempSync(join(tmpdir(), "wheelhouse-caddy-"));
  const file = join(folder, "Caddyfile");
  const site = written.replace(/^\{\$DOMAIN\} \{$/m, `${url} {`);
  writeFileSync(file, `{\n\tadmin off\n\tauto_https off\n}\n${site}`);
  const caddy = spawn(path, ["run", "--config", file, "--adapter", "caddyfile"], {
    env: {
      HOME: folder,
      DOMAIN: "127.0.0.1",
      SERVERS: servers.map((server) => new URL(server).host).join(" "),
    },
    stdio: "ignore",
  });
  const ended = once(caddy, "exit");
  while (
    !(await fetch(url).then(
      () => true,
      () => false,
    ))
  )
    await sleep(50);
  return {
    url,
    async close() {
      caddy.kill("SIGKILL");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Starts a stand-in for the Caddy of `deploy/Caddyfile`, with what Caddy documents of those settings: every second it
 * asks each server's health and hands no call to one that does not answer 2xx; calls of one webhook go to the same
 * server while that is well; a call whose connection could not be made is tried again for up to five seconds; one that
 * was sent is never sent again, and a connection that breaks under it is answered 502.
 */
async function startStandIn(servers: readonly string[]): Promise<TurningProxy> {
  const agents = new Map(servers.map((server) => [server, new Agent({ keepAlive: true })]));
  const healthy = new Set(servers);
  let turn = 0;

  const look = (server: string): void => {
    const asked = get(`${server}/api/health`, { timeout: 5_000 }, (answer) => {
      answer.resume();
      const isWell = (answer.statusCode ?? 500) < 300;
      if (isWell) healthy.add(server);
      else healthy.delete(server);
    });
    asked.on("timeout", () => asked.destroy(new Error("late")));
    asked.on("error", () => healthy.delete(server));
  };
  const timer = setInterval(() => {
    for (const server of servers) look(server);
  }, HEALTH_INTERVAL_MS);

  /** Resolves to false when the connection could not be made, so that nothing was sent. */
  const hand = (server: string, incoming: IncomingMessage, body: Buffer, answer: ServerResponse) =>
    new Promise<boolean>((resolve) => {
      const { method, headers, url } = incoming;
      const outgoing = request(
        server + (url ?? "/"),
        { agent: agents.get(server), method, headers },
        (received) => {
          answer.writeHead(received.statusCode ?? 502, withoutHop(received.headers));
          received.pipe(answer);
          resolve(true);
        },
      );
      outgoing.on("error", (error: NodeJS.ErrnoException) => {
        if (error.syscall === "connect") return resolve(false);
        if (!answer.headersSent) answer.writeHead(502).end();
        resolve(true);
      });
      outgoing.end(body);
    });

  const proxy = createServer((incoming, answer) => {
    void (async () => {
      const body = await buffer(incoming);
      for (let triedMs = 0; triedMs < TRY_FOR_MS; triedMs += TRY_PAUSE_MS) {
        const open = servers.filter((server) => healthy.has(server));
        const { url = "/" } = incoming;
        const server = url.startsWith("/webhook/")
          ? heaviest(open, url)
          : open[(turn += 1) % Math.max(1, open.length)];
        if (server !== undefined && (await hand(server, incoming, body, answer))) return;
        await sleep(TRY_PAUSE_MS);
      }
      answer.writeHead(503).end();
    })();
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const { port } = proxy.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      clearInterval(timer);
      proxy.closeAllConnections();
      proxy.close();
      await once(proxy, "close");
      for (const agent of agents.values()) agent.destroy();
    },
  };
}

/** Returns the server with the highest weight for a path: when another is gone, its paths alone move. */
function heaviest(servers: readonly string[], path: string): string | undefined {
  const weigh = (server: string) => createHash("sha1").update(`${path} ${server}`).digest("hex");
  return servers.toSorted((a, b) => weigh(b).localeCompare(weigh(a)))[0];
}

/** Removes hop-by-hop headers, which apply to one connection only. */
function withoutHop(headers: IncomingMessage["headers"]) {
  const { connection: _, "keep-alive": __, "transfer-encoding": ___, ...kept } = headers;
  return kept;
}
