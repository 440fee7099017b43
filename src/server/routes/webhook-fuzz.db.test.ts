import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AlertWorld, createAlertWorld } from "../../../test/alert-world.ts";
import { almostBodies, brokenFrames } from "../../../test/almost-alerts.ts";
import { openRaw, type RawAnswer, type RawConnection } from "../../../test/raw-http.ts";
import { hashTables } from "../../../test/table-hashes.ts";
import { ERRORS, type ErrorCode } from "../../contract/errors.ts";

/** Another seed looks elsewhere; what is shown of a failure is the body to send to see it again. */
const SEED = Number(process.env["FUZZ_SEED"] ?? 20_261_121);
const BODIES = Number(process.env["FUZZ_BYTES"] ?? 20_000);

/** Bodies made up at a time, and connections that send them. */
const AT_ONCE = 1_000;
const CONNECTIONS = 16;

/** Every so many bodies one request is broken in its framing and needs a connection of its own. */
const BODIES_PER_BROKEN_FRAME = 100;

let world: AlertWorld;

beforeAll(async () => {
  world = await createAlertWorld({
    limits: { alertsPerMinute: 10_000_000, deliveriesPerMinute: 10_000_000 },
  });
});

afterAll(() => world.close());

/** What was refused is counted for the owner, and nothing else changes. */
const hashes = async () => ({ ...(await hashTables(world.database)), unreadable_deliveries: null });

const bytesOf = (text: string) => new TextEncoder().encode(text);

const headOf = (length: number) =>
  bytesOf(
    `POST /webhook/${world.agentId} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`,
  );

/** Sends bodies one after the other over connections that are kept while the server keeps them. */
async function sendAll(
  bodies: fc.Arbitrary<Uint8Array<ArrayBuffer>>,
  count: number,
  judge: (answer: RawAnswer, body: Uint8Array<ArrayBuffer>) => void,
): Promise<void> {
  const kept: RawConnection[] = [];
  const send = async (body: Uint8Array<ArrayBuffer>): Promise<RawAnswer | undefined> => {
    const connection = kept.pop() ?? (await openRaw(world.server.url));
    const before = connection.answers.length;
    connection.socket.write(Buffer.concat([headOf(body.length), body]));
    const answer = (await connection.answered(before + 1))[before];
    if (answer === undefined || /^connection: close$/im.test(answer.head)) {
      connection.socket.destroy();
    } else kept.push(connection);
    return answer;
  };
  for (let made = 0; made < count; made += AT_ONCE) {
    const numRuns = Math.min(AT_ONCE, count - made);
    const batch = fc.sample(bodies, { numRuns, seed: SEED + made });
    await Promise.all(
      Array.from({ length: CONNECTIONS }, async () => {
        for (let body = batch.pop(); body !== undefined; body = batch.pop()) {
          const answer = await send(body);
          if (answer === undefined) throw new Error(`No answer to ${base64(body)}`);
          judge(answer, body);
        }
      }),
    );
  }
  for (const { socket } of kept) socket.destroy();
}

const base64 = (body: Uint8Array) => Buffer.from(body).toString("base64");

function expectRefusal(answer: RawAnswer, shown: string): void {
  expect([400, 404, 409, 413, 415, 421, 422], shown).toContain(answer.status);
  const { code, requestId } = JSON.parse(answer.text) as { code: ErrorCode; requestId: string };
  expect(ERRORS[code].status, shown).toBe(answer.status);
  expect(requestId).toMatch(/^[0-9a-f]{16}$/);
}

const shownOf = (answer: RawAnswer, body: Uint8Array) =>
  `${answer.status} ${answer.text} to ${base64(body)}`;

const alert = (changes: Record<string, unknown> = {}) =>
  bytesOf(JSON.stringify(world.message(changes)));

describe("bytes sent to the webhook", () => {
  it(`are refused with the catalogue's errors and change nothing, in ${BODIES} bodies`, async () => {
    const before = await hashes();
    const flipped = world.token.startsWith("A") ? "B" : "A";
    const forged = alert({ token: `${flipped}${world.token.slice(1)}` });
    await sendAll(almostBodies([forged]), BODIES, (answer, body) =>
      expectRefusal(answer, shownOf(answer, body)),
    );
    expect(await hashes()).toEqual(before);
  }, 3_600_000);

  it("count exactly when they are an alert of the agent's, however damaged they are", async () => {
    await world.renewAgent();
    const accepted: unknown[] = [];
    const bodies = almostBodies([alert(), alert({ alertName: "breakdown" })]);
    await sendAll(bodies, BODIES / 10, (answer, body) => {
      if (answer.status > 202) return expectRefusal(answer, shownOf(answer, body));
      const message = JSON.parse(new TextDecoder().decode(body)) as Record<string, unknown>;
      expect(message, shownOf(answer, body)).toMatchObject({
        agentId: world.agentId,
        token: world.token,
      });
      if (answer.status === 202) accepted.push(message);
    });
    expect(accepted.length).toBeGreaterThan(0);
    const outcomes = await world.outcomes();
    expect(outcomes.filter((outcome) => outcome === "accepted")).toHaveLength(accepted.length);
    // The same alerts, sent one after the other to an agent like it, count the same
    const counted = await world.counters();
    await world.renewAgent();
    for (const message of accepted) {
      const { agentId, token } = world;
      const answer = await world.post({ ...(message as object), agentId, token });
      expect(answer.status, JSON.stringify(message)).toBe(202);
    }
    expect(await world.counters()).toEqual(counted);
  }, 3_600_000);

  it("with broken framing are answered or cut off, and harm nobody else", async () => {
    // The orders of the test before
    await world.idle();
    const before = await hashes();
    const neighbour = await openRaw(world.server.url);
    const frames = brokenFrames(`/webhook/${world.agentId}`, alert());
    const numRuns = BODIES / BODIES_PER_BROKEN_FRAME;
    for (const [count, bytes] of fc.sample(frames, { numRuns, seed: SEED }).entries()) {
      const broken = await openRaw(world.server.url);
      broken.socket.end(bytes);
      await broken.over;
      const shown = Buffer.from(bytes).toString("latin1");
      for (const answer of broken.answers) expectRefusal(answer, `${answer.head} to ${shown}`);
      neighbour.socket.write(headOf(2));
      neighbour.socket.write("{}");
      const answers = await neighbour.answered(count + 1);
      expect(answers.at(-1)?.status, shown).toBe(400);
    }
    neighbour.socket.destroy();
    expect(await hashes()).toEqual(before);
  }, 3_600_000);
});
