import { describe, expect, it } from "vitest";
import { compareBalances } from "./balance.ts";
import { recordMovements } from "./record-movements.ts";
import type { LedgerMovement } from "./entry.ts";
import { sumEntries } from "../../../test/sum-entries.ts";

const AT = {
  place: "position",
  subAccount: 0,
  market: "SOL-PERP",
  asset: "USDC",
  decimals: 6,
} as const;

const trade = (base: bigint, amount: bigint): LedgerMovement => ({
  ...AT,
  kind: "trade",
  amount,
  base: { marketId: "SOL-PERP", decimals: 9, amount: base },
});

const fee = (amount: bigint): LedgerMovement => ({ ...AT, kind: "fee", amount });

describe("bookMovements", () => {
  it("counts the entries of each kind and carries the holding from one to the next", () => {
    const { entries, held } = recordMovements(new Map(), [
      trade(10n, -1_000n),
      fee(-1n),
      trade(-4n, 500n),
      fee(-2n),
    ]);
    expect(entries.map(({ kind, index, realised }) => [kind, index, realised])).toEqual([
      ["trade", 0, null],
      ["fee", 0, null],
      ["trade", 1, 100n],
      ["fee", 1, null],
    ]);
    expect([...held.values()]).toEqual([{ base: 6n, cost: -600n, fees: -1n }]);
    const after = recordMovements(held, [trade(-6n, 300n)]);
    expect(after.entries[0]).toMatchObject({ realised: -300n, held: { base: 0n, cost: 0n } });
  });
});

describe("the balance check", () => {
  const booked = recordMovements(new Map(), [trade(10n, -1_000n), fee(-1n)]).entries;
  const shown = { place: AT.place, subAccount: 0, market: "SOL-PERP" } as const;
  const quote = { ...shown, asset: "USDC", decimals: 6, amount: -1_001n };
  const base = { ...shown, asset: "SOL-PERP", decimals: 9, amount: 10n };

  it("is empty where every account agrees", () => {
    expect(compareBalances(sumEntries(booked), [quote, base])).toEqual([]);
  });

  it("names differences, including balances that only one side has", () => {
    const vault = {
      place: "vault",
      subAccount: 0,
      market: "",
      asset: "USDC",
      decimals: 6,
    } as const;
    const onChain = [
      { ...quote, amount: -1_000n },
      { ...vault, amount: 7n },
    ];
    expect(compareBalances(sumEntries(booked), onChain)).toEqual([
      expect.objectContaining({
        asset: "USDC",
        place: "position",
        booked: -1_001n,
        onChain: -1_000n,
      }),
      expect.objectContaining({ asset: "SOL-PERP", booked: 10n, onChain: 0n }),
      expect.objectContaining({ asset: "USDC", place: "vault", booked: 0n, onChain: 7n }),
    ]);
  });
});
