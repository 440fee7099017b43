import type { AddressInfo } from "node:net";
import { fastify } from "fastify";
import { expect, it } from "vitest";
import { openRaw } from "../../../test/raw-http.ts";
import { parseOwner } from "../../domain/ids.ts";
import type { EventStream } from "../push/event-streams.ts";
import { registerEventRoute } from "./event-route.ts";

const WALLET = parseOwner("A77ytVV59RYYKW9U97puqc8h5MBUxEKjsSe5zPEDWqFo");

it("disconnects only a reader that never reads", async () => {
  const opened: EventStream[] = [];
  const removed: EventStream[] = [];
  const app = fastify();
  registerEventRoute(app, {
    publicUrl: new URL("http://app.test"),
    isTrusted: (address) => address === "127.0.9.2",
    sessions: {
      authenticate: async () => ({ session: { id: "s", wallet: WALLET }, expiresAt: 0 }),
    },
    streams: {
      add(stream) {
        opened.push(stream);
        return () => void removed.push(stream);
      },
    },
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const listen = async (from: string) => {
    const count = opened.length;
    const connection = await openRaw(url, from);
    connection.socket.write("GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await expect.poll(() => opened.length).toBe(count + 1);
    return connection;
  };
  const deaf = await listen("127.0.9.1");
  deaf.socket.pause();
  const reader = await listen("127.0.9.2");
  expect(opened.map(({ caller }) => caller)).toEqual(["127.0.9.1", null]);

  const notice = "x".repeat(60 * 1024);
  // More than the kernel keeps for a reader
  for (let sent = 0; sent < 1_000 && removed.length === 0; sent += 1) {
    const before = reader.socket.bytesRead;
    for (const stream of opened) stream.write(notice);
    await expect.poll(() => reader.socket.bytesRead, { interval: 1 }).toBeGreaterThan(before);
  }
  expect(removed).toEqual([opened[0]]);
  expect(reader.socket.destroyed).toBe(false);
  for (const { socket } of [deaf, reader]) socket.destroy();
  await app.close();
});
