import { ChainUnavailableError } from "./chain.ts";

/** Throws when a node's answer is impossible; no part of it is used. */
export function requireAnswer(isPossible: boolean, what: string): asserts isPossible {
  if (!isPossible) {
    throw new ChainUnavailableError(`The node's answer is impossible: ${what}.`, {
      trouble: "wrong_answer",
    });
  }
}

/** Returns whether a value is an unsigned 64-bit integer, as amounts, slots and heights are. */
export const isU64 = (value: unknown): value is bigint =>
  typeof value === "bigint" && value >= 0n && value < 1n << 64n;
