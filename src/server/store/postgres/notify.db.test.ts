import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../test/database.ts";
import { openNotifier, type Notifier } from "./notify.ts";

let database: TestDatabase;
let here: Notifier;
let there: Notifier;

beforeEach(async () => {
  database = await createTestDatabase();
  const options = { url: database.url, pool: database.pool, pollMs: 20 };
  [here, there] = await Promise.all([openNotifier(options), openNotifier(options)]);
});

afterEach(async () => {
  await Promise.all([here.close(), there.close()]);
  await database.drop();
});

describe("notifier", () => {
  it("tells this server and the others, each hint once, only the topic asked for", async () => {
    const heard: string[] = [];
    here.subscribe("lane", (id) => heard.push(`here ${id}`));
    there.subscribe("lane", (id) => heard.push(`there ${id}`));
    there.subscribe("push", () => heard.push("wrong topic"));
    here.notify("lane", "a");
    here.notify("lane", "b");
    await expect.poll(() => heard).toHaveLength(4);
    there.notify("lane", "c");
    await expect.poll(() => heard).toContain("here c");
    expect(heard.toSorted()).toEqual(
      ["here a", "here b", "here c", "there a", "there b", "there c"].toSorted(),
    );
  });

  it("gathers equal hints of one moment", async () => {
    const heard: string[] = [];
    there.subscribe("lane", (id) => heard.push(id));
    for (let times = 0; times < 50; times += 1) here.notify("lane", "a");
    here.notify("lane", "last");
    await expect.poll(() => heard).toContain("last");
    expect(heard).toEqual(["a", "last"]);
  });

  it("keeps other listeners when one throws, and stops telling one that left", async () => {
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

  it("asks for polling while its connection is away and hears again afterwards", async () => {
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
      { timeout: 10_000, interval: 50 },
    );
  });
});
