import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mutatedBytes } from "../../../test/mutated-bytes.ts";
import { tradingView } from "../alert-sources/tradingview.ts";
import { parseStrictJson, StrictJsonError } from "./strict-json.ts";

const ALERT = JSON.stringify({
  agentId: "0123456789abcdef0123456789abcdef",
  alertName: "break\\out é",
  timestamp: "2026-11-21T08:00:00Z",
  token: `${"x".repeat(43)}.1`,
});

const BODIES = [
  ALERT,
  '{"a":[1,-2.5e3,true,false,null,{"b":"\\u00e9\\ud83d\\ude00"}],"c":{}}',
  `${"[".repeat(20)}${"]".repeat(20)}`,
].map((text) => new TextEncoder().encode(text));

describe("bytes that are almost an alert", () => {
  it("are refused by name or parsed like every other parser does", () => {
    let read = 0;
    fc.assert(
      fc.property(mutatedBytes(BODIES), (bytes) => {
        try {
          const value = parseStrictJson(bytes);
          read += 1;
          expect(value).toEqual(JSON.parse(new TextDecoder().decode(bytes)));
        } catch (error) {
          expect(error).toBeInstanceOf(StrictJsonError);
        }
        expect(Object.keys(Object.prototype)).toEqual([]);
      }),
      { numRuns: 5_000 },
    );
    expect(read).toBeGreaterThan(100);
  });

  it("become an alert or are told to be none, and nothing else", () => {
    let fired = 0;
    fc.assert(
      fc.property(mutatedBytes(BODIES.slice(0, 1)), (bytes) => {
        try {
          const alert = tradingView.read(parseStrictJson(bytes));
          if (typeof alert === "string") return;
          fired += 1;
          expect(["time", "unreadable"]).toContain(alert.firedAt.kind);
          for (const text of [alert.agentId, alert.alertName, alert.token]) {
            expect(text.isWellFormed()).toBe(true);
          }
        } catch (error) {
          expect(error).toBeInstanceOf(StrictJsonError);
        }
      }),
      { numRuns: 5_000 },
    );
    expect(fired).toBeGreaterThan(100);
  });
});
