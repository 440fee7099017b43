import { WebSocket } from "ws";
import type { SocketEvents } from "../market-data/prices/price-sources.ts";

/** Longest message in bytes; no source in use sends a hundredth of it. */
const MAX_MESSAGE_BYTES = 64_000;

/** Longest wait for the connection in milliseconds. */
const CONNECT_MS = 5_000;

/** Opens a WebSocket. A message that is longer than 64 kB or is no text closes it; redirects are not followed. */
export function connectSocket(url: string, { onMessage, onClose }: SocketEvents) {
  const socket = new WebSocket(url, {
    handshakeTimeout: CONNECT_MS,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    followRedirects: false,
  });
  let refusedWith: number | null = null;
  socket.on("message", (data: Buffer, isBinary) => {
    if (isBinary) socket.terminate();
    else onMessage(data.toString("utf8"));
  });
  socket.on("unexpected-response", (request, response) => {
    refusedWith = response.statusCode ?? 0;
    request.destroy();
  });
  // The close that follows an error is what counts
  socket.on("error", () => {});
  socket.on("close", () => onClose(refusedWith));
  return { close: () => socket.terminate() };
}
