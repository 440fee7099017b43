import { describe, expect, it } from "vitest";
import { buildSimulation, FIRST_BAR_MS, hourlyBars } from "../../test/simulated.ts";
import { type RealTrade, replay } from "./replay.ts";
import { simulate } from "./simulate.ts";

const HOUR_MS = 3_600_000;
const at = (bar: number, laterMs = 2_000) => FIRST_BAR_MS + (bar + 1) * HOUR_MS + laterMs;
const bars = hourlyBars(Array.from({ length: 12 }, () => 100));
const { orders } = simulate(
  buildSimulation(bars, [
    [0, "OPEN_LONG"],
    [1, "OPEN_LONG"],
    [2, "CLOSE_LONG"],
    [4, "OPEN_SHORT"],
    [6, "CLOSE_SHORT"],
  ]),
);
const real = (signal: string, atMs: number, parts: Partial<RealTrade> = {}): RealTrade => ({
  signal,
  atMs,
  hasTraded: true,
  price: 100,
  reason: null,
  ...parts,
});
const span = { fromMs: FIRST_BAR_MS, toMs: FIRST_BAR_MS + 11 * HOUR_MS, intervalMs: HOUR_MS };

describe("replay", () => {
  it("shows where simulation and reality diverge, and by how much", () => {
    const rows = replay(
      orders,
      [
        real("OPEN_LONG", at(0), { price: 101 }),
        real("CLOSE_LONG", at(2, HOUR_MS * 1.5), { price: 99 }),
        real("OPEN_SHORT", at(4), { hasTraded: false, price: null, reason: "stale_price" }),
        real("OPEN_LONG", at(9), { price: 98 }),
      ],
      span,
    );
    expect(rows).toMatchObject([
      { signal: "OPEN_LONG", parting: "together", lateMs: 2_000, realPrice: 101 },
      { signal: "CLOSE_LONG", parting: "late", lateMs: HOUR_MS * 1.5 },
      { signal: "OPEN_SHORT", parting: "refused", reason: "stale_price", realPrice: null },
      { signal: "CLOSE_SHORT", parting: "missing", lateMs: null },
      { signal: "OPEN_LONG", parting: "only_live", simulatedPrice: null, realPrice: 98 },
    ]);
    // Buying at 101 and selling at 99 both have one percent of slippage
    expect(rows[0]?.slippage).toBeCloseTo(0.01, 12);
    expect(rows[1]?.slippage).toBeCloseTo(0.01, 12);
  });

  it("compares nothing with an unclosed bar", () => {
    const rows = replay(
      orders,
      [real("OPEN_LONG", at(9)), real("OPEN_LONG", at(10)), real("OPEN_LONG", at(10, HOUR_MS / 2))],
      { ...span, fromMs: at(8), toMs: at(10) },
    );
    expect(rows.map(({ parting }) => parting)).toEqual(["only_live", "only_live", "not_yet"]);
  });

  it("lists orders that the simulation refused and live trading filled, and nothing earlier", () => {
    const twice = [real("OPEN_LONG", at(0)), real("OPEN_LONG", at(1))];
    expect(replay(orders, twice, { ...span, fromMs: at(0, 60_000) })).toMatchObject([
      { parting: "refused_here", reason: "already_long" },
      { parting: "missing" },
      { parting: "missing" },
      { parting: "missing" },
    ]);
  });
});
