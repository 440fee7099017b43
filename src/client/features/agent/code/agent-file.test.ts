import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scaleFreeCondition } from "../../../../../test/random-conditions.ts";
import { buildAgent } from "../../../../../test/shown-agent.ts";
import { agentFileOf, jsonText } from "./agent-file-text.ts";
import { readAgentFile } from "./strategy-code.tsx";

const SECRETS = ["b".repeat(32), "c".repeat(32), "a".repeat(32), "1111", "active", "report prompt"];

const AGENT = buildAgent({
  id: "b".repeat(32),
  chatId: "c".repeat(32),
  name: "Agent ** SOL-1h",
  marketId: "SOL-PERP",
  interval: "1h",
  venue: "drift",
  network: "practice",
  owner: "1".repeat(32),
  autoTrade: "on",
  slippagePercent: 0.5,
  positionSizePercent: 40,
  maxSignalAgeSeconds: 120,
  isFunded: true,
  custody: { status: "active", hasTradingKey: true },
  writesHypotheses: false,
  buyReportPrompt: "report prompt",
  sellReportPrompt: "report prompt",
  updatedAt: "2026-01-01T00:00:00Z",
});

const fileOf = (condition?: object) =>
  agentFileOf(
    AGENT,
    [
      {
        id: "a".repeat(32),
        name: "dip",
        description: "RSI",
        ...(condition && { condition: condition as never }),
      },
      { id: "a".repeat(32), name: `o'clock "x", {y: 1}`, description: "" },
    ],
    [
      {
        id: "a".repeat(32),
        agentId: AGENT.id,
        action: "OPEN_LONG",
        conditions: [{ alertName: "dip", requiredCount: 2, count: 1 }],
      },
      {
        id: "b".repeat(32),
        agentId: AGENT.id,
        action: "CLOSE_LONG",
        portion: 50,
        conditions: [{ alertName: "dip", requiredCount: 1, count: 0 }],
      },
    ],
  );

describe("an agent file", () => {
  it("holds the strategy and nothing about its owner", () => {
    const text = jsonText(fileOf({ kind: "every-bars", bars: 4 }));
    for (const secret of SECRETS) expect(text).not.toContain(secret);
    expect(text).not.toMatch(/count|agentName|Agent \*\*|network|trading|autoTrade|custody/);
    expect(text).toContain('"condition": { "kind": "every-bars", "bars": 4 }');
    expect(text).toContain('{ "alert": "dip", "times": 2 }');
  });

  it("survives a round trip with any conditions", () => {
    fc.assert(
      fc.property(scaleFreeCondition, (condition) => {
        const file = fileOf(condition);
        const text = jsonText(file);
        expect(JSON.parse(text)).toEqual(file);
        expect(readAgentFile(text)).toEqual({ ok: true, file });
      }),
    );
  });

  const whole = JSON.parse(jsonText(fileOf())) as Record<string, unknown>;
  const broken: readonly [string, string, string][] = [
    ["no JSON", "buy low", "This is not JSON."],
    ["other JSON", "[1]", 'This is JSON, but not an agent file: "format" is missing.'],
    ["too long", " ".repeat(200_001), "The file is too large for an agent file."],
    [
      "somebody's ids and token",
      JSON.stringify({ ...whole, botId: "x", token: "y" }),
      "botId, token does not belong in an agent file.",
    ],
    [
      "an alert's id",
      JSON.stringify({ ...whole, alerts: [{ name: "dip", _id: "x" }] }),
      "alerts.0: _id does not belong in an agent file.",
    ],
    [
      "two numbers compared",
      JSON.stringify({
        ...whole,
        alerts: [
          {
            name: "dip",
            condition: {
              kind: "comparisons",
              all: [
                {
                  left: { kind: "number", value: 1 },
                  is: "above",
                  right: { kind: "number", value: 2 },
                },
              ],
            },
          },
        ],
      }),
      "dip: Two fixed numbers compare alike on every bar.",
    ],
  ];

  it.each(broken)("is refused: %s", (_, text, fault) => {
    expect(readAgentFile(text)).toEqual({ ok: false, faults: [fault] });
  });

  it("names up to five places that are out of range", () => {
    const reading = readAgentFile(JSON.stringify({ ...whole, positionSizePercent: 101 }));
    expect(reading.ok ? [] : reading.faults[0]).toMatch(/^positionSizePercent: /);
    const all = readAgentFile(JSON.stringify({ format: "wheelhouse-agent" }));
    expect(all.ok ? [] : all.faults).toHaveLength(5);
  });
});
