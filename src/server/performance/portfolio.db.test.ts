import { beforeAll, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/database.ts";
import { useFullServer } from "../../../test/full-server.ts";
import { seedBookedAgents, type SeededBook } from "../../../test/seed-book.ts";
import { signIn, type SignedIn } from "../../../test/wallet.ts";
import { formatDecimal } from "../../domain/amount.ts";
import { parseAgentId } from "../../domain/ids.ts";
import type { PendingEntry } from "../../domain/ledger/entry.ts";
import { insertPending } from "../store/ledger/pending-writes.ts";

const DAY_MS = 86_400_000;

const database = useDatabase();
const server = useFullServer(database);
let wallet: SignedIn;
let seeded: readonly SeededBook[];

const read = async (range = "30d", who = wallet) =>
  server.send("GET", `/api/wallets/${wallet.address}/portfolio?range=${range}`, {
    token: who.token,
  });

const shown = async (range = "30d") => {
  const answer = await read(range);
  expect(answer.status).toBe(200);
  return answer.body.networks.find(({ network }: { network: string }) => network === "practice");
};

const text = (units: bigint) => formatDecimal(units, 6);
const sumOf = (pick: (book: SeededBook) => bigint) =>
  seeded.reduce((sum, book) => sum + pick(book), 0n);

beforeAll(async () => {
  wallet = await signIn(server);
});

describe("a wallet's portfolio", () => {
  it("is empty for a wallet without agents", async () => {
    expect(await shown()).toMatchObject({
      agents: [],
      curve: [],
      flows: [],
      exposure: [],
      total: "0",
    });
  });

  it("adds up what its agents' books say", async () => {
    const { network } = { network: "practice" } as const;
    seeded = await seedBookedAgents(database.pool, server.clock.now(), {
      owner: wallet.address,
      network,
      count: 3,
      days: 40,
      tradesPerDay: 3,
    });
    const portfolio = await shown("all");
    const total = sumOf(({ value }) => value);
    const paidIn = 3_000_000_000n;
    expect(portfolio.total).toBe(text(total));
    // None of them is on the chain: every worth is the last one recorded, and said to be
    expect(portfolio.unread).toBe(3);
    expect(portfolio.made.all).toEqual({
      amount: text(total - paidIn),
      share: expect.closeTo(Number(total - paidIn) / Number(paidIn), 9),
    });
    const last = portfolio.curve.at(-1);
    expect([last.value, last.paidIn]).toEqual([text(total), text(paidIn)]);
    expect(portfolio.agents).toHaveLength(3);
    const shares = portfolio.agents.map(({ share }: { share: number }) => share);
    expect(shares.reduce((sum: number, share: number) => sum + share, 0)).toBeCloseTo(1, 9);
    const growths = portfolio.agents.map(({ spark }: { spark: number[] }) => spark.at(-1));
    seeded.forEach(({ value }, at) => {
      expect(growths[at]).toBeCloseTo(Number(value) / 1e9 - 1, 9);
    });
    expect(portfolio.flows).toHaveLength(3);
    expect(portfolio.flows[0]).toMatchObject({ kind: "deposit", amount: "1000", asset: "USDC" });
  });

  it("shows pending entries beside the figures, which exclude them", async () => {
    const before = await shown();
    expect([before.pending, before.pendingCount]).toEqual([[], 0]);
    const { rows } = await database.pool.query<{ id: string }>("select id from agents limit 1");
    const account = { place: "vault", subAccount: 0, market: "", asset: "USDC" } as const;
    const pending = Array.from({ length: 21 }, (_, index): PendingEntry => ({
      ...account,
      kind: "trade",
      decimals: 6,
      amount: -310_000_001n,
      base: { marketId: "SOL", decimals: 9, amount: 2_000_000_001n },
      effect: null,
      signature: "s",
      slot: 1n,
      index,
      atMs: Date.UTC(2026, 10, 22) - index,
    }));
    await insertPending(database.db, parseAgentId(rows[0]?.id ?? ""), pending, true);
    const after = await shown();
    expect(after.pendingCount).toBe(21);
    expect(after.pending).toHaveLength(20);
    expect(after.pending.at(-1)).toMatchObject({
      kind: "trade",
      amount: "-310.000001",
      base: { asset: "SOL", amount: "2.000000001" },
      at: "2026-11-21T23:59:59.999Z",
    });
    expect([after.total, after.made, after.curve]).toEqual([
      before.total,
      before.made,
      before.curve,
    ]);
    await database.pool.query("delete from pending_entries");
  });

  it("does not count today's deposits as profit", async () => {
    const before = await shown();
    const { rows } = await database.pool.query(
      "select agent_id, value::text, net_flow::text from equity_points order by at desc, seq desc limit 1",
    );
    const [point] = rows;
    await database.pool.query(
      `insert into equity_points (agent_id, owner, network, at, slot, cause, value, asset, decimals, net_flow, market, price,
         entry_seq)
       values ($1, $2, 'practice', $3, 1, 'flow', $4, 'USDC', 6, $5, 'SOL-PERP', 1, 1)`,
      [
        point.agent_id,
        wallet.address,
        new Date(server.clock.now()),
        (BigInt(point.value) + 250_000_000n).toString(),
        (BigInt(point.net_flow) + 250_000_000n).toString(),
      ],
    );
    const after = await shown();
    expect(Number(after.total) - Number(before.total)).toBeCloseTo(250, 6);
    for (const span of ["today", "week", "month", "all"]) {
      expect(after.made[span].amount).toBe(before.made[span].amount);
    }
  });

  it("keeps a deleted agent's result in every sum and in the table", async () => {
    const before = await shown("all");
    const [gone] = before.agents;
    const answer = await server.send("DELETE", `/api/agents/delete-agent/${gone.botId}/complete`, {
      token: wallet.token,
    });
    expect(answer.status).toBe(204);
    const after = await shown("all");
    expect(after.made).toEqual(before.made);
    expect(after.curve.slice(0, -1)).toEqual(before.curve.slice(0, -1));
    // What it held last was paid out as it was deleted
    const [{ value, paidIn }, end] = [before.curve.at(-1), after.curve.at(-1)];
    expect(Number(value) - Number(end.value)).toBeCloseTo(Number(gone.value), 6);
    expect(Number(end.value) - Number(end.paidIn)).toBeCloseTo(Number(value) - Number(paidIn), 6);
    expect(after.total).toBe(end.value);
    expect(after.flows).toEqual(before.flows);
    expect(after.agents.map(({ botId }: { botId: string }) => botId)).not.toContain(gone.botId);
    expect(after.deleted).toEqual([
      {
        botId: gone.botId,
        agentName: gone.agentName,
        assetPair: gone.assetPair,
        deletedAt: new Date(server.clock.now()).toISOString(),
        all: expect.objectContaining({
          amount: text((seeded[0]?.value ?? 0n) - 1_000_000_000n),
        }),
        today: gone.today,
        drawdown: gone.drawdown,
        spark: gone.spark,
      },
    ]);
  });

  it("reports unknown figures while a position is open without a recorded point", async () => {
    const atMs = server.clock.now();
    await database.pool.query(
      `insert into ledger_entries (agent_id, owner, network, signature, kind, n, place, asset, decimals, amount, market,
         base_market, base_decimals, base_amount, held_base, held_cost, slot, at, booked_at)
       select id, owner, network, 'still-open', 'trade', 0, 'exchange', 'USDC', 6, -1, 'SOL-PERP', 'SOL-PERP', 9, 1, 1, 0, 1,
         $1, $1 from agents order by id limit 1`,
      [new Date(atMs)],
    );
    server.clock.advance(3 * 3_600_000);
    wallet = await signIn(server, wallet);
    const portfolio = await shown();
    expect(portfolio.made).toEqual({ today: null, week: null, month: null, all: null });
    expect(portfolio.curve.at(-1)).toMatchObject({ value: null, paidIn: null });
    expect(portfolio.curve.at(-3).value).not.toBeNull();
    expect(Math.floor((atMs - portfolio.curve[0].time * 1_000) / DAY_MS)).toBe(29);
  });

  it("knows what was done once when every agent is deleted", async () => {
    const path = `/api/wallets/${wallet.address}/first-steps`;
    const steps = async (who = wallet) =>
      (await server.send("GET", path, { token: who.token })).body;
    const begun = { hasMadeAgent: true, hasDeposited: true, hasHeard: true };
    expect(await steps()).toEqual(begun);
    for (const { botId } of (await shown()).agents) {
      const gone = `/api/agents/delete-agent/${botId}/complete`;
      expect((await server.send("DELETE", gone, { token: wallet.token })).status).toBe(204);
    }
    const after = await shown();
    expect([after.agents, after.deleted.length]).toEqual([[], 3]);
    expect(await steps()).toEqual(begun);
    const stranger = await signIn(server);
    expect((await server.send("GET", path, { token: stranger.token })).status).toBe(403);
    const own = `/api/wallets/${stranger.address}/first-steps`;
    expect((await server.send("GET", own, { token: stranger.token })).body).toEqual({
      hasMadeAgent: false,
      hasDeposited: false,
      hasHeard: false,
    });
  });

  it("contains no other wallet's agents", async () => {
    const stranger = await signIn(server);
    expect((await read("30d", stranger)).status).toBe(403);
    expect((await read("9999")).status).toBe(422);
  });
});
