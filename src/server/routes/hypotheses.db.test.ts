import { beforeAll, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/database.ts";
import { useServer } from "../../../test/server.ts";
import { signIn, type SignedIn } from "../../../test/wallet.ts";
import { newTestId, seedObjects, type ObjectIds } from "../../../test/world.ts";

describe("Trade log and hypotheses", () => {
  const database = useDatabase();
  const server = useServer(database);
  let wallet: SignedIn;
  let ids: ObjectIds;

  beforeAll(async () => {
    wallet = await signIn(server);
    ids = await seedObjects(server, wallet);
  });

  const create = (logId: string, hypothesis = "Momentum.") =>
    server.send("POST", "/api/hypothesis/create", {
      token: wallet.token,
      body: { logId, hypothesis },
    });

  const copyEntry = async (changes: Record<string, unknown> = {}): Promise<string> => {
    const id = newTestId();
    const columns = ["status", "reason", "price", "fee", "base_size", "quote_total"]
      .map((column) => (column in changes ? `'${changes[column] as string}'` : column))
      .join(", ");
    await database.pool.query(
      `insert into trade_log (id, agent_id, chat_id, market, signal, type, side, status, reason, price, fee,
         base_size, quote_total, base_decimals, quote_decimals, percentage, at)
       select $1, agent_id, chat_id, market, signal, type, side, ${columns}, base_decimals, quote_decimals,
         percentage, at from trade_log where id = $2`,
      [id, ids.tradeLogEntry],
    );
    return id;
  };

  it("shows entries newest first with exact amounts", async () => {
    const failed = await copyEntry({
      status: "failed",
      reason: "already_long",
      base_size: "1",
      quote_total: "9007199254740993",
    });
    const { body } = await server.send("GET", `/api/logs/get-all-by-chat-id?chatId=${ids.chat}`, {
      token: wallet.token,
    });
    expect(body).toEqual([
      expect.objectContaining({
        _id: failed,
        status: "failed",
        reason: "already_long",
        size: "0.000000001",
        total: "9007199254.740993",
      }),
      {
        _id: ids.tradeLogEntry,
        market: "SOL-PERP",
        size: "1.5",
        percentage: "100",
        total: "210",
        type: "market",
        side: "long",
        webhookSignal: "OPEN_LONG",
        timestamps: new Date(server.clock.now()).toISOString(),
        status: "success",
        price: "140",
        fee: "0.105",
      },
    ]);
  });

  it("keeps one hypothesis per entry", async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => create(ids.tradeLogEntry, "line\nbreak")),
    );
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
    expect(answers.filter((answer) => answer.body.code === "hypothesis_exists")).toHaveLength(4);
    const { body } = await server.send("GET", `/api/hypothesis/by-chat-id/${ids.chat}`, {
      token: wallet.token,
    });
    expect(body).toEqual([
      {
        _id: expect.any(String),
        logId: ids.tradeLogEntry,
        hypothesis: "line\nbreak",
        entry: expect.objectContaining({ _id: ids.tradeLogEntry, size: "1.5" }),
      },
    ]);
  });

  it("stops at 20 a day per agent", async () => {
    for (let count = 1; count < 20; count += 1) {
      expect((await create(await copyEntry())).status).toBe(201);
    }
    const one = await copyEntry();
    const refused = await create(one);
    expect([refused.status, refused.body.code]).toEqual([429, "hypothesis_limit_exceeded"]);
    server.clock.advance(24 * 3600_000);
    wallet = await signIn(server, wallet);
    expect((await create(one)).status).toBe(201);
  });

  it("counts the trades without a hypothesis, and returns the oldest", async () => {
    const path = `/api/hypothesis/unexplained/${ids.chat}`;
    const read = async () => (await server.send("GET", path, { token: wallet.token })).body;
    expect(await read()).toEqual({ count: 0 });
    await copyEntry({ status: "failed", reason: "already_long" });
    const older = await copyEntry();
    const newer = await copyEntry();
    expect(await read()).toEqual({ count: 2, oldest: expect.objectContaining({ _id: older }) });
    server.clock.advance(24 * 3600_000);
    wallet = await signIn(server, wallet);
    expect((await create(older)).status).toBe(201);
    expect(await read()).toEqual({ count: 1, oldest: expect.objectContaining({ _id: newer }) });
  });

  it("returns hypotheses in pages, newest trade first, without a gap", async () => {
    await database.pool.query(
      `with copied as (
         insert into trade_log (id, agent_id, chat_id, market, signal, type, side, status, base_decimals,
           quote_decimals, at)
         select md5(n::text), agent_id, chat_id, market, signal, type, side, 'success', base_decimals,
           quote_decimals, at
         from trade_log, generate_series(1, 120) as n where id = $1 returning id, agent_id, chat_id)
       insert into hypotheses (id, trade_log_id, agent_id, chat_id, text, created_at)
       select md5('h' || id), id, agent_id, chat_id, 'why', now() from copied`,
      [ids.tradeLogEntry],
    );
    const path = `/api/hypothesis/by-chat-id/${ids.chat}`;
    const seen: string[] = [];
    const lengths: number[] = [];
    for (let before = ""; ; before = `?before=${seen.at(-1)}`) {
      const { body } = await server.send("GET", `${path}${before}`, { token: wallet.token });
      const page = body as unknown as { _id: string }[];
      lengths.push(page.length);
      seen.push(...page.map(({ _id }) => _id));
      if (page.length < 50) break;
    }
    expect(lengths).toEqual([50, 50, 42]);
    expect(new Set(seen).size).toBe(142);
    const { rows } = await database.pool.query<{ id: string }>(
      `select hypotheses.id from hypotheses join trade_log on trade_log.id = trade_log_id
       order by trade_log.seq desc`,
    );
    expect(seen).toEqual(rows.map(({ id }) => id));
  });
});
