import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { agentIdOf } from "../../../../test/ids.ts";
import { useDatabase } from "../../../../test/database.ts";
import type { LoggedTrade } from "../../../../test/closed-pnl-model.ts";
import { tradeSide, tradeType } from "../../../domain/order/order-states.ts";
import type { Signal } from "../../../domain/signal.ts";
import { pendingTrade } from "../../../../test/pending-trade.ts";
import { insertPending } from "../ledger/pending-writes.ts";
import { readClosedPnls } from "./closed-profits.ts";

const database = useDatabase();

beforeAll(async () => {
  await database.pool.query("alter table trade_log drop constraint trade_log_agent_id_fkey");
  await database.pool.query(
    "alter table pending_entries drop constraint pending_entries_agent_id_fkey",
  );
});
beforeEach(() => database.pool.query("delete from trade_log; delete from pending_entries"));
const trade = (signal: string, baseSize: bigint, quoteTotal: bigint, fee = 1n): LoggedTrade => ({
  signal,
  baseSize,
  quoteTotal,
  fee,
});

const AGENT = agentIdOf("a");

/** Writes trades to log and book and returns the PnL of the last one. */
async function lastPnl(trades: readonly LoggedTrade[]): Promise<bigint | null> {
  for (const [at, { signal, baseSize, quoteTotal, fee }] of trades.entries()) {
    const isMove = signal === "MOVE_ASSET";
    await database.pool.query(
      `insert into trade_log (id, agent_id, chat_id, market, signal, type, side, status, base_size, base_decimals,
         quote_total, quote_decimals, fee, signature, at)
       values ($1, $8, 'chat', 'SOL-PERP', $2, $3, $4, 'success', $5, 9, $6, 6, $7, 's' || $1, now())`,
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
    await insertPending(
      database.db,
      AGENT,
      pendingTrade(
        { signal, baseSize, quoteTotal, fee },
        { signature: `s${at}`, market: "SOL-PERP" },
      ),
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
      // The first part took 399 of what was paid and nothing of the fee: both are cut to whole units
      99n,
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
        trade("MOVE_ASSET", 5n, 0n, 0n),
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
