import { randomBytes } from "node:crypto";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { ERRORS, type ErrorBody } from "../../contract/errors.ts";
import { dataHeaders } from "./security-headers.ts";

/** Time for the sender to read what was wrong before the connection is cut, in milliseconds. */
const LINGER_MS = 1_000;

const CONTENT_TYPE = "application/json; charset=utf-8";

/** Creates the response to bytes that are not HTTP, for which no request object exists. */
export function brokenConnectionAnswer(publicUrl: URL) {
  const headers = Object.entries(dataHeaders(publicUrl)).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return (error: { readonly code?: string }, socket: Socket): void =>
    answerBrokenConnection(error, socket, headers);
}

/** Answers requests with an `Expect` header other than `100-continue`, which Node would answer itself, without a body. */
export function refuseExpectations(server: Server, publicUrl: URL): void {
  const headers = { ...dataHeaders(publicUrl), "content-type": CONTENT_TYPE, connection: "close" };
  server.on("checkExpectation", (_request: IncomingMessage, response: ServerResponse) => {
    const text = badRequest();
    response.writeHead(ERRORS.bad_request.status, {
      ...headers,
      "content-length": Buffer.byteLength(text),
    });
    response.end(text);
  });
}

function badRequest(): string {
  const body: ErrorBody = {
    message: ERRORS.bad_request.message,
    code: "bad_request",
    requestId: randomBytes(8).toString("hex"),
  };
  return JSON.stringify(body);
}

function answerBrokenConnection(
  error: { readonly code?: string },
  socket: Socket,
  headers: readonly string[],
): void {
  if (error.code === "ECONNRESET" || socket.destroyed) return;
  // A connection on which nothing was asked, as browsers open ahead, has nothing to be answered
  if (!socket.writable || socket.bytesRead === 0) {
    socket.destroy();
    return;
  }
  const text = badRequest();
  const head = [
    "HTTP/1.1 400 Bad Request",
    `Content-Type: ${CONTENT_TYPE}`,
    `Content-Length: ${Buffer.byteLength(text)}`,
    "Connection: close",
    ...headers,
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${text}`);
  // A sender that goes on sending would keep its half of the connection open
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once("close", () => clearTimeout(timer));
}
