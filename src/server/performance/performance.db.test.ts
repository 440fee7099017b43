import { beforeAll, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/database.ts";
import { useFullServer } from "../../../test/full-server.ts";
import { pendingTrade } from "../../../test/pending-trade.ts";
import { seedBook } from "../../../test/seed-book.ts";
import { signIn, type SignedIn } from "../../../test/wallet.ts";
import { seedObjects } from "../../../test/world.ts";
import { formatDecimal } from "../../domain/amount.ts";
import { parseAgentId } from "../../domain/ids.ts";
import { insertPending } from "../store/ledger/pending-writes.ts";

const database = useDatabase();
const server = useFullServer(database);
let wallet: SignedIn;
let agentId: string;

beforeAll(async () => {
  wallet = await signIn(server);
  agentId = (await seedObjects(server, wallet)).agent;
});

const read = (range: string) =>
  server.send("GET", `/api/agents/${agentId}/performance?range=${range}`, { token: wallet.token });

describe("an agent's performance", () => {
  it("is empty, not zero, before anything is booked", async () => {
    const answer = await read("30d");
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      curve: [],
      gaps: [],
      returns: { timeWeighted: null, moneyWeighted: null },
      trades: { known: 0, hitRate: null, exposure: null },
      alertToSent: null,
    });
  });

  it("counts each transaction that is not final yet once, whatever it moved", async () => {
    expect((await read("30d")).body.unbooked).toBe(0);
    const trade = { signal: "OPEN_LONG", baseSize: 1n, quoteTotal: 1n, fee: 1n };
    for (const signature of ["one", "two"]) {
      const entries = pendingTrade(trade, { signature, market: "SOL-PERP" });
      await insertPending(database.db, parseAgentId(agentId), entries, signature === "two");
    }
    expect((await read("30d")).body.unbooked).toBe(2);
    await database.pool.query("delete from pending_entries");
  });

  it("shows the figures of a seeded book, and keeps its gap", async () => {
    const text = (units: bigint) => formatDecimal(units, 6);
    const seeded = await seedBook(database.pool, server.clock.now(), {
      agentId: parseAgentId(agentId),
      owner: wallet.address,
      network: "practice",
      days: 60,
      tradesPerDay: 4,
      gap: [19.95, 18],
    });
    const { body } = await read("all");
    expect(body.money).toMatchObject({
      realised: text(seeded.realised),
      fees: text(seeded.fees),
      funding: "0",
      deposited: "1000",
      unknownClosings: 0,
      unrealised: null,
      slippage: null,
    });
    expect(body.trades).toMatchObject({ known: 240, wins: seeded.wins, losses: seeded.losses });
    expect(body.curve.at(-1).value).toBe(text(seeded.value));
    // One deposit and no other flow: both returns are what became of it
    const grown = Number(seeded.value) / 1e9 - 1;
    expect(body.returns.timeWeighted).toBeCloseTo(grown, 9);
    expect(body.returns.moneyWeighted).toBeCloseTo(grown, 9);
    expect(body.gaps).toHaveLength(1);
    expect(body.curve.some(({ value }: { value: string | null }) => value === null)).toBe(true);
    const whole = body.months.reduce(
      (product: number, { rate }: { rate: number }) => product * (1 + rate),
      1,
    );
    expect(whole - 1).toBeCloseTo(grown, 9);
  });

  it("counts network fees as cost, and shows refundable rent separately", async () => {
    const before = (await read("all")).body.money;
    expect([before.networkCost, before.rent]).toEqual(["0", "0"]);
    await database.pool.query(
      `insert into ledger_entries (agent_id, owner, network, signature, kind, n, place, asset, decimals, amount, slot, at, booked_at)
       select $1, $2, 'practice', 'set-up', kind, 0, place, 'SOL', 9, amount, 1, $3, $3
       from (values ('network_fee', 'platform', -10000), ('rent_paid', 'vault_sol', -40000000),
         ('rent_returned', 'vault_sol', 30000000)) as entry (kind, place, amount)`,
      [agentId, wallet.address, new Date(server.clock.now())],
    );
    const after = (await read("all")).body.money;
    expect([after.networkCost, after.rent]).toEqual(["-0.00001", "-0.01"]);
  });

  it("of a shorter span begins with the value at its start", async () => {
    const { body } = await read("7d");
    expect(body.trades.known).toBe(28);
    expect(body.money.deposited).toBe("0");
    const [first] = body.curve;
    expect(first.growth).toBe(0);
    expect(Date.parse(body.from)).toBe(first.time * 1_000);
    const last = body.curve.at(-1);
    const { timeWeighted } = body.returns;
    expect(Number(last.value) / Number(first.value) - 1).toBeCloseTo(timeWeighted, 9);
  });

  it("contains no other agent and no other span", async () => {
    const stranger = await signIn(server);
    const path = `/api/agents/${agentId}/performance?range=7d`;
    expect((await server.send("GET", path, { token: stranger.token })).status).toBe(404);
    for (const range of ["", "9999"]) expect((await read(range)).status).toBe(422);
    expect((await read("30d&range=7d")).status).toBe(400);
  });
});
