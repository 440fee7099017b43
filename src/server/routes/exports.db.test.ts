import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { beforeAll, describe, expect, it } from "vitest";
import { agentIdOf } from "../../../test/ids.ts";
import { type AgentId, parseAgentId, parseOwner } from "../../domain/ids.ts";
import { useDatabase } from "../../../test/database.ts";
import { useServer } from "../../../test/server.ts";
import { signIn, type SignedIn } from "../../../test/wallet.ts";
import { type ObjectIds, seedObjects } from "../../../test/world.ts";
import type { BookedEntry } from "../../domain/ledger/entry.ts";
import { insertEntries } from "../store/ledger/ledger-writes.ts";
import { writeExport } from "../ledger/export/write-export.ts";

const AT = Date.UTC(2026, 10, 21, 8);
const DAY_MS = 86_400_000;

const database = useDatabase();
const server = useServer(database);
let owner: SignedIn;
let ids: ObjectIds;

const position = { place: "position", subAccount: 0, market: "SOL-PERP" } as const;
const usdc = { asset: "USDC", decimals: 6 } as const;
const at = (signature: string, day: number) => ({
  signature,
  slot: BigInt(day),
  atMs: AT + day * DAY_MS,
  index: 0,
  realised: null,
  realisedFees: null,
});

const ENTRIES: readonly BookedEntry[] = [
  {
    ...at("s1", 0),
    ...usdc,
    kind: "deposit",
    place: "exchange",
    subAccount: 0,
    market: "",
    amount: 500_000_001n,
  },
  {
    ...at("s2", 1),
    ...position,
    ...usdc,
    kind: "trade",
    amount: -310_000_000n,
    base: { marketId: "SOL-PERP", decimals: 9, amount: 2_000_000_000n },
  },
  { ...at("s2", 1), ...position, ...usdc, kind: "fee", amount: -310_001n },
  {
    ...at("s3", 2),
    ...position,
    ...usdc,
    kind: "trade",
    amount: 299_999_999n,
    base: { marketId: "SOL-PERP", decimals: 9, amount: -2_000_000_000n },
    realised: -10_000_001n,
  },
  { ...at("s3", 2), ...position, ...usdc, kind: "fee", amount: -300_000n },
  { ...at("s3", 2), ...position, ...usdc, kind: "funding", amount: -7n },
];

beforeAll(async () => {
  owner = await signIn(server);
  ids = await seedObjects(server, owner);
  await database.db
    .updateTable("agents")
    .set({ name: "=HYPERLINK(1)" })
    .where("id", "=", ids.agent)
    .execute();
  const agent = {
    agentId: parseAgentId(ids.agent),
    owner: parseOwner(owner.address),
    network: "practice",
  } as const;
  await insertEntries(database.db, agent, ENTRIES, AT);
  // The same transactions once more change nothing
  await insertEntries(database.db, agent, ENTRIES, AT);
});

const file = (query: string, of = `agent?agentId=${ids.agent}`) =>
  server.send("GET", `/api/export/${of}&${query}`, { token: owner.token });

const lines = (text: string): readonly (readonly string[])[] =>
  text
    .trimEnd()
    .split("\r\n")
    .map((line) => line.split(","));

