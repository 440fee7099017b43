import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { AppError } from "../../contract/errors.ts";
import { callerOf } from "./limit-callers.ts";
import type { IsTrusted } from "./trusted-proxies.ts";

/** Open connections of one address; those of all addresses, beyond which a new one takes another's place. */
const PER_ADDRESS = 512;
const IN_ALL = 9_000;

/** Open connections at all, those of trusted proxies included. */
const MOST = 10_000;

/** Beginning of the addresses that alerts are sent to. */
const WEBHOOKS = "/webhook/";

/** Limits of open connections that replace the usual ones. */
interface ConnectionLimits {
  readonly connectionsPerAddress?: number;
  readonly connectionsInAll?: number;
}

/**
 * Closes new connections of an address beyond its limit, so that one address cannot use up all of them. Once all
 * addresses together have as many as they may, a new connection takes the place of the oldest one of the address with
 * most, so that no number of addresses keeps out who has few, such as the sender of an alert. A connection on which an
 * alert is arriving keeps its place. A trusted proxy carries everybody's and counts towards the total only.
 */
export function limitConnections(
  app: FastifyInstance,
  isTrusted: IsTrusted,
  { connectionsPerAddress = PER_ADDRESS, connectionsInAll = IN_ALL }: ConnectionLimits,
): void {
  const server = app.server as Server;
  server.maxConnections = MOST;
  const open = new Map<string, Set<Socket>>();
  const alerting = new Set<Socket>();
  let count = 0;

  // One pass: it runs for every new connection of a flood
  function endOne(): void {
    let [oldest, most]: [Socket | undefined, number] = [undefined, 0];
    for (const sockets of open.values()) {
      if (sockets.size <= most) continue;
      const first = [...sockets].find((socket) => !socket.destroyed && !alerting.has(socket));
      if (first !== undefined) [oldest, most] = [first, sockets.size];
    }
    oldest?.destroy();
  }

  server.on("connection", (socket: Socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || isTrusted(remoteAddress)) return;
    const caller = callerOf(remoteAddress);
    const own = open.get(caller) ?? new Set();
    if (own.size >= connectionsPerAddress) return void socket.destroy();
    if (count >= connectionsInAll) endOne();
    open.set(caller, own.add(socket));
    count += 1;
    socket.once("close", () => {
      count -= 1;
      own.delete(socket);
      if (own.size === 0 && open.get(caller) === own) open.delete(caller);
    });
  });
  app.addHook("onRequest", ({ raw: { socket }, routeOptions }, { raw }, done) => {
    if (routeOptions.url?.startsWith(WEBHOOKS)) {
      alerting.add(socket);
      raw.once("close", () => alerting.delete(socket));
    }
    done();
  });
}

/**
 * Refuses calls of an address that has as many under way as it may have connections: behind a trusted proxy, whose
 * connections are not counted, nobody else would.
 */
export function limitCallsUnderWay(app: FastifyInstance, perAddress = PER_ADDRESS): void {
  const takenBy = new Map<string, number>();
  app.addHook("onRequest", ({ ip }, { raw }, done) => {
    const caller = callerOf(ip);
    const taken = takenBy.get(caller) ?? 0;
    if (taken >= perAddress) return done(new AppError("rate_limited"));
    takenBy.set(caller, taken + 1);
    raw.once("close", () => {
      const left = (takenBy.get(caller) ?? 0) - 1;
      if (left > 0) takenBy.set(caller, left);
      else takenBy.delete(caller);
    });
    done();
  });
}
