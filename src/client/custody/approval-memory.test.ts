import { beforeEach, describe, expect, it } from "vitest";
import { betweenReadAndWrite } from "../../../test/other-tab.ts";
import {
  pinMultisig,
  pinnedMultisig,
  recallSignature,
  rememberSignature,
} from "./approval-memory.ts";

beforeEach(() => localStorage.clear());

describe("two tabs at once", () => {
  it("keep one another's multisigs", () => {
    betweenReadAndWrite(
      () => pinMultisig("a", "multisig of a"),
      () => pinMultisig("b", "multisig of b"),
    );
    expect([pinnedMultisig("a"), pinnedMultisig("b")]).toEqual(["multisig of a", "multisig of b"]);
    expect(pinnedMultisig("c")).toBeNull();
  });

  it("keep one another's signatures, and forget only their own", () => {
    betweenReadAndWrite(
      () => rememberSignature("1", "first"),
      () => rememberSignature("2", "second"),
    );
    expect([recallSignature("1"), recallSignature("2")]).toEqual(["first", "second"]);
    rememberSignature("1", null);
    expect([recallSignature("1"), recallSignature("2")]).toEqual([null, "second"]);
  });
});
