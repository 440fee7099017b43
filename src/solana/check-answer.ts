import { ChainUnavailableError } from "./chain.ts";

/** Throws when a node's answer is not what a node can mean: nothing of it is used. */
export function requireAnswer(isPossible: boolean, what: string): asserts isPossible {
  if (!isPossible) {
    throw new ChainUnavailableError(`The node's answer is impossible: ${what}.`, {
      trouble: "wrong_answer",
    });
  }
}

/** Says whether a value is an amount, slot or height as the chain holds it. */
export const isU64 = (value: unknown): value is bigint =>
  typeof value === "bigint" && value >= 0n && value < 1n << 64n;
