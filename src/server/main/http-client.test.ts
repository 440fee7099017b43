import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { postJson } from "./http-client.ts";

const LIMITS = { timeoutMs: 5_000, maxBytes: 1_000 };

/** Serves one kind of answer; returns its address and the connections that were opened. */
async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const sockets: Socket[] = [];
  const server = createServer((request, response) => {
    request.resume().on("end", () => answer(request, response));
  });
  server.on("connection", (socket) => sockets.push(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/?key=1`, sockets };
}

describe("a posted request", () => {
  it("carries its body, and the next one uses the same connection", async () => {
    const seen: string[] = [];
    const { url, sockets } = await serve((request, response) => {
      seen.push(`${request.method} ${request.url} ${request.headers["content-length"]}`);
      response.writeHead(429).end("später");
    });
    const posted = () => postJson(url, '"ä"', LIMITS);
    expect(await posted()).toEqual({ status: 429, body: "später" });
    expect(await posted()).toEqual({ status: 429, body: "später" });
    expect(seen).toEqual(["POST /?key=1 4", "POST /?key=1 4"]);
    expect(sockets).toHaveLength(1);
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ["a redirect", (response) => response.writeHead(307, { location: "/" }).end()],
    ["an answer over the limit", (response) => response.end("x".repeat(1_001))],
    [
      "an answer that breaks off",
      (response) =>
        response.writeHead(200, { "content-length": 9 }).write("x", () => response.destroy()),
    ],
    ["a connection that ends without an answer", (response) => response.destroy()],
  ])("rejects on %s", async (_, answer) => {
    const { url } = await serve((_request, response) => answer(response));
    await expect(postJson(url, "{}", LIMITS)).rejects.toThrow(Error);
  });

  it("rejects on an answer that is incomplete after the time limit", async () => {
    const { url } = await serve((_request, response) => void response.writeHead(200).write("x"));
    const late = postJson(url, "{}", { ...LIMITS, timeoutMs: 50 });
    await expect(late).rejects.toThrow(Error);
  });
});
