import { fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type NoticeTarget, startNoticeTarget } from "../../../test/notice-targets.ts";
import type { NoticeServerTask } from "../../../test/notice-server.ts";
import { createTradingWorld, type TradingWorld } from "../../../test/trading-world.ts";
import { newTestId } from "../../../test/world.ts";
import { insertChannel } from "../store/notices/notice-channels.ts";
import { listNotices } from "../store/notices/notices.ts";
import { createTargetCipher, deriveNoticeKeys } from "./encrypt-target.ts";

const PROGRAM = join(import.meta.dirname, "../../../test/notice-server.ts");
const SESSION_SECRET = randomBytes(32);
/** How long a channel stays with a server that does not answer any more. */
const LEASE_MS = 120_000;

let world: TradingWorld;
let target: NoticeTarget;

beforeEach(async () => {
  world = await createTradingWorld();
  target = await startNoticeTarget();
});

afterEach(async () => {
  await target.close();
  await world.database.drop();
});

async function addWebhook(): Promise<void> {
  const id = newTestId();
  const at = new Date(world.clock.now());
  const webhook = JSON.stringify({ url: `${target.url}/hook`, secret: "s3cret" });
  const channel = {
    id,
    owner: world.owner.address,
    kind: "webhook" as const,
    label: "hook",
    target: createTargetCipher(deriveNoticeKeys(SESSION_SECRET).targets, randomBytes).seal(
      id,
      webhook,
    ),
    events: ["custody_changed" as const],
    createdAt: at,
    confirmedAt: at,
  };
  await world.database.db.transaction().execute((tx) => insertChannel(tx, channel, 10));
}

/** Runs a server process to its end and returns the signal that ended it, null when it ended by itself. */
async function runServer(task: Pick<NoticeServerTask, "acts" | "dies">): Promise<string | null> {
  const given: NoticeServerTask = {
    url: world.database.url,
    nowMs: world.clock.now(),
    sessionSecret: SESSION_SECRET.toString("hex"),
    agent: { agentId: world.agentId, owner: world.owner.address },
    ...task,
  };
  const server = fork(PROGRAM, [JSON.stringify(given)], { stdio: "inherit" });
  const [code, signal] = (await once(server, "exit")) as [number | null, string | null];
  if (signal === null) expect(code).toBe(0);
  return signal;
}

const received = () => target.received.map(({ body }) => JSON.parse(body.toString("utf8")));
const texts = () => received().map(({ text }) => text);

it("sends all notices in order although processes are killed before sending and before recording", async () => {
  await addWebhook();
  expect(await runServer({ acts: ["first", "second"], dies: "before-sending" })).toBe("SIGKILL");
  expect(texts()).toEqual([]);
  expect(await runServer({ acts: [], dies: "after-sending" })).toBe("SIGKILL");
  expect(texts()).toEqual(["first"]);
  // Nobody sends past a server that may still be at it
  expect(await runServer({ acts: ["third"] })).toBeNull();
  expect(texts()).toEqual(["first"]);
  world.clock.advance(LEASE_MS);
  expect(await runServer({ acts: [] })).toBeNull();
  expect(texts()).toEqual(["first", "first", "second", "third"]);
  const [before, again] = received();
  expect(again.id).toBe(before.id);
  const rows = await listNotices(world.database.db, world.owner.address, 10);
  expect(rows.map(({ state }) => state)).toEqual(["sent", "sent", "sent"]);
});
