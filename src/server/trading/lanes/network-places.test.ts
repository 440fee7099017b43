import { expect, it } from "vitest";
import { createPlaces } from "./network-places.ts";

it("places of a network are given in order, and one network's do not take another's", async () => {
  const enter = createPlaces(2);
  const leave = [await enter("mainnet"), await enter("mainnet")];
  const entered: string[] = [];
  const third = enter("mainnet").then((back) => (entered.push("third"), back));
  const fourth = enter("mainnet").then((back) => (entered.push("fourth"), back));
  const other = await enter("practice");
  expect(entered).toEqual([]);
  leave[0]?.();
  leave[0]?.();
  const backOfThird = await third;
  expect(entered).toEqual(["third"]);
  backOfThird();
  (await fourth)();
  expect(entered).toEqual(["third", "fourth"]);
  other();
  leave[1]?.();
  await Promise.all([enter("mainnet"), enter("mainnet")]);
});
