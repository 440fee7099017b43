import { Client } from "pg";
import { expect, it, vi } from "vitest";
import { STORY_AUCTION_SLOTS } from "../../../test/auctions.ts";
import { useTradingWorld } from "../../../test/trading-world.ts";
import { SLOT_MS } from "../../practice/slots.ts";
import { WITHOUT_WAITING } from "../store/postgres/on.ts";

const world = useTradingWorld();

/** Statements of this test, and the beats of a lane, of which a slow machine sees more. */
const NOT_COUNTED = /from "orders"|^\s*update lanes set claimed_until/;

/** Returns the texts of the product's statements while some work is done. */
async function statementsOf(work: () => Promise<unknown>): Promise<readonly string[]> {
  const texts: string[] = [];
  const query = vi.spyOn(Client.prototype, "query");
  try {
    await work();
    for (const [asked] of query.mock.calls) {
      const said: unknown = asked;
      const text = typeof said === "string" ? said : (said as { readonly text: string }).text;
      if (!NOT_COUNTED.test(text)) texts.push(text);
    }
    return texts;
  } finally {
    query.mockRestore();
  }
}

const count = (texts: readonly string[], pattern: RegExp): number =>
  texts.filter((text) => pattern.test(text)).length;

it("are few, and few of them wait for the disk", async () => {
  // Agent and books are remembered from the first order on
  for (const alert of ["long", "close long"] as const) {
    await world.fire(alert);
    await world.run();
    // The same order again in the same slot would be the same transaction
    world.clock.advance(SLOT_MS);
  }
  const texts = await statementsOf(async () => {
    await world.fire("long");
    await world.run();
  });
  expect((await world.story()).at(-1)).toBe("OPEN_LONG filled");
  const changes = texts.filter((text) => /^with (lane|ok) as/.test(text));
  const durable = changes.filter((text) => !text.includes(WITHOUT_WAITING)).length;
  expect({
    all: texts.length,
    durable,
    claims: count(texts, /set fence = floor/),
    signatures: count(texts, /insert into signer.signatures/),
  }).toEqual(
    STORY_AUCTION_SLOTS === 0
      ? { all: 7, durable: 2, claims: 1, signatures: 1 }
      : { all: 10, durable: 3, claims: 1, signatures: 2 },
  );
});
