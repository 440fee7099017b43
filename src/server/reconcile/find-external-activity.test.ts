import { describe, expect, it } from "vitest";
import type { TransactionOutcome } from "../../solana/chain.ts";
import { SYSTEM_PROGRAM } from "../../solana/programs/system.ts";
import { TOKEN_PROGRAM } from "../../solana/programs/token.ts";
import { parseSignature } from "../../solana/encoding/address-codec.ts";
import { findExternalActivity } from "./reconcile-agent.ts";

const signature = parseSignature("1".repeat(64));

/** Returns how many of one transaction with these logs count as external to an account of the token program. */
async function countExternal(logs: readonly string[]): Promise<number> {
  const outcome: TransactionOutcome = {
    signature,
    slot: 1n,
    blockTime: null,
    error: null,
    logs,
    feeLamports: 5_000n,
    lamportDeltas: new Map(),
    tokenDeltas: [],
  };
  const chain = { transaction: async () => outcome };
  const { foreign } = await findExternalActivity(chain, TOKEN_PROGRAM, [], [signature]);
  return foreign.length;
}

describe("an external transaction", () => {
  it.each([
    ["ran the account's program", [`Program ${TOKEN_PROGRAM} invoke [1]`], 1],
    [
      "ran it from another",
      [`Program ${SYSTEM_PROGRAM} invoke [1]`, `Program ${TOKEN_PROGRAM} invoke [2]`],
      1,
    ],
    ["only named the account", [`Program ${SYSTEM_PROGRAM} invoke [1]`], 0],
    ["wrote the program's name itself", [`Program log: Program ${TOKEN_PROGRAM} invoke [1]`], 0],
    ["has logs that were cut", [`Program ${SYSTEM_PROGRAM} invoke [1]`, "Log truncated"], 1],
    ["has no logs", [], 1],
  ])("that %s", async (_what, logs, count) => expect(await countExternal(logs)).toBe(count));
});
