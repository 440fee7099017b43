import * as kit from "@solana/kit";
import { describe, expect, it } from "vitest";
import { transactionErrorFromRpc } from "./rpc-ask.ts";

const constants = (kind: "TRANSACTION" | "INSTRUCTION") =>
  Object.entries(kit).filter(([constant]) =>
    constant.startsWith(`SOLANA_ERROR__${kind}_ERROR__`),
  ) as [string, kit.SolanaErrorCode][];

const preflight = (err: unknown): unknown =>
  kit.getSolanaErrorFromJsonRpcError({
    code: -32_002,
    message: "Transaction simulation failed",
    data: { err, logs: [] },
  });

/** Returns the runtime's name of a constant like `TOO_MANY_ACCOUNT_LOCKS`. */
const runtimeName = (constant: string): string =>
  constant
    .replace(/^SOLANA_ERROR__\w+?_ERROR__/, "")
    .split("_")
    .map((word) => word.slice(0, 1) + word.slice(1).toLowerCase())
    .join("");

describe("a node's refusal", () => {
  it("keeps the runtime's name for every instruction error that Kit numbers", () => {
    const all = constants("INSTRUCTION");
    expect(all.length).toBeGreaterThan(50);
    for (const [constant, code] of all) {
      const context = { index: 3, code: 6_050, errorName: "x" } as never;
      const read = transactionErrorFromRpc(new kit.SolanaError(code, context));
      expect(read, constant).toMatchObject({ kind: "instruction", instructionIndex: 3 });
      expect(read?.name, constant).toBe(runtimeName(constant));
    }
  });

  it("keeps the runtime's name for every transaction error that Kit numbers", () => {
    const all = constants("TRANSACTION");
    expect(all.length).toBeGreaterThan(30);
    for (const [constant, code] of all) {
      const read = transactionErrorFromRpc(new kit.SolanaError(code, {} as never));
      expect(read, constant).toEqual({ kind: "transaction", name: runtimeName(constant) });
    }
  });

  it("is read identically from the wire and from Kit's error", () => {
    const failed = (reason: unknown) => ({ InstructionError: [2, reason] });
    for (const err of ["AlreadyProcessed", "BlockhashNotFound", "InsufficientFundsForFee"]) {
      expect(transactionErrorFromRpc(err)).toEqual({ kind: "transaction", name: err });
      expect(transactionErrorFromRpc(preflight(err))).toEqual({ kind: "transaction", name: err });
    }
    const custom = { kind: "instruction", name: "Custom", instructionIndex: 2, code: 6_050 };
    expect(transactionErrorFromRpc(failed({ Custom: 6_050 }))).toEqual(custom);
    expect(transactionErrorFromRpc(preflight(failed({ Custom: 6_050 })))).toEqual(custom);
    const named = { kind: "instruction", name: "InvalidAccountData", instructionIndex: 2 };
    expect(transactionErrorFromRpc(failed("InvalidAccountData"))).toEqual(named);
    expect(transactionErrorFromRpc(preflight(failed("InvalidAccountData")))).toEqual(named);
  });

  it("with details is read by its name", () => {
    const rent = { InsufficientFundsForRent: { account_index: 4 } };
    const read = { kind: "transaction", name: "InsufficientFundsForRent" };
    expect(transactionErrorFromRpc(rent)).toEqual(read);
    expect(transactionErrorFromRpc(preflight(rent))).toEqual(read);
  });

  it("with an unknown name is kept as unknown with its content", () => {
    const unknown = { kind: "transaction", name: "Unknown" };
    expect(transactionErrorFromRpc("Brand new")).toEqual(unknown);
    expect(transactionErrorFromRpc(preflight("BrandNew"))).toEqual(unknown);
    expect(transactionErrorFromRpc({ InstructionError: [1, "BrandNew"] })).toEqual({
      kind: "instruction",
      name: "Unknown",
      instructionIndex: 1,
    });
  });
});
