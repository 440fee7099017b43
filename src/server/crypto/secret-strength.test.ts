import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { hasSecretForm } from "./secret-strength.ts";

describe("hasSecretForm", () => {
  it.each([
    "s".repeat(32),
    "0".repeat(64),
    "deadbeef".repeat(8),
    "0123456789abcdef".repeat(4),
    "0123456789abcdef0123456789abcdef",
    "abcdefghijklmnopqrstuvwxyzABCDEF012345",
    "correct-horse-battery-staple-and-more",
    "correct horse battery staple and more",
    "changemechangemechangemechangeme",
    "32 bytes in hex, at least 32 chars",
    "your-delegate-secret-here-0123456789",
    "0123456789abcdef",
    "",
  ])("refuses %j", (text) => expect(hasSecretForm(text)).toBe(false));

  it("accepts what openssl and Node make of 16 or more random bytes", () => {
    expect(hasSecretForm("9f86d081884c7d659a2feaa0c55ad015")).toBe(true);
    expect(hasSecretForm("n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=")).toBe(true);
  });

  it("accepts random secrets of every length in hex", () => {
    for (let count = 0; count < 2_000; count += 1) {
      const random = createHash("sha512").update(String(count)).digest();
      expect(hasSecretForm(random.subarray(0, 16).toString("hex"))).toBe(true);
      expect(hasSecretForm(random.subarray(0, 32).toString("hex"))).toBe(true);
      expect(hasSecretForm(random.toString("hex"))).toBe(true);
    }
  });
});
