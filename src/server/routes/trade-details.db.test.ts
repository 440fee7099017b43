import { expect, it } from "vitest";
import { useDatabase } from "../../../test/database.ts";
import { useServer } from "../../../test/server.ts";
import { signIn } from "../../../test/wallet.ts";
import { seedObjects } from "../../../test/world.ts";
import { closedPnls } from "../../../test/closed-pnl-model.ts";
import { pendingTrade } from "../../../test/pending-trade.ts";
import { LOG_PAGE } from "../../contract/trade-log.ts";
import { parseAgentId } from "../../domain/ids.ts";
import { lineAmount, tradedSignal } from "../../domain/order/order-states.ts";
import { kindOf } from "../../venues/profiles.ts";
import { insertPending } from "../store/ledger/pending-writes.ts";

/** Longer than what is read of a log at once. */
const PARTS = 250;

type Step = readonly [signal: string, side: string, size: number];

/** Two positions in parts, the second longer than a page; a reversal; a position that the log saw only the end of. */
const STEPS: readonly Step[] = [
  ["CLOSE_LONG", "sell", 5],
  ["OPEN_LONG", "long", 30],
  ["CLOSE_LONG", "sell", 7],
  ["OPEN_SHORT", "sell", 23],
  ["OPEN_SHORT", "short", 2 * PARTS],
  ...Array.from({ length: PARTS }, (): Step => ["CLOSE_SHORT", "buy", 1]),
  ["CLOSE_SHORT", "buy", PARTS],
  ["CLOSE_SHORT", "buy", 1],
  ["OPEN_LONG", "long", 3],
  ["CLOSE_LONG", "sell", 3],
];

const quoteOf = (size: number, at: number): number => 1_000 * size + 13 * at;

const database = useDatabase();
const server = useServer(database);

it("shows the same profit of every closing as the whole log", async () => {
  const wallet = await signIn(server);
  const { agent, chat } = await seedObjects(server, wallet);
  await database.pool.query("delete from trade_log");
  for (const [at, [signal, side, size]] of STEPS.entries()) {
    // Between two trades another market's, which counts for nothing
    for (const market of ["SOL-PERP", "BTC-PERP"]) {
      await database.pool.query(
        `insert into trade_log (id, agent_id, chat_id, market, signal, type, side, status, base_size, base_decimals,
           quote_total, quote_decimals, price, fee, at, signature)
         values (md5($1), $2, $3, $4, $5, 'market', $6, 'success', $7, 9, $8, 6, 140000000, 7, now(), $1)`,
        [`${market}${at}`, agent, chat, market, signal, side, size, quoteOf(size, at)],
      );
      const trade = {
        signal: tradedSignal(signal, side, kindOf(market)),
        baseSize: BigInt(size),
        quoteTotal: BigInt(quoteOf(size, at)),
        fee: 7n,
      };
      const entries = pendingTrade(trade, { signature: `${market}${at}`, market });
      await insertPending(database.db, parseAgentId(agent), entries);
    }
  }
  const { rows } = await database.pool.query<{
    id: string;
    signal: string;
    side: string;
    base_size: string;
    quote_total: string;
  }>("select * from trade_log where market = 'SOL-PERP' order by seq");
  const told = closedPnls(
    rows.map((row) => ({
      signal: tradedSignal(row.signal, row.side, kindOf("SOL-PERP")),
      baseSize: BigInt(row.base_size),
      quoteTotal: BigInt(row.quote_total),
      fee: 7n,
    })),
  );
  expect(told.filter((closed) => closed !== null)).toHaveLength(PARTS + 4);
  const listed = new Map<string, string | undefined>();
  for (let before = ""; ;) {
    const path = `/api/logs/get-all-by-chat-id?chatId=${chat}${before}`;
    const { body } = await server.send("GET", path, { token: wallet.token });
    const page = body as unknown as readonly { readonly _id: string; readonly pnl?: string }[];
    for (const { _id, pnl } of page) listed.set(_id, pnl);
    if (page.length < LOG_PAGE) break;
    before = `&before=${page.at(-1)?._id}`;
  }
  for (const [at, { id }] of rows.entries()) {
    const { body } = await server.send(
      "GET",
      `/api/logs/get-details?chatId=${chat}&entryId=${id}`,
      {
        token: wallet.token,
      },
    );
    const closed = told[at];
    const pnl = closed ? lineAmount(closed.pnl, 6) : undefined;
    expect([body.pnl, listed.get(id)]).toEqual([pnl, pnl]);
  }
});
