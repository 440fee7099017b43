import { afterEach, describe, expect, it } from "vitest";
import { createTradingWorld, type TradingWorld } from "../../../test/trading-world.ts";
import { tradeDetails } from "../../contract/trade-log.ts";
import { parseDecimal } from "../../domain/amount.ts";
import { tradeLogHandlers } from "./trade-log.ts";

let world: TradingWorld;
afterEach(() => world.database.drop());

/** The details of every entry of the agent's log, oldest first, as the wire gives them. */
async function allDetails() {
  const { db } = world.database;
  const handlers = tradeLogHandlers({ db });
  const entries = await db
    .selectFrom("trade_log")
    .select(["id", "chat_id"])
    .orderBy("seq")
    .execute();
  const answers: unknown[] = [];
  for (const { id, chat_id: chatId } of entries) {
    const request = { query: { chatId, entryId: id } } as Parameters<
      typeof handlers.getTradeDetails
    >[0];
    answers.push(await handlers.getTradeDetails(request));
  }
  return answers.map((answer) => tradeDetails.parse(answer));
}

async function trade(alert: Parameters<TradingWorld["fire"]>[0]): Promise<void> {
  await world.fire(alert);
  world.clock.advance(1_500);
  await world.run();
}

/** Decimal text as quote base units; none is a gain of none. */
function units(text = "0"): bigint {
  const size = parseDecimal(text.replace("-", ""), 6) ?? 0n;
  return text.startsWith("-") ? -size : size;
}

const gainOf = async () => (await world.account()).portfolioValue - 500_000_000n;

describe("the details of a trade", () => {
  it.each(["drift", "jupiter"] as const)(
    "on %s show exact profit, slippage and duration",
    async (venue) => {
      world = await createTradingWorld(venue, { auctionSlots: 0 });
      await trade("long");
      world.setPrice(170_000_000n);
      await trade("close long");
      const [opened, closed] = await allDetails();
      expect(opened).toMatchObject({ marketPrice: "155", fillMs: 1_500 });
      expect(opened?.pnl).toBeUndefined();
      expect(closed).toMatchObject({ marketPrice: "170", fillMs: 1_500 });
      expect(units(closed?.pnl)).toBe(await gainOf());
      for (const { slippage } of [opened, closed].flatMap((each) => each ?? [])) {
        const hundredths = parseDecimal(slippage?.replace("-", "") ?? "", 2);
        expect(hundredths !== null && hundredths <= 50n, slippage).toBe(true);
      }
    },
  );

  it("of a reversed position show its own gain, not the loss of the previous one", async () => {
    world = await createTradingWorld();
    await trade("long");
    world.setPrice(150_000_000n);
    await trade("short");
    const lost = units((await allDetails())[1]?.pnl);
    expect(lost < 0n).toBe(true);
    world.setPrice(140_000_000n);
    await trade("close short");
    const last = (await allDetails()).at(-1);
    const won = units(last?.pnl);
    expect(won > 0n).toBe(true);
    expect(lost + won).toBe(await gainOf());
    expect(last?.pnlPercent).toMatch(/^[56]\.\d\d$/);
  });

  it("are empty for an order that was never filled", async () => {
    world = await createTradingWorld();
    await trade("close long");
    const [denied] = await allDetails();
    expect(Object.keys(denied ?? {})).toEqual(["alertAt"]);
  });
});
