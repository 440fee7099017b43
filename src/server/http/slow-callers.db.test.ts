import { beforeAll, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/database.ts";
import { useFullServer } from "../../../test/full-server.ts";
import { openRaw, type RawConnection } from "../../../test/raw-http.ts";
import { signIn } from "../../../test/wallet.ts";
import { seedObjects } from "../../../test/world.ts";
import { parseAgentId } from "../../domain/ids.ts";

const ARRIVAL_MS = 9_000;
const PER_ADDRESS = 500;
const PROXY = "127.0.7.9";

const bodyOf = (path: string, headers = "") =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}Content-Type: application/json\r\nContent-Length: 9000\r\n\r\n{`;

describe("Callers that hold connections", () => {
  const database = useDatabase();
  const server = useFullServer(database, {
    app: {
      arrivalTimeoutMs: ARRIVAL_MS,
      connectionsPerAddress: PER_ADDRESS,
      trustedProxies: [PROXY],
    },
  });
  let agent: string;

  beforeAll(async () => {
    ({ agent } = await seedObjects(server, await signIn(server)));
  });

  const alertFrom = async (from: string): Promise<number | undefined> => {
    const body = JSON.stringify({
      agentId: agent,
      alertName: "breakout",
      timestamp: new Date(server.clock.now()).toISOString(),
      token: server.webhookTokenOf(parseAgentId(agent)),
    });
    const connection = await openRaw(server.url, from);
    const length = Buffer.byteLength(body);
    connection.socket.write(
      `POST /webhook/${agent} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`,
    );
    const [answer] = await connection.answered(1);
    connection.socket.destroy();
    server.clock.advance(1_000);
    return answer?.status;
  };

  /** Opens connections that send a start and then a byte now and then, whatever the server says or closes. */
  const hold = async (from: string, start: string, count: number) => {
    const held = await Promise.all(
      Array.from({ length: count }, () => openRaw(server.url, from, { goesOn: true })),
    );
    const ended = new Set<RawConnection>();
    for (const connection of held) {
      const { socket, over } = connection;
      socket.write(start);
      const drip = setInterval(() => socket.write("x"), 300);
      void over.then(() => {
        clearInterval(drip);
        ended.add(connection);
      });
    }
    return { held, ended };
  };

  const connectionsOfServer = () =>
    new Promise<number>((resolve, reject) =>
      server.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    );

  const over = (held: readonly RawConnection[]) =>
    Promise.all(held.map((connection) => connection.over));

  it("block no other sender's alerts, and are cut off after a time", async () => {
    const from = "127.0.7.1";
    const before = await connectionsOfServer();
    const bodies = await hold(from, bodyOf("/api/auth/nonce"), 300);
    const webhooks = await hold(from, bodyOf(`/webhook/${agent}`), 100);
    const heads = await hold(from, "GET /api/health HTTP/1.1\r\nHost: localhost\r\nX-Slow: ", 100);
    await expect.poll(() => alertFrom("127.0.7.2")).toBe(202);
    expect(bodies.ended.size).toBe(0);
    await over(webhooks.held);
    // A head has less time than a body
    await over(heads.held);
    expect(bodies.ended.size).toBe(0);
    await over(bodies.held);
    await expect.poll(connectionsOfServer).toBe(before);
  });

  it("get no answer without a request", async () => {
    const idle = await openRaw(server.url, "127.0.7.5");
    await idle.over;
    expect(idle.answers).toEqual([]);
  });

  it("have a limited number of connections per address, and get one more for each that ends", async () => {
    const from = "127.0.7.3";
    const { held, ended } = await hold(from, bodyOf("/api/auth/nonce"), PER_ADDRESS);
    const tooMany = await openRaw(server.url, from);
    await tooMany.over;
    expect(tooMany.answers).toEqual([]);
    await expect.poll(() => alertFrom("127.0.7.2")).toBe(202);
    expect(ended.size).toBe(0);
    held[0]?.socket.destroy();
    await expect.poll(() => alertFrom(from)).toBe(202);
    for (const { socket } of held) socket.destroy();
  });

  it("are not counted for a trusted proxy", async () => {
    const clients = await Promise.all(
      ["203.0.113.7", "203.0.113.8"].map((client) =>
        hold(PROXY, bodyOf("/api/auth/nonce", `X-Forwarded-For: ${client}\r\n`), PER_ADDRESS - 50),
      ),
    );
    await expect.poll(() => alertFrom(PROXY)).toBe(202);
    for (const { held, ended } of clients) {
      expect(ended.size).toBe(0);
      for (const { socket } of held) socket.destroy();
    }
  });

  it("have a limited number of calls behind a proxy, and block no other client of it", async () => {
    const client = "X-Forwarded-For: 203.0.113.5\r\n";
    const statusFor = async (headers: string) => {
      const { socket, answered } = await openRaw(server.url, PROXY);
      socket.write(`GET /api/health HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`);
      const [answer] = await answered(1);
      socket.destroy();
      return answer?.status;
    };
    expect(await statusFor(client)).toBe(200);
    const { held } = await hold(PROXY, bodyOf("/api/auth/nonce", client), PER_ADDRESS);
    await expect.poll(() => statusFor(client)).toBe(429);
    expect(await statusFor("X-Forwarded-For: 203.0.113.6\r\n")).toBe(200);
    await over(held);
    expect(await statusFor(client)).toBe(200);
  });
});