describe("an exported file", () => {
  it("contains the trades with exact fees, and formulas as text", async () => {
    const answer = await file("what=trades&format=csv");
    expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(answer.headers.get("content-disposition")).toContain("wheelhouse-trades-complete-until");
    const [head = [], ...rows] = lines(answer.text);
    const column = (name: string) => rows.map((row) => row[head.indexOf(name)]);
    expect(column("agent")).toEqual(["'=HYPERLINK(1)", "'=HYPERLINK(1)"]);
    expect(head.at(-1)).toMatch(/average cost; before fees and funding.*fee: .*positive when paid/);
    expect(rows.map((row) => row.length)).toEqual([head.length, head.length]);
    expect(column("side")).toEqual(["buy", "sell"]);
    expect(column("price")).toEqual(["155", "149.9999995"]);
    expect(column("fee")).toEqual(["0.310001", "0.3"]);
    expect(column("realised_pnl")).toEqual(["", "-10.000001"]);
  });

  it("adds up to the book in every format", async () => {
    const csv = lines((await file("what=ledger&format=csv")).text);
    const json = (await file("what=ledger&format=json")).body as readonly Record<string, string>[];
    const amounts = csv.slice(1).map((row) => row[csv[0]?.indexOf("amount") ?? -1] ?? "");
    expect(amounts).toEqual(["500.000001", "-310", "-0.310001", "299.999999", "-0.3", "-0.000007"]);
    expect(json.map(({ amount }) => amount)).toEqual(amounts);
    const koinly = lines((await file("what=ledger&format=koinly")).text);
    expect(koinly[0]?.join(",")).toBe(
      "Date,Sent Amount,Sent Currency,Received Amount,Received Currency,Fee Amount,Fee Currency,Net Worth Amount,Net Worth Currency,Label,Description,TxHash",
    );
    expect(koinly.slice(1).map((row) => [row[1], row[3], row[9]])).toEqual([
      ["", "500.000001", ""],
      ["0.310001", "", "margin fee"],
      ["10.000001", "", "realized gain"],
      ["0.3", "", "margin fee"],
      ["0.000007", "", "realized gain"],
    ]);
    expect(koinly[1]?.[0]).toBe("2026-11-21 08:00:00 UTC");
  });

  it("assigns each trade its own fees when two agents traded in one block", async () => {
    const [bought, fee] = [ENTRIES[1], ENTRIES[2]];
    if (bought === undefined || fee === undefined) throw new Error("No trade to book");
    const one = agentIdOf("1");
    const other = agentIdOf("2");
    const two = parseOwner("5E9rRCLgieqMgY1vyKfvRNSGHf9ovvKakHmUG8PCFCSn");
    const book = (agentId: AgentId, entry: BookedEntry) =>
      insertEntries(
        database.db,
        { agentId, owner: two, network: "practice" },
        [{ ...entry, signature: `of ${agentId}` }],
        AT,
      );
    for (const entry of [bought, fee, { ...bought, index: 1 }, { ...fee, index: 1 }]) {
      await book(one, entry);
      await book(other, entry);
    }
    const parts = writeExport(database.db, {
      what: "trades",
      format: "json",
      owner: { owner: two, network: "practice" },
      range: { fromMs: 0, toMs: Date.UTC(2100, 0, 1) },
      names: new Map(),
    });
    let text = "";
    for await (const part of parts) text += part;
    const trades = JSON.parse(text) as readonly Record<string, string>[];
    expect(trades.map(({ agent_id, size, fee }) => [agent_id, size, fee])).toEqual([
      [one, "4", "0.620002"],
      [other, "4", "0.620002"],
    ]);
  });

  it("covers the requested range, and a wallet's deleted agents", async () => {
    const range = "from=2026-11-22T00:00:00Z&to=2026-11-23T00:00:00Z";
    expect((await file(`what=trades&format=json&${range}`)).body).toHaveLength(1);
    const wallet = `wallet?pubkey=${owner.address}&network=practice`;
    expect((await file("what=ledger&format=json", wallet)).body).toHaveLength(ENTRIES.length);
    const elsewhere = `wallet?pubkey=${owner.address}&network=mainnet`;
    expect((await file("what=equity&format=json", elsewhere)).body).toEqual([]);
  });

  it("says until when it is complete, given the agent furthest behind", async () => {
    const wallet = `wallet?pubkey=${owner.address}&network=practice`;
    const untilOf = async (query: string, of?: string) => {
      const { headers } = await file(query, of);
      return [headers.get("complete-until"), headers.get("content-disposition")];
    };
    const balanced = async (at: string | null) => {
      await database.pool.query(
        `insert into ledger_marks (agent_id, slot, content, searched_at, balanced_at)
         values ($1, 9, '', '2026-11-25T00:00:00Z', $2)
         on conflict (agent_id) do update set balanced_at = $2`,
        [ids.agent, at],
      );
    };
    await balanced("2026-11-20T09:10:11.500Z");
    expect(await untilOf("what=ledger&format=csv", wallet)).toEqual([
      "2026-11-20T09:10:11.500Z",
      'attachment; filename="wheelhouse-ledger-complete-until-2026-11-20T091011Z.csv"',
    ]);
    const range = "to=2026-11-19T00:00:00Z";
    expect((await untilOf(`what=equity&format=json&${range}`))[0]).toBe("2026-11-19T00:00:00.000Z");
    // Never right so far: complete only until the agent was created
    await balanced(null);
    const { rows } = await database.pool.query("select created_at from agents where id = $1", [
      ids.agent,
    ]);
    expect((await untilOf("what=trades&format=csv"))[0]).toBe(rows[0].created_at.toISOString());
    await database.pool.query("delete from ledger_marks");
  });

  it("is refused in Koinly's format for anything but the ledger", async () => {
    const answer = await file("what=trades&format=koinly");
    expect([answer.status, answer.body.fields]).toEqual([
      422,
      { format: "Koinly's columns are for the ledger only." },
    ]);
  });
});

