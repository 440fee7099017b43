import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import { ERRORS, type ErrorBody } from "../../contract/errors.ts";
import { dataHeaders } from "./security-headers.ts";

/** Creates the response to bytes that are not HTTP, for which no request object exists. */
export function brokenConnectionAnswer(publicUrl: URL) {
  const headers = Object.entries(dataHeaders(publicUrl)).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return (error: { readonly code?: string }, socket: Socket): void =>
    answerBrokenConnection(error, socket, headers);
}

function answerBrokenConnection(
  error: { readonly code?: string },
  socket: Socket,
  headers: readonly string[],
): void {
  if (error.code === "ECONNRESET" || socket.destroyed) return;
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body: ErrorBody = {
    message: ERRORS.bad_request.message,
    code: "bad_request",
    requestId: randomBytes(8).toString("hex"),
  };
  const text = JSON.stringify(body);
  const head = [
    "HTTP/1.1 400 Bad Request",
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(text)}`,
    "Connection: close",
    ...headers,
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${text}`);
}
