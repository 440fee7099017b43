import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { curlText } from "./strategy-code.tsx";
import { highlightLine } from "./code-view.tsx";

describe("alerts by hand", () => {
  it("are passed by a shell to curl unchanged, quotes included, with the present time", () => {
    const message = String.raw`{"alertName":"o'clock \"$HOME\"","timestamp":"{{timenow}}"}`;
    const text = curlText("https://x.test/webhook/1?a=b&c", [{ name: "o'clock", message }]);
    const script = text.replaceAll(/^curl/gm, String.raw`printf '%s\n'`);
    const said = execFileSync("sh", ["-c", script], { encoding: "utf8" }).split("\n");
    expect(said[3]?.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/, "{{timenow}}")).toBe(message);
    expect(said[4]).toBe("https://x.test/webhook/1?a=b&c");
  });
});

describe("colouring", () => {
  it.each([
    ["json", `  "key": ["text: \\"x\\"", -1.5e3, null],`, ["key", "text", "number", "word"]],
    [
      "pine",
      `x = above(ta.sma(close, 20), 1.5) // why`,
      ["call", "call", "number", "number", "comment"],
    ],
    ["pine", `if not ok and alert("a \\" // b")`, ["word", "word", "word", "call", "text"]],
    ["shell", `curl -H 'a: b' x`, ["word", "key", "text"]],
  ] as const)("of %s keeps the text: %s", (language, line, kinds) => {
    const tokens = highlightLine(line, language);
    expect(tokens.map(({ text }) => text).join("")).toBe(line);
    expect(tokens.map(({ kind }) => kind).filter((kind) => kind !== "plain")).toEqual(kinds);
  });
});
