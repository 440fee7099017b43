import { expect, it } from "vitest";
import { createTestClock } from "../../../../test/clock.ts";
import { isEntryPriceUsable, isExitPriceUsable } from "../../../domain/order/risk.ts";
import { PYTH_FEEDS, pythFeedAccount } from "../../../venues/pyth-price.ts";
import { createPriceBoard } from "./price-board.ts";
import { PRICE_DIALECTS } from "../../../venues/price-dialects.ts";
import { createSpotPrices } from "./spot-prices.ts";

const NAMES = ["pyth", "binance", "bybit"] as const;

function openBoard() {
  const clock = createTestClock();
  const board = createPriceBoard(
    NAMES.map((name) => PRICE_DIALECTS[name]),
    clock,
  );
  const prices = createSpotPrices({ bulletin: board.publish }, clock);
  /** What each source says a second later; none says nothing. */
  const say = (...dollars: readonly (number | null)[]) => {
    clock.advance(1_000);
    for (const [at, each] of dollars.entries()) {
      const middle = BigInt(Math.round((each ?? 0) * 1e6));
      const reading = { asset: "SOL", bid: middle, ask: middle, atMs: clock.now() };
      if (each !== null) board.receive(PRICE_DIALECTS[NAMES[at] ?? "pyth"].label, [reading]);
    }
  };
  const use = async () => {
    const price = await prices.price("SOL");
    const nowMs = clock.now();
    return {
      dollars: Number(price.price) / 1e6,
      entry: isEntryPriceUsable(price, nowMs),
      exit: isExitPriceUsable(price, nowMs),
    };
  };
  return { clock, board, prices, say, use };
}

it("one source alone is a price for exits, two are one for entries", async () => {
  const { say, use } = openBoard();
  say(150.1);
  expect(await use()).toEqual({ dollars: 150.1, entry: false, exit: true });
  say(150.1, 150.2);
  expect(await use()).toMatchObject({ entry: true, exit: true });
});

it("while two of three lie by 3 % nothing enters and exits go on", async () => {
  const { say, use } = openBoard();
  say(150, 150, 150);
  expect(await use()).toMatchObject({ entry: true });
  say(150, 154.5, 154.5);
  expect(await use()).toEqual({ dollars: 152.25, entry: false, exit: true });
  say(150, 154.5, 145.5);
  expect(await use()).toEqual({ dollars: 150, entry: false, exit: true });
});

it("two of three that jump tenfold are not believed before ten seconds, by real money either", async () => {
  const { say, use } = openBoard();
  say(150.05, 150.05, 150.05);
  await use();
  for (let seconds = 0; seconds < 9; seconds += 1) {
    say(1_500, 150.1, 1_500.4);
    expect(await use()).toEqual({ dollars: 150.05, entry: false, exit: true });
  }
});

it("without any source exits go on for five minutes and then wait for what it says", async () => {
  const { clock, board, say, use } = openBoard();
  await expect(use()).rejects.toThrow("No price of SOL: its sources give none to go by.");
  say(150, 150, 150);
  await use();
  for (const name of NAMES) board.fail(PRICE_DIALECTS[name].label, "unreachable");
  board.fail("Pyth", "key");
  board.fail("Bybit", "country");
  clock.advance(40_000);
  expect(await use()).toMatchObject({ entry: false, exit: true });
  clock.advance(270_000);
  await expect(use()).rejects.toThrow(
    "No price of SOL: Pyth refused: it wants a key (PYTH_API_KEY); Binance does not answer; Bybit refuses this country.",
  );
});

it("the feeds' accounts are those that Pyth publishes", () => {
  expect(Object.values(PYTH_FEEDS).map(pythFeedAccount)).toEqual([
    "7UVimffxr9ow1uXYxsr4LHAcV58mLzhmwaeKvJ1pjLiE",
    "4cSM2e6rvbGQUFiJbqytoVMi5GgghSMr8LwVrT9VPSPo",
    "42amVS4KgzR9rA28tkVYqVXjq9Qa8dcZQMbH5EYFX6XC",
    "7dbob1psH1iZBS7qPsm3Kwbf5DzSXK8Jyg31CTgTnxH5",
  ]);
});
