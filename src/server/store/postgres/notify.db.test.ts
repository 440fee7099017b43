import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../test/database.ts";
import { openNotifier, type Notifier } from "./notify.ts";
import { openDatabase } from "./pool.ts";

let database: TestDatabase;
let here: Notifier;
let there: Notifier;

beforeEach(async () => {
  database = await createTestDatabase();
  const options = {
    url: database.url,
    pool: database.pool,
    heard: ["lane", "late"],
    gatherMs: { late: 60_000 },
    pollMs: 20,
  };
  [here, there] = await Promise.all([openNotifier(options), openNotifier(options)]);
});

afterEach(async () => {
  await Promise.all([here.close(), there.close()]);
  await database.drop();
});

describe("notifier", () => {
  it("notifies this server and the others once per hint, for the subscribed topic only", async () => {
    const heard: string[] = [];
    here.subscribe("lane", (id) => heard.push(`here ${id}`));
    there.subscribe("lane", (id) => heard.push(`there ${id}`));
    there.subscribe("late", () => heard.push("wrong topic"));
    here.notify("lane", "a");
    here.notify("lane", "b");
    await expect.poll(() => heard).toHaveLength(4);
    there.notify("lane", "c");
    await expect.poll(() => heard).toContain("here c");
    expect(heard.toSorted()).toEqual(
      ["here a", "here b", "here c", "there a", "there b", "there c"].toSorted(),
    );
  });

  it("combines equal simultaneous hints", async () => {
    const heard: string[] = [];
    there.subscribe("lane", (id) => heard.push(id));
    for (let times = 0; times < 50; times += 1) here.notify("lane", "a");
    here.notify("lane", "last");
    await expect.poll(() => heard).toContain("last");
    expect(heard).toEqual(["a", "last"]);
  });

  it("leaves its connections as durable as they were", async () => {
    const settings = { sessionSettings: "-c synchronous_commit=on" };
    const pool = openDatabase({ url: database.url, maxConnections: 1, ...settings });
    const telling = await openNotifier({ url: database.url, pool: pool.pool, heard: [] });
    const durability = async () =>
      (await pool.pool.query<{ synchronous_commit: string }>("show synchronous_commit")).rows;
    const heard: string[] = [];
    here.subscribe("lane", (id) => heard.push(id));
    telling.notify("lane", "a");
    await expect.poll(() => heard).toEqual(["a"]);
    expect(await durability()).toEqual([{ synchronous_commit: "on" }]);
    await telling.close();
    await pool.close();
  });

  it("receives from other processes only the subscribed topics", async () => {
    const heard: string[] = [];
    for (const topic of ["lane", "elsewhere"]) {
      here.subscribe(topic, (id) => heard.push(`here ${topic} ${id}`));
      there.subscribe(topic, (id) => heard.push(`there ${topic} ${id}`));
    }
    here.notify("elsewhere", "a");
    await expect.poll(() => heard).toEqual(["here elsewhere a"]);
    here.notify("lane", "last");
    await expect.poll(() => heard).toContain("there lane last");
    expect(heard).not.toContain("there elsewhere a");
  });

  it("combines a less urgent topic longer without delaying the others, and sends it on close", async () => {
    const heard: string[] = [];
    for (const topic of ["lane", "late"]) {
      there.subscribe(topic, (id) => heard.push(`${topic} ${id}`));
    }
    here.notify("late", "at once");
    await expect.poll(() => heard).toEqual(["late at once"]);
    here.notify("late", "gathered");
    here.notify("lane", "first");
    await expect.poll(() => heard).toContain("lane first");
    here.notify("lane", "second");
    await expect.poll(() => heard).toEqual(["late at once", "lane first", "lane second"]);
    await here.close();
    await expect.poll(() => heard).toContain("late gathered");
  });

  it("keeps other listeners when one throws, and stops notifying one that left", async () => {
    const heard: string[] = [];
    there.subscribe("lane", () => {
      throw new Error("clumsy");
    });
    const leave = there.subscribe("lane", (id) => heard.push(`first ${id}`));
    there.subscribe("lane", (id) => heard.push(`second ${id}`));
    here.notify("lane", "a");
    await expect.poll(() => heard).toEqual(["first a", "second a"]);
    leave();
    here.notify("lane", "b");
    await expect.poll(() => heard).toContain("second b");
    expect(heard).not.toContain("first b");
  });

  it("requests polling while its connection is lost and receives again afterwards", async () => {
    let polls = 0;
    const heard: string[] = [];
    there.onMayHaveMissed(() => (polls += 1));
    there.subscribe("lane", (id) => heard.push(id));
    await database.pool.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'wheelhouse listener' and datname = current_database()",
    );
    await expect.poll(() => polls).toBeGreaterThan(2);
    await vi.waitFor(
      () => {
        here.notify("lane", "again");
        expect(heard).toContain("again");
      },
      { timeout: 30_000, interval: 50 },
    );
  });
});