describe("trades as pages", () => {
  const page = async (query: string) => {
    const path = `/api/trades/agent?agentId=${ids.agent}&${query}`;
    return server.send("GET", path, { token: owner.token });
  };

  it("are those of the file, one page after the other", async () => {
    const first = await page("limit=1");
    expect(first.body).toEqual({
      trades: [
        {
          agentId: ids.agent,
          at: "2026-11-22T08:00:00.000Z",
          market: "SOL-PERP",
          side: "buy",
          size: "2",
          price: "155",
          total: "310",
          asset: "USDC",
          fee: "0.310001",
          signature: "s2",
          slot: "1",
        },
      ],
      next: "2026-11-23T08:00:00.000Z",
    });
    const { body } = await page(`limit=1&from=${first.body.next}`);
    expect(body.trades).toMatchObject([{ side: "sell", realised: "-10.000001" }]);
    expect(body.next).toBeUndefined();
  });

  it("begin and end at dates, which are their first moment in UTC", async () => {
    const sides = async (query: string) =>
      (await page(query)).body.trades.map(({ side }: { side: string }) => side);
    expect(await sides("from=2026-11-23")).toEqual(["sell"]);
    expect(await sides("to=2026-11-23")).toEqual(["buy"]);
    expect(await sides("from=2026-11-22&to=2026-11-22T08:00:00Z")).toEqual([]);
    const wrong = await page("from=23.11.2026");
    expect([wrong.status, wrong.body.message]).toEqual([
      422,
      "The request is not allowed. from: Give a date like 2026-11-23, or a time in UTC like 2026-11-23T08:00:00Z.",
    ]);
  });
});

describe("a file of a million rows", () => {
  const rows = Number(process.env["EXPORT_ROWS"] ?? 100_000);

  it(`is written within 50 MB of memory (${rows} rows here)`, async () => {
    await database.pool.query(
      `insert into ledger_entries (agent_id, owner, network, signature, kind, n, place, asset, decimals,
         amount, slot, at, booked_at)
       select repeat('f', 32), 'many', 'practice', 'signature of about the length that they have, eighty-eight characters ' || n,
         'funding', 0, 'position', 'USDC', 6, -n, n, timestamptz '2026-01-01' + n * interval '1 second', now()
       from generate_series(1, $1::int) as n`,
      [rows],
    );
    // What is only waiting to be collected is no growth
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    collect();
    const before = process.memoryUsage();
    let most = 0;
    let count = 0;
    const parts = writeExport(database.db, {
      what: "ledger",
      format: "csv",
      owner: { agentId: agentIdOf("f") },
      range: { fromMs: 0, toMs: Date.UTC(2100, 0, 1) },
      names: new Map(),
    });
    let looked = 0;
    for await (const part of parts) {
      for (const line of part.trimEnd().split("\r\n")) {
        const amount = line.split(",")[8] ?? "";
        if (!amount.startsWith("-")) continue;
        count += 1;
      }
      looked += 1;
      if (looked % 50 !== 0) continue;
      collect();
      const { heapUsed, external, arrayBuffers } = process.memoryUsage();
      const grown = heapUsed + external + arrayBuffers;
      most = Math.max(most, grown - before.heapUsed - before.external - before.arrayBuffers);
    }
    expect(count).toBe(rows);
    expect(most / 1_048_576, `grew by ${most} bytes`).toBeLessThan(50);
    if (process.env["EXPORT_ROWS"] !== undefined) process.stdout.write(`grew by ${most} bytes\n`);
  });
});
