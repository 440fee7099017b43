import { describe, expect, it } from "vitest";
import { buildAgentName, freeAgentName, parseAgentName } from "./agent-name.ts";
import { MAX_AGENT_NAME } from "./name-key.ts";
import {
  INTERVAL_PRESETS,
  isIntervalInRange,
  isPresetInterval,
  parseInterval,
} from "./interval.ts";
import { parseSlippagePercent, formatSlippagePercent } from "./slippage.ts";

const inRange = (text: string) => {
  const interval = parseInterval(text);
  return interval !== null && isIntervalInRange(interval);
};

describe("interval", () => {
  it.each(["28m", "10080m", "168h", "7d", "1w", ...INTERVAL_PRESETS])("accepts %s", (text) => {
    expect(inRange(text)).toBe(true);
  });

  it.each([
    "27m",
    "10081m",
    "28.5m",
    "169h",
    "8d",
    "2w",
    "0m",
    "-1h",
    "h",
    "30",
    "030m",
    "30 m",
    "30s",
    "30M",
  ])("refuses %s", (text) => {
    expect(inRange(text)).toBe(false);
  });

  it("counts minutes", () => {
    expect(["90m", "2h", "3d", "1w"].map((text) => parseInterval(text)?.minutes)).toEqual([
      90, 120, 4_320, 10_080,
    ]);
    expect([isPresetInterval("45m"), isPresetInterval("90m")]).toEqual([true, false]);
  });
});

describe("agent name", () => {
  it.each([
    ["SOL", "1h"],
    ["SOL-PERP", "90m"],
    ["AAPLx", "1w"],
  ])("reads %s and %s back", (asset, interval) => {
    const name = buildAgentName(asset, interval);
    expect(parseAgentName(name)).toEqual({ asset, interval });
    expect(parseAgentName(freeAgentName(name, [name]))).toEqual({ asset, interval });
  });

  it("counts up where other agents have the name, whatever its case", () => {
    const name = buildAgentName("SOL", "1h");
    expect(freeAgentName(name, ["Mine"])).toBe(name);
    expect(freeAgentName(name, ["agent ** sol-1H"])).toBe("Agent ** SOL-1h (2)");
    expect(freeAgentName(name, [name, "Agent ** SOL-1h (2)"])).toBe("Agent ** SOL-1h (3)");
    expect(freeAgentName("Mine (2)", ["mine (2)"])).toBe("Mine (3)");
    expect(freeAgentName("ذئب 🐺", ["ذئب 🐺"])).toBe("ذئب 🐺 (2)");
  });

  it("stays within the longest name when it is counted up", () => {
    const long = "x".repeat(MAX_AGENT_NAME);
    expect(freeAgentName(long, [long])).toBe(`${"x".repeat(MAX_AGENT_NAME - 4)} (2)`);
  });

  it("does not parse names typed by users", () => {
    for (const name of ["My agent", "Agent ** SOL", "Agent ** SOL-soon", "Agent ** -1h"]) {
      expect(parseAgentName(name)).toBeNull();
    }
  });
});

describe("slippage", () => {
  it.each([
    ["5", 500],
    ["0.01", 1],
    ["0.5", 50],
    ["0.500", 50],
    ["1.25", 125],
  ])("reads %s percent", (text, bps) => {
    expect(parseSlippagePercent(text)).toBe(bps);
    expect(parseSlippagePercent(formatSlippagePercent(bps))).toBe(bps);
  });

  it.each(["5.01", "5.0000001", "0", "0.009", "0.005", "-0.1", "0.5%", "1e-9", "", "."])(
    "refuses %j",
    (text) => {
      expect(parseSlippagePercent(text)).toBeNull();
    },
  );
});
