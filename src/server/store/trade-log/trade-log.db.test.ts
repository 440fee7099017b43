import { expect, it } from "vitest";
import { chatIdOf } from "../../../../test/ids.ts";
import { useDatabase } from "../../../../test/database.ts";
import { showEntry } from "../../routes/log-entry.ts";
import { listTradeLogOf, type LogFilter } from "./trade-log.ts";

const database = useDatabase();

const CHAT = chatIdOf("c");
const ODD = chatIdOf("0");

/** Adds lines whose ids tell their status and number. */
const addLines = (status: "success" | "failed", first: number, last: number) =>
  database.pool.query(
    `insert into trade_log
      (id, agent_id, chat_id, market, signal, type, side, status, base_decimals, quote_decimals, at)
    select $1 || ' ' || number, 'agent', $4, 'SOL-PERP', 'OPEN_LONG', 'market', 'long', $1, 9, 6, now()
    from generate_series($2::int, $3::int) as number`,
    [status, first, last, CHAT],
  );

it("finds trades behind any number of failed entries", async () => {
  await database.pool.query("alter table trade_log drop constraint trade_log_agent_id_fkey");
  await addLines("success", 1, 3);
  await addLines("failed", 1, 1_005);
  await addLines("success", 4, 4);
  const list = async (filter: LogFilter, before: string | null = null) =>
    listTradeLogOf(database.db, { chatId: CHAT, filter, before, limit: 3 });
  const ids = async (rows: ReturnType<typeof list>) => (await rows).map(({ id }) => id);
  expect(await ids(list("all"))).toEqual(["success 4", "failed 1005", "failed 1004"]);
  const trades = await list("trades");
  expect(await ids(Promise.resolve(trades))).toEqual(["success 4", "success 3", "success 2"]);
  expect(await ids(list("trades", trades.at(-1)?.seq ?? null))).toEqual(["success 1"]);
});

it("stores no amount for a line with unknown decimals", async () => {
  await database.pool.query(
    "alter table trade_log drop constraint if exists trade_log_agent_id_fkey",
  );
  const add = (id: string, size: number) =>
    database.pool.query(
      `insert into trade_log (id, agent_id, chat_id, market, signal, type, side, status, base_size, at)
       values ($1, 'agent', $3, 'GONE-PERP', 'OPEN_LONG', 'market', 'long', 'failed', $2, now())`,
      [id, size, ODD],
    );
  await expect(add("traded", 1)).rejects.toMatchObject({ constraint: "trade_log_known_scales" });
  await add("denied", 0);
  const newest = { chatId: ODD, filter: "all", before: null, limit: 1 } as const;
  const [line] = await listTradeLogOf(database.db, newest);
  if (line === undefined) throw new Error("No line");
  expect(showEntry(line)).toMatchObject({ market: "GONE-PERP", size: "0", total: "0" });
});
