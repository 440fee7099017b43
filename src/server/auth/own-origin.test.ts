import { describe, expect, it } from "vitest";
import { isOwnOrigin } from "./own-origin.ts";

describe("Our own origin", () => {
  it.each([
    ["http://127.0.0.1:4600", "http://127.0.0.1:4600", true],
    ["http://localhost:4600", "http://127.0.0.1:4600", true],
    ["http://localhost:4601", "http://127.0.0.1:4600", false],
    ["https://localhost:4600", "http://127.0.0.1:4600", false],
    ["http://localhost.evil.example:4600", "http://127.0.0.1:4600", false],
    ["null", "http://127.0.0.1:4600", false],
    ["https://app.test", "https://app.test", true],
    ["http://localhost", "https://app.test", false],
    ["https://app.test.evil.example", "https://app.test", false],
  ])("%s on %s: %s", (origin, publicUrl, isOwn) => {
    expect(isOwnOrigin(origin, new URL(publicUrl))).toBe(isOwn);
  });
});
