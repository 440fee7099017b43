import { randomBytes } from "node:crypto";
import type { AgentId, OwnerAddress } from "../src/domain/ids.ts";
import { insertCustodyFlag } from "../src/server/store/custody/custody-notices.ts";
import { openDatabase } from "../src/server/store/postgres/pool.ts";
import { openNotices } from "../src/server/main/open-notices.ts";
import { deriveNoticeKeys } from "../src/server/notices/encrypt-target.ts";
import { createPostOutside, type PostOutside } from "../src/server/notices/post-outside.ts";
import { createTestClock } from "./clock.ts";

/** Task of a server process until it ends or kills itself. */
export interface NoticeServerTask {
  readonly url: string;
  readonly nowMs: number;
  /** Session secret of the server that added the channel, in hex. */
  readonly sessionSecret: string;
  readonly agent: { readonly agentId: AgentId; readonly owner: OwnerAddress };
  /** Facts to record, one statement each, before anything is sent. */
  readonly acts: readonly string[];
  /** The point at which the process kills itself: once everything is recorded, or once the first message was answered. */
  readonly dies?: "before-sending" | "after-sending";
}

const task = JSON.parse(process.argv[2] ?? "") as NoticeServerTask;
const die = () => process.kill(process.pid, "SIGKILL");

const { db, close } = openDatabase({
  url: task.url,
  maxConnections: 4,
  statementTimeoutMs: 10_000,
  lockTimeoutMs: 5_000,
  connectTimeoutMs: 5_000,
});
const post = createPostOutside({ allowsPlain: true, isAllowed: () => true });
const postThenDie: PostOutside = async (...call) => {
  const answer = await post(...call);
  if (task.dies === "after-sending") die();
  return answer;
};
const { dispatcher } = openNotices({
  db,
  clock: createTestClock(task.nowMs),
  random: randomBytes,
  publicUrl: new URL("https://trade.example"),
  noticeKeys: {
    ...deriveNoticeKeys(Buffer.from(task.sessionSecret, "hex")),
    push: Buffer.alloc(32, 1),
  },
  mail: undefined,
  onFailure: (error) => {
    throw error;
  },
  post: postThenDie,
});

for (const text of task.acts) {
  await insertCustodyFlag(db, "power", { ...task.agent, key: text, text, atMs: task.nowMs });
}
if (task.dies === "before-sending") die();
await dispatcher.run();
await close();
