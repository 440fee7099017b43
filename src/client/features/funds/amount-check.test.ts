import { describe, expect, it } from "vitest";
import { balanceAfter, checkDeposit, checkWithdrawal } from "./amount-check.ts";

const usdc = { symbol: "USDC", decimals: 6 };

describe("checkDeposit", () => {
  it.each([
    ["8.2", 8_200_000n],
    ["0.000001", 1n],
    [".5", 500_000n],
    ["1000", 1_000_000_000n],
    ["1.0000000", 1_000_000n],
  ])("reads %s exactly", (text, units) =>
    expect(checkDeposit(text, "1000", usdc)).toEqual({ kind: "ok", units }),
  );

  it.each(["", "0", "0.0", ".", "-1", "1e3", "1,5", "0.0000001", " 5", "NaN", "１"])(
    "refuses %j",
    (text) =>
      expect(checkDeposit(text, "1000", usdc)).toEqual({
        kind: "refused",
        title: "Invalid Amount",
        message: "Please enter a valid deposit amount greater than zero.",
      }),
  );

  it("refuses one base unit more than the wallet holds and accepts the whole balance", () => {
    expect(checkDeposit("1000.000001", "1000", usdc)).toMatchObject({
      title: "Insufficient balance",
    });
    expect(checkDeposit("1000", "1000", usdc)).toMatchObject({ kind: "ok" });
  });

  it("does not treat an unknown balance as zero and leaves the check to the server", () =>
    expect(checkDeposit("5", null, usdc)).toMatchObject({ kind: "ok" }));
});

describe("checkWithdrawal", () => {
  it("names the maximum in the specification's words", () =>
    expect(checkWithdrawal("938.01", "938", usdc)).toMatchObject({
      message:
        "Insufficient withdrawable funds: Maximum withdrawable amount is 938 USDC (considering margin requirements)",
    }));
});

describe("balanceAfter", () => {
  it("subtracts exactly", () => expect(balanceAfter("0.1", "0.3", usdc)).toBe("0.2"));
  it("is unknown when the balance is", () => expect(balanceAfter("0.1", null, usdc)).toBeNull());
});
