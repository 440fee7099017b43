import { address } from "@solana/kit";
import { describe, expect, it } from "vitest";
import { explainFailure } from "./program-errors.ts";
import type { TransactionErrorName } from "./transaction-errors.ts";
import { SQUADS_PROGRAM } from "./programs/squads.ts";
import { TOKEN_PROGRAM } from "./programs/token.ts";

const custom = (code: number, ...logs: string[]) => ({
  error: { kind: "instruction", name: "Custom", instructionIndex: 0, code } as const,
  logs,
});
const failed = (program: string, code: number) =>
  `Program ${program} failed: custom program error: 0x${code.toString(16)}`;

describe("explainFailure", () => {
  it("uses the innermost program's error", () => {
    const failure = custom(1, failed(TOKEN_PROGRAM, 1), failed(SQUADS_PROGRAM, 1));
    expect(explainFailure(failure).name).toBe("InsufficientFunds");
    expect(explainFailure(custom(6005, failed(SQUADS_PROGRAM, 6005))).name).toBe("NotAMember");
  });

  it.each([6014, 6007, 6009, 6013, 6021, 6024, 6027, 6029, 6034, 6039])(
    "has a text for the vault program's error %i",
    (code) => {
      const { name, words } = explainFailure(custom(code, failed(SQUADS_PROGRAM, code)));
      expect(name).not.toBe("Custom");
      expect(words).not.toContain(String(code));
    },
  );

  it("calls a lost index race retryable", () => {
    expect(explainFailure(custom(2006, failed(SQUADS_PROGRAM, 2006)))).toMatchObject({
      name: "ConstraintSeeds",
      retryable: true,
    });
  });

  it("names runtime errors and says when one is unknown", () => {
    const runtime = (name: TransactionErrorName) =>
      explainFailure({ error: { kind: "transaction", name }, logs: [] });
    expect(runtime("InsufficientFundsForRent").words).toContain("too little SOL");
    expect(runtime("BlockhashNotFound").retryable).toBe(true);
    expect(runtime("ClusterMaintenance").words).toContain("ClusterMaintenance");
    expect(explainFailure(custom(9999)).words).toContain("9999");
  });

  it("uses a venue's own table for its program only", () => {
    const programId = address("dRiftyHA39MWEi3m9aunc5MzRF1JYuBsbn6VPcn33UH");
    const venue = { programId, errors: { 6024: ["ExchangePaused", "It is paused."] as const } };
    const name = (program: string) =>
      explainFailure(custom(6024, failed(program, 6024)), [venue]).name;
    expect(name(programId)).toBe("ExchangePaused");
    expect(name(SQUADS_PROGRAM)).toBe("InvalidMint");
  });
});
