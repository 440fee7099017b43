import { beforeAll, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/database.ts";
import { useServer } from "../../../test/server.ts";
import { signIn, type SignedIn } from "../../../test/wallet.ts";
import { type ObjectIds, seedObjects } from "../../../test/world.ts";

const TRADES = 10_000;
const FAILED = 300;

interface Line {
  readonly _id: string;
  readonly status: string;
}

describe("A log of ten thousand trades", () => {
  const database = useDatabase();
  const server = useServer(database);
  let wallet: SignedIn;
  let ids: ObjectIds;

  beforeAll(async () => {
    wallet = await signIn(server);
    ids = await seedObjects(server, wallet);
    await database.pool.query("delete from trade_log");
    await database.pool.query(
      `insert into trade_log (id, agent_id, chat_id, market, signal, type, side, status, reason, base_size,
         base_decimals, quote_total, quote_decimals, at)
       select md5(n::text), $1, $2, case when n = 7 then '=SUM(A1),"x"' else 'SOL-PERP' end, 'OPEN_LONG', 'market',
         'long', case when n % 34 = 0 and n <= 34 * $4 then 'failed' else 'success' end,
         case when n % 34 = 0 and n <= 34 * $4 then 'expired' end, n, 9, n, 6, now()
       from generate_series(1, $3::int + $4::int) as n`,
      [ids.agent, ids.chat, TRADES, FAILED],
    );
  });

  const get = (path: string) => server.send("GET", path, { token: wallet.token });

  const readAll = async (filter = "") => {
    const lines: Line[] = [];
    const pages: number[] = [];
    for (let before = ""; ; before = `&before=${lines.at(-1)?._id}`) {
      const { body } = await get(
        `/api/logs/get-all-by-chat-id?chatId=${ids.chat}${filter}${before}`,
      );
      const page = body as unknown as Line[];
      pages.push(page.length);
      lines.push(...page);
      if (page.length < 200) return { lines, pages };
    }
  };

  const expected = async (condition = "true") => {
    const { rows } = await database.pool.query<{ id: string }>(
      `select id from trade_log where chat_id = $1 and ${condition} order by seq desc`,
      [ids.chat],
    );
    return rows.map(({ id }) => id);
  };

  it.each([
    ["", "true", 52],
    ["&filter=trades", "status <> 'failed'", 51],
    ["&filter=attention", "status = 'failed'", 2],
  ])(
    "is returned in pages of 200, newest first, complete (%s)",
    async (filter, condition, count) => {
      const { lines, pages } = await readAll(filter);
      expect(lines.map(({ _id }) => _id)).toEqual(await expected(condition));
      expect(pages).toHaveLength(count);
      expect(Math.max(...pages)).toBe(200);
    },
  );

  it("is counted completely", async () => {
    const { body } = await get(`/api/logs/counts?chatId=${ids.chat}`);
    expect(body).toEqual({ trades: TRADES, attention: FAILED });
  });

  it("fills the inbox with the newest 50 that ended, of no other wallet", async () => {
    await database.pool.query(
      `insert into trade_log (id, agent_id, chat_id, market, signal, type, side, status, at)
       values (md5('waiting'), $1, $2, 'SOL-PERP', 'OPEN_LONG', 'market', 'long', 'pending', now() + interval '1 hour')`,
      [ids.agent, ids.chat],
    );
    const { body } = await get("/api/logs/inbox");
    await database.pool.query("delete from trade_log where id = md5('waiting')");
    const items = body as unknown as { chatId: string; botId: string; entry: Line }[];
    expect(items.map(({ entry }) => entry._id)).toEqual((await expected()).slice(0, 50));
    expect(items[0]).toMatchObject({ chatId: ids.chat, botId: ids.agent });
    const other = await signIn(server);
    await seedObjects(server, other);
    const seen = await server.send("GET", "/api/logs/inbox", { token: other.token });
    const others = seen.body as unknown as { chatId: string }[];
    expect(others.filter(({ chatId }) => chatId === ids.chat)).toEqual([]);
  });

  it("refuses a page after an unknown entry instead of returning an empty one", async () => {
    const path = `/api/logs/get-all-by-chat-id?chatId=${ids.chat}&before=${"f".repeat(32)}`;
    expect((await get(path)).status).toBe(404);
  });

  it("is exported as one complete, exact file without formulas", async () => {
    const file = await server.app.inject({
      url: `/api/logs/export?chatId=${ids.chat}&filter=trades`,
      headers: { authorization: `Bearer ${wallet.token}` },
    });
    expect(file.headers["content-type"]).toBe("text/csv; charset=utf-8");
    const [head, ...lines] = file.payload.trimEnd().split("\r\n");
    expect(head).toBe(
      "Date,Market,Signal,Side,Type,Size,Percentage,Total,Price,Fee,Status,Reason,Signature,Plan",
    );
    expect(lines).toHaveLength(TRADES);
    expect(lines.at(-7)).toMatch(
      /^[^,]+Z,"'=SUM\(A1\),""x""",OPEN_LONG,long,market,0\.000000007,0,0\.000007,,,success,,,$/,
    );
    const failed = await server.app.inject({
      url: `/api/logs/export?chatId=${ids.chat}&filter=attention`,
      headers: { authorization: `Bearer ${wallet.token}` },
    });
    expect(failed.payload.split("\r\n")[1]).toContain(
      "failed,The order did not reach the chain in time. Nothing was traded.,",
    );
  });
});
