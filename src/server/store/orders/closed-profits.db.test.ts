import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { agentIdOf } from "../../../../test/ids.ts";
import { createTestDatabase, type TestDatabase } from "../../../../test/database.ts";
import type { LoggedTrade } from "../../../../test/closed-pnl-model.ts";
import { tradeSide, tradeType } from "../../../domain/order/trade-log.ts";
import type { Signal } from "../../../domain/signal.ts";
import { readClosedPnls } from "./closed-profits.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.pool.query("alter table trade_log drop constraint trade_log_agent_id_fkey");
});
beforeEach(() => database.pool.query("delete from trade_log"));
afterAll(() => database.drop());

const trade = (
  signal: string,
  baseSize: bigint,
  quoteTotal: bigint,
  fee: bigint | null = 1n,
): LoggedTrade => ({ signal, baseSize, quoteTotal, fee });

const AGENT = agentIdOf("a");

/** Writes trades to the log and returns the PnL of the last one. */
async function lastPnl(trades: readonly LoggedTrade[]): Promise<bigint | null> {
  for (const [at, { signal, baseSize, quoteTotal, fee }] of trades.entries()) {
    const isMove = signal === "MOVE_ASSET";
    await database.pool.query(
      `insert into trade_log (id, agent_id, chat_id, market, signal, type, side, status, base_size, base_decimals,
         quote_total, quote_decimals, fee, at)
       values ($1, $8, 'chat', 'SOL-PERP', $2, $3, $4, 'success', $5, 9, $6, 6, $7, now())`,
      [
        `${at}`,
        signal,
        isMove ? "transfer" : tradeType(signal as Signal),
        isMove ? "sell" : tradeSide(signal as Signal),
        baseSize,
        quoteTotal,
        fee,
        AGENT,
      ],
    );
  }
  const last = `${trades.length - 1}`;
  return (await readClosedPnls(database.db, AGENT, [last])).get(last)?.pnl ?? null;
}

describe("what a closing earned", () => {
  it.each<[string, readonly LoggedTrade[], bigint | null]>([
    ["a long", [trade("OPEN_LONG", 10n, 1_000n), trade("CLOSE_LONG", 10n, 1_100n)], 98n],
    ["a short", [trade("OPEN_SHORT", 10n, 1_000n), trade("CLOSE_SHORT", 10n, 1_100n)], -102n],
    [
      "the rest after a part",
      [
        trade("OPEN_LONG", 10n, 999n),
        trade("CLOSE_LONG", 4n, 500n, 0n),
        trade("CLOSE_LONG", 6n, 700n, 0n),
      ],
      100n,
    ],
    [
      "the turn's own position, not the one before it",
      [
        trade("OPEN_LONG", 10n, 1_000n, 0n),
        trade("CLOSE_LONG", 10n, 600n, 0n),
        trade("OPEN_SHORT", 6n, 600n, 0n),
        trade("CLOSE_SHORT", 6n, 590n, 0n),
      ],
      10n,
    ],
    [
      "what is left after a part was moved to the wallet",
      [
        trade("OPEN_LONG", 10n, 1_000n, 0n),
        trade("MOVE_ASSET", 5n, 0n, null),
        trade("CLOSE_LONG", 5n, 600n, 0n),
      ],
      100n,
    ],
    ["an opening", [trade("OPEN_LONG", 10n, 1_000n)], null],
    [
      "more than was opened here",
      [trade("OPEN_LONG", 5n, 500n), trade("CLOSE_LONG", 6n, 600n)],
      null,
    ],
    ["the other side", [trade("OPEN_SHORT", 5n, 500n), trade("CLOSE_LONG", 5n, 600n)], null],
    ["what was opened elsewhere", [trade("CLOSE_LONG", 5n, 600n)], null],
    ["without its fee", [trade("OPEN_LONG", 5n, 500n), trade("CLOSE_LONG", 5n, 600n, null)], null],
    [
      "an opening beside a position that was closed elsewhere",
      [
        trade("OPEN_LONG", 10n, 5_000n, 0n),
        trade("OPEN_LONG", 2n, 200n, 0n),
        trade("CLOSE_LONG", 2n, 210n, 0n),
      ],
      10n,
    ],
  ])("%s", async (_, trades, pnl) => {
    expect(await lastPnl(trades)).toBe(pnl);
  });
});
