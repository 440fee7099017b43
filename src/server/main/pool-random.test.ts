import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { poolRandom } from "./open-process.ts";

describe("pooled random bytes", () => {
  it("have the requested length and are returned once", () => {
    const fetched: Uint8Array[] = [];
    const random = poolRandom((length) => {
      const bytes = Uint8Array.from(randomBytes(length));
      fetched.push(bytes);
      return bytes;
    });
    const given = Array.from({ length: 1_000 }, (_, at) => random(1 + (at % 40)));
    expect(given.map((bytes) => bytes.length)).toEqual(given.map((_, at) => 1 + (at % 40)));
    const long = given.filter((bytes) => bytes.length >= 8).map((bytes) => bytes.join());
    expect(new Set(long).size).toBe(long.length);
    const all = new Set(fetched.map((bytes) => bytes.join()));
    expect(all.size).toBe(fetched.length);
    expect(fetched.length).toBeLessThan(10);
  });

  it("of more than a pool come directly from the source", () => {
    const random = poolRandom((length) => new Uint8Array(length).fill(7));
    expect(random(10_000)).toEqual(new Uint8Array(10_000).fill(7));
  });
});
