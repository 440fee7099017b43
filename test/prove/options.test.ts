import { describe, expect, it } from "vitest";
import { OptionError, readOptions } from "./options.ts";

describe("options of the command", () => {
  it.each([
    [[], { kills: 100, seed: null, servers: 1, stops: 0 }],
    [["--kills", "1000", "--seed", "0"], { kills: 1_000, seed: 0, servers: 1, stops: 0 }],
    [["--stops", "50"], { kills: 100, seed: null, servers: 1, stops: 50 }],
    [["--servers=3", "--kills=30"], { kills: 30, seed: null, servers: 3, stops: 0 }],
  ])("%j", (words, expected) => {
    expect(readOptions(words)).toEqual(expected);
  });

  it.each([
    [["--kill", "5"], "prove: --kill is not known; npm run prove -- "],
    [["5"], "prove: 5 is not known; "],
    [["--toString", "5"], "prove: --toString is not known; "],
    [["--kills"], "prove: --kills must be a whole number from 1 to 100000."],
    [["--kills", "0"], "prove: --kills must be a whole number"],
    [["--kills", "1e3"], "prove: --kills must be a whole number"],
    [["--seed", "-1"], "prove: --seed must be a whole number from 0 to 4294967295."],
    [["--servers", "10"], "prove: --servers must be a whole number from 1 to 9."],
  ])("%j is refused in one line", (words, line) => {
    expect(() => readOptions(words)).toThrow(OptionError);
    expect(() => readOptions(words)).toThrow(line);
    expect(() => readOptions(words)).not.toThrow("\n");
  });
});
