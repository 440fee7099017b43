import { beforeEach, describe, expect, it } from "vitest";
import { agentIdOf } from "../../../test/ids.ts";
import { betweenReadAndWrite } from "../../../test/other-tab.ts";
import {
  pinMultisig,
  pinnedAccounts,
  recallSignature,
  rememberSignature,
} from "./approval-memory.ts";

beforeEach(() => localStorage.clear());

describe("two tabs at once", () => {
  it("keep each other's multisigs", () => {
    betweenReadAndWrite(
      () => pinMultisig(agentIdOf("a"), "multisig of a"),
      () => pinMultisig(agentIdOf("b"), "multisig of b"),
    );
    expect([
      pinnedAccounts(agentIdOf("a")).multisig,
      pinnedAccounts(agentIdOf("b")).multisig,
    ]).toEqual(["multisig of a", "multisig of b"]);
    expect(pinnedAccounts(agentIdOf("c")).multisig).toBeNull();
  });

  it("keep each other's signatures, and forget only their own", () => {
    betweenReadAndWrite(
      () => rememberSignature("1", "first"),
      () => rememberSignature("2", "second"),
    );
    expect([recallSignature("1"), recallSignature("2")]).toEqual(["first", "second"]);
    rememberSignature("1", null);
    expect([recallSignature("1"), recallSignature("2")]).toEqual([null, "second"]);
  });
});
