import { once } from "node:events";
import {
  chownSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createKillSwitch } from "./kill-switch.ts";

let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "wheelhouse-switch-"));
});

afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const put = (name: string) => writeFileSync(join(dataDir, name), "");
const take = (name: string) => rmSync(join(dataDir, name));

describe("the kill switch", () => {
  it("is read again every time, and is absent by default", () => {
    const state = createKillSwitch(dataDir);
    expect(state()).toBe("active");
    put("REDUCE");
    expect(state()).toBe("reducing");
    take("REDUCE");
    expect(state()).toBe("active");
  });

  it("prefers halt to reduce, whatever else is in the file", () => {
    const state = createKillSwitch(dataDir);
    put("REDUCE");
    writeFileSync(join(dataDir, "HALT"), "because");
    expect(state()).toBe("halted");
    take("HALT");
    expect(state()).toBe("reducing");
  });

  it.each<[string, (path: string) => unknown]>([
    ["a folder", (path) => mkdirSync(path)],
    ["a link", (path) => symlinkSync(join(dataDir, "gone"), path)],
    ["a socket", (path) => once(createServer().unref().listen(path), "listening")],
    ...(process.getuid?.() === 0
      ? [
          [
            "a file of another account",
            (path: string) => {
              writeFileSync(path, "");
              chownSync(path, 20_109, 20_109);
            },
          ] as [string, (path: string) => unknown],
        ]
      : []),
  ])("does not count %s named HALT, and says so", async (_, make) => {
    await make(join(dataDir, "HALT"));
    const said: string[] = [];
    expect(createKillSwitch(dataDir, (message) => said.push(message))()).toBe("active");
    expect(said).toEqual(['"HALT" is no plain file of root or of this account: it does not count']);
  });

  it.each([
    ["halt", "halted"],
    ["Halt", "halted"],
    ["HALT.txt", "halted"],
    ["halt.txt.txt", "halted"],
    [" HALT ", "halted"],
    ["reduce", "reducing"],
    ["REDUCE.md", "reducing"],
  ])("accepts %j, a nearly right name, and says so once", (name, expected) => {
    const said: string[] = [];
    const state = createKillSwitch(dataDir, (message) => said.push(message));
    put(name);
    expect(state()).toBe(expected);
    expect(state()).toBe(expected);
    const meant = expected === "halted" ? "HALT" : "REDUCE";
    expect(said).toEqual([`"${name}" is taken for ${meant}`]);
    take(name);
    expect(state()).toBe("active");
  });

  it.each(["HALTED_TRADES", "halting", "asphalt", "REDUCED", "postgres", "session.secret"])(
    "ignores %j",
    (name) => {
      put(name);
      expect(createKillSwitch(dataDir)()).toBe("active");
    },
  );

  it("allows no entries while the folder cannot be read, and keeps a halt", () => {
    const said: string[] = [];
    const state = createKillSwitch(dataDir, (message) => said.push(message));
    const away = `${dataDir}-away`;
    renameSync(dataDir, away);
    expect(state()).toBe("reducing");
    writeFileSync(dataDir, "a file where the folder was");
    expect(state()).toBe("reducing");
    expect(said).toEqual([
      "DATA_DIR cannot be read (ENOENT): nothing is opened until it can",
      "DATA_DIR cannot be read (ENOTDIR): nothing is opened until it can",
    ]);
    rmSync(dataDir);
    renameSync(away, dataDir);
    put("HALT");
    expect(state()).toBe("halted");
    renameSync(dataDir, away);
    expect(state()).toBe("halted");
    renameSync(away, dataDir);
    take("HALT");
    expect(state()).toBe("active");
  });

  it("creates a missing folder", () => {
    const fresh = join(dataDir, "new");
    expect(createKillSwitch(fresh)()).toBe("active");
  });

  it("also applies to a new server", () => {
    put("HALT");
    expect(createKillSwitch(dataDir)()).toBe("halted");
  });
});
