import { beforeEach, describe, expect, it } from "vitest";
import { storedLayout, storedToken, storedWallet } from "./stored.ts";

beforeEach(() => localStorage.clear());

describe("a stored value", () => {
  it("survives a round trip", () => {
    storedWallet.write({ walletType: "phantom", walletAddress: "abc" });
    expect(storedWallet.read()).toEqual({ walletType: "phantom", walletAddress: "abc" });
  });

  it.each([
    ["not JSON", "{"],
    ["another version", '{"version":2,"value":{"walletType":"phantom","walletAddress":"abc"}}'],
    ["another shape", '{"version":1,"value":{"walletType":"phantom"}}'],
    ["null", "null"],
  ])("is dropped when it holds %s", (_name, raw) => {
    localStorage.setItem("wallet-storage", raw);
    expect(storedWallet.read()).toBeNull();
    expect(localStorage.getItem("wallet-storage")).toBeNull();
  });

  it("refuses sizes that no panel can have", () => {
    localStorage.setItem("panel-layout", '{"version":1,"value":{"main":120}}');
    expect(storedLayout.read()).toBeNull();
  });

  it("keeps the token as plain text under its specified name", () => {
    storedToken.write("a.b.c");
    expect(localStorage.getItem("jwt_token")).toBe("a.b.c");
  });
});
