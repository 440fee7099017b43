import * as z from "zod/mini";
import { describe, expect, it } from "vitest";
import { agentFile } from "../../contract/agent-file.ts";
import { schemaHandlers } from "./schemas.ts";

const FILE = {
  format: "wheelhouse-agent",
  version: 1,
  venue: "drift",
  market: "SOL-PERP",
  interval: "1h",
  slippagePercent: 0.5,
  positionSizePercent: 50,
  maxSignalAgeSeconds: 300,
  alerts: [
    {
      name: "dip",
      condition: {
        kind: "comparisons",
        all: [
          {
            left: { kind: "indicator", name: "RSI", output: "value", parameters: [14] },
            is: "crosses-above",
            right: { kind: "number", value: 30 },
          },
        ],
      },
    },
  ],
  rules: [{ action: "OPEN_LONG", conditions: [{ alert: "dip", times: 2 }] }],
};

describe("the published schema of an agent file", () => {
  it("names every field and allows no other", async () => {
    const schema = await schemaHandlers().getAgentFileSchema({} as never);
    expect(schema).toMatchObject({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      title: "Wheelhouse agent",
      additionalProperties: false,
    });
    const { properties } = schema as { properties: object };
    expect(Object.keys(properties)).toEqual([
      "$schema",
      "format",
      "version",
      "venue",
      "market",
      "interval",
      "slippagePercent",
      "positionSizePercent",
      "maxSignalAgeSeconds",
      "plan",
      "leverage",
      "alerts",
      "rules",
    ]);
    expect(JSON.stringify(schema)).toContain('"SUPERTREND"');
    // An editor parses it with every file, and what repeats packs to nothing. Three quarters are MACD's pairs of lengths,
    // which a strict validator wants said whole; the rest is what grows with the product
    const text = JSON.stringify(schema);
    const [pairs = ""] = /\[\{"prefixItems".*?\}\](?=\}\})/.exec(text) ?? [];
    expect(text.length - pairs.length).toBeLessThan(16_000);
    expect(text.length).toBeLessThan(72_000);
  });

  it("refuses unknown keys, ids and tokens", () => {
    expect(z.safeParse(agentFile, FILE).success).toBe(true);
    for (const more of [{ botId: "x" }, { token: "x" }, { owner: "x" }]) {
      expect(z.safeParse(agentFile, { ...FILE, ...more }).success).toBe(false);
    }
    const withId = { ...FILE, alerts: [{ name: "dip", _id: "x" }] };
    expect(z.safeParse(agentFile, withId).success).toBe(false);
  });
});
