import type { Server } from "node:http";
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
  const openOf = new Map<string, number>();
  server.on("connection", (socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || isTrusted(remoteAddress)) return;
    const caller = callerOf(remoteAddress);
    const open = openOf.get(caller) ?? 0;
    if (open >= perAddress) {
      socket.destroy();
      return;
    }
    openOf.set(caller, open + 1);
    socket.once("close", () => {
      const left = (openOf.get(caller) ?? 0) - 1;
      if (left > 0) openOf.set(caller, left);
      else openOf.delete(caller);
    });
  });
}
