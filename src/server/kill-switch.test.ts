import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
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
  it("is read anew every time, and is not there by default", () => {
    const state = createKillSwitch(dataDir);
    expect(state()).toBe("active");
    put("REDUCE");
    expect(state()).toBe("reducing");
    take("REDUCE");
    expect(state()).toBe("active");
  });

  it("halts before it reduces, whatever else is in the file", () => {
    const state = createKillSwitch(dataDir);
    put("REDUCE");
    writeFileSync(join(dataDir, "HALT"), "because");
    expect(state()).toBe("halted");
    take("HALT");
    expect(state()).toBe("reducing");
  });

  it("is set by a folder too, by hands that cannot make an empty file", () => {
    mkdirSync(join(dataDir, "HALT"));
    expect(createKillSwitch(dataDir)()).toBe("halted");
  });

  it("is a new server's state as well", () => {
    put("HALT");
    expect(createKillSwitch(dataDir)()).toBe("halted");
  });
});
