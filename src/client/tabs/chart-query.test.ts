import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CHART_KINDS, readChartSettings } from "../features/chart/chart-settings.ts";
import { COMPARISON_ASSETS } from "../features/chart/comparison.ts";
import { TIMEFRAME_IDS } from "../features/chart/timeframe.ts";
import { addChartQuery, readChartQuery } from "./tab-state.ts";

const settings = fc.record({
  timeframe: fc.constantFrom(...TIMEFRAME_IDS),
  kind: fc.constantFrom(...CHART_KINDS),
  comparisons: fc.uniqueArray(fc.constantFrom(...COMPARISON_ASSETS)),
});

describe("a chart's settings in the address", () => {
  it("survive a round trip, and defaults are left out", () => {
    fc.assert(
      fc.property(settings, (written) => {
        const query = new URLSearchParams();
        addChartQuery(query, written);
        const initial = readChartSettings({});
        const isInitial =
          written.timeframe === initial.timeframe &&
          written.kind === initial.kind &&
          written.comparisons.length === 0;
        expect(readChartQuery(`?${query.toString()}`)).toEqual(isInitial ? null : written);
      }),
    );
  });

  it("fall back to the default where the address is invalid", () => {
    const [asset] = COMPARISON_ASSETS;
    expect(
      readChartQuery(`?tab=charts&timeframe=9y&kind=pie&compare=${asset},NOPE,${asset}`),
    ).toEqual({ ...readChartSettings({}), comparisons: [asset] });
    expect(readChartQuery("?tab=charts")).toBeNull();
  });
});
