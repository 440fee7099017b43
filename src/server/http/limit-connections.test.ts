import { once } from "node:events";
import { fastify, type FastifyInstance } from "fastify";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openRaw, type RawConnection } from "../../../test/raw-http.ts";
import { limitConnections } from "./limit-connections.ts";

const PER_ADDRESS = 10;
const IN_ALL = 40;
const ALERT =
  "POST /webhook/a HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n";

let app: FastifyInstance;
let url: string;
let held: RawConnection[] = [];

beforeEach(async () => {
  app = fastify({ forceCloseConnections: true });
  limitConnections(app, (address) => address === "127.0.8.250", {
    connectionsPerAddress: PER_ADDRESS,
    connectionsInAll: IN_ALL,
  });
  app.post("/webhook/:agentId", () => ({}));
  app.get("/api/events", (_request, reply) => {
    reply.hijack();
    reply.raw.write("open");
  });
  url = await app.listen({ port: 0, host: "127.0.0.1" });
});
afterEach(async () => {
  for (const { socket } of held) socket.destroy();
  held = [];
  await app.close();
});

/** Opens connections of an address that stay: idle, in the middle of a head, or as streams. */
async function hold(from: string, count: number, start = ""): Promise<readonly RawConnection[]> {
  const opened: RawConnection[] = [];
  for (let at = 0; at < count; at += 1) {
    const connection = await openRaw(url, from);
    connection.socket.write(start);
    opened.push(connection);
  }
  held.push(...opened);
  return opened;
}

const connectionsOfServer = () =>
  new Promise<number>((resolve, reject) =>
    app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );

async function alertFrom(from: string): Promise<number | undefined> {
  const [connection] = await hold(from, 1, `${ALERT}{}`);
  return (await connection?.answered(1))?.[0]?.status;
}

const STREAM = "GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n";
const HALF = "GET / HTTP/1.1\r\nX-Slow: ";

it.each([
  ["idle connections", ""],
  ["half heads", HALF],
  ["open streams", STREAM],
])("takes an alert while many addresses flood with %s", async (_, start) => {
  for (let at = 1; at <= 8; at += 1) await hold(`127.0.8.${at}`, PER_ADDRESS, start);
  for (let at = 1; at <= 5; at += 1) expect(await alertFrom("127.0.9.1")).toBe(200);
  expect(await connectionsOfServer()).toBeLessThanOrEqual(IN_ALL);
});

it("takes an alert while more addresses than there are places flood with one connection each", async () => {
  for (let at = 1; at <= 2 * IN_ALL; at += 1) await hold(`127.0.8.${at}`, 1, STREAM);
  for (let at = 1; at <= 5; at += 1) expect(await alertFrom("127.0.9.1")).toBe(200);
});

it("ends no connection on which an alert is arriving", async () => {
  const request = once(app.server, "request");
  const [arriving] = await hold("127.0.9.1", 1, `${ALERT}{`);
  await request;
  for (let at = 1; at <= 2 * IN_ALL; at += 1) await hold(`127.0.8.${at}`, 1);
  arriving?.socket.write("}");
  expect((await arriving?.answered(1))?.[0]?.status).toBe(200);
});

it("takes the places of the address with most, and none of who has few", async () => {
  const few = await hold("127.0.9.1", 2, STREAM);
  await Promise.all(few.map((connection) => connection.answered(0)));
  let ended = 0;
  for (const connection of few) void connection.over.then(() => (ended += 1));
  for (let at = 1; at <= 12; at += 1) await hold(`127.0.8.${at}`, PER_ADDRESS);
  await hold("127.0.8.13", 3);
  expect(ended).toBe(0);
});

it("closes one address's connections beyond its own limit, and counts none of a trusted proxy", async () => {
  await hold("127.0.8.1", PER_ADDRESS);
  const [tooMany] = await hold("127.0.8.1", 1);
  await tooMany?.over;
  await hold("127.0.8.250", 2 * PER_ADDRESS);
  await expect.poll(connectionsOfServer).toBe(3 * PER_ADDRESS);
});
