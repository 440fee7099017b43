import { expect, it } from "vitest";
import { assetName } from "./asset-name.ts";
import { MARKETS } from "./market.ts";

it("every asset an agent can trade has a name", () => {
  const unnamed = MARKETS.filter(({ asset }) => assetName(asset) === asset);
  expect(unnamed).toEqual([]);
  expect(assetName("constructor")).toBe("constructor");
});
