import { describe, expect, it } from "vitest";
import type { TradingState } from "../../../domain/trading-state.ts";
import type { HeldSwitch } from "../../store/signer/held-switch.ts";
import { type OperatorOrder, orderText } from "../../store/operator/trading-state.ts";
import { judgeSwitch } from "./hold-switch.ts";

const signed = (n: number, state: TradingState): OperatorOrder => {
  const order = { n, state, signature: null };
  return { ...order, signature: Buffer.from(`signed: ${orderText(order)}`) };
};
const check = (text: string, signature: Uint8Array) =>
  Buffer.from(signature).toString() === `signed: ${text}`;

const judge = (held: HeldSwitch, stored: TradingState, ...orders: OperatorOrder[]) =>
  judgeSwitch(held, stored, orders, check);

const FRESH: HeldSwitch = { n: 0, state: "active" };
const HALTED: HeldSwitch = { n: 5, state: "halted" };

describe("the operator's switch as the signer holds it", () => {
  it("is believed where it is stricter", () => {
    expect(judge(FRESH, "reducing")).toEqual({ n: 0, state: "reducing" });
    expect(judge({ n: 5, state: "reducing" }, "halted")).toEqual(HALTED);
  });

  it("is lifted by nothing but a newer order that the operator signed", () => {
    expect(judge(HALTED, "active")).toEqual(HALTED);
    expect(judge(HALTED, "active", { ...signed(6, "active"), signature: null })).toEqual(HALTED);
    expect(judge(HALTED, "active", signed(5, "active"))).toEqual(HALTED);
    const other = signed(6, "reducing");
    expect(judge(HALTED, "active", { ...signed(6, "active"), signature: other.signature })).toEqual(
      HALTED,
    );
    expect(judge(HALTED, "active", signed(6, "active"))).toEqual({ n: 6, state: "active" });
    expect(judge(HALTED, "active", signed(6, "reducing"))).toEqual({ n: 6, state: "reducing" });
  });

  it("follows the newest order, and the database where it is stricter than that", () => {
    const forged = { ...signed(9, "active"), signature: Buffer.from("forged") };
    expect(judge(HALTED, "active", forged, signed(7, "active"), signed(6, "halted"))).toEqual({
      n: 7,
      state: "active",
    });
    expect(judge(HALTED, "halted", signed(6, "active"))).toEqual({ n: 6, state: "halted" });
  });
});
