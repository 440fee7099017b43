import { expect, it } from "vitest";
import { standbysWaitedFor } from "./open-work.ts";

// The forms of PostgreSQL's documentation of synchronous_standby_names
it.each([
  ["", 0],
  ["*", 1],
  ["s1", 1],
  ["s1, s2", 1],
  ['"node2"', 1],
  ["FIRST 2 (s1, s2, s3)", 2],
  ["2 (s1, s2)", 2],
  ["ANY 2 (s1, s2, s3)", 2],
  ['any 1 ("node2","node3")', 1],
])("counts the standbys that %j waits for", (names, standbys) => {
  expect(standbysWaitedFor(names)).toBe(standbys);
});
