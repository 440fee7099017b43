import type { Server } from "node:http";
import type { FastifyInstance } from "fastify";
import { AppError } from "../../contract/errors.ts";
import { callerOf } from "./limit-callers.ts";
import type { IsTrusted } from "./trusted-proxies.ts";

/** Open connections of one address, and of all together. */
const PER_ADDRESS = 512;
const IN_ALL = 10_000;

/**
 * Closes new connections beyond the limits, so that one address cannot use up all of them. A trusted proxy carries
 * everybody's connections and counts towards the total only.
 */
export function limitConnections(
  server: Server,
  isTrusted: IsTrusted,
  perAddress = PER_ADDRESS,
): void {
  server.maxConnections = IN_ALL;
  const take = createPlaces(perAddress);
  server.on("connection", (socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || isTrusted(remoteAddress)) return;
    const leave = take(callerOf(remoteAddress));
    if (leave === null) socket.destroy();
    else socket.once("close", leave);
  });
}

/**
 * Refuses calls of an address that has as many under way as it may have connections: behind a trusted proxy, whose
 * connections are not counted, nobody else would.
 */
export function limitCallsUnderWay(app: FastifyInstance, perAddress = PER_ADDRESS): void {
  const take = createPlaces(perAddress);
  app.addHook("onRequest", ({ ip }, { raw }, done) => {
    const leave = take(callerOf(ip));
    if (leave === null) return done(new AppError("rate_limited"));
    raw.once("close", leave);
    done();
  });
}

/** Returns what takes one of a caller's places and returns how to leave it; null when all are taken. */
function createPlaces(perCaller: number): (caller: string) => (() => void) | null {
  const takenBy = new Map<string, number>();
  return (caller) => {
    const taken = takenBy.get(caller) ?? 0;
    if (taken >= perCaller) return null;
    takenBy.set(caller, taken + 1);
    return () => {
      const left = (takenBy.get(caller) ?? 0) - 1;
      if (left > 0) takenBy.set(caller, left);
      else takenBy.delete(caller);
    };
  };
}
