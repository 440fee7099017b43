import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { agentIdOf } from "../../../../test/ids.ts";
import { useDatabase } from "../../../../test/database.ts";
import { readBookedPositions } from "./performance.ts";

const database = useDatabase();
let booked = 0;

beforeAll(async () => {
  await database.pool.query("drop trigger ledger_is_append_only on ledger_entries");
});
beforeEach(() => database.pool.query("delete from ledger_entries"));
/** Books a trade that leaves `held` units. */
const book = (market: string, atMs: number, held: number, realised: bigint | null) =>
  database.pool.query(
    `insert into ledger_entries (agent_id, owner, network, signature, kind, n, place, market, asset, decimals, amount,
       base_market, base_decimals, base_amount, realised, held_base, slot, at, booked_at)
     values ($7, 'owner', 'practice', $1, 'trade', 0, 'exchange', $2, 'USDC', 6, 1, $2, 9, $3, $4, $5, 1,
       to_timestamp($6 / 1000.0), now())`,
    [`s${booked++}`, market, held === 0 ? -1 : 1, realised, held, atMs, AGENT],
  );

const AGENT = agentIdOf("a");
const NOTHING = { before: new Map(), entries: [] };

async function position(market: string, fromMs: number, toMs: number, pnl: bigint | null) {
  await book(market, fromMs, 1, null);
  await book(market, toMs, 0, pnl);
}

const read = () =>
  readBookedPositions(database.db, AGENT, NOTHING, {
    fromMs: 0,
    begunMs: 0,
    recordedMs: 0,
    nowMs: 100,
  });

it("counts wins and losses, and leaves out unknown ones", async () => {
  for (const [at, pnl] of [100n, -50n, -25n, 0n, -30n, null, 50n].entries()) {
    await position("SOL-PERP", at * 10, at * 10 + 5, pnl);
  }
  const sums = { known: 6, unknown: 1, wins: 2, losses: 3, won: 150n, lost: -105n };
  expect((await read()).closed).toEqual({ ...sums, longestLosingRun: 2 });
});

describe("the time with an open position", () => {
  it.each<[string, readonly (readonly [from: number, to: number])[], number]>([
    ["within it", [[10, 30]], 20],
    [
      "is cut at its ends",
      [
        [-50, 10],
        [90, 500],
      ],
      20,
    ],
    [
      "counts once what overlaps",
      [
        [20, 60],
        [10, 40],
        [30, 50],
      ],
      50,
    ],
    ["is none without one", [], 0],
  ])("%s", async (_, spans, openMs) => {
    for (const [at, [from, to]] of spans.entries()) await position(`M${at}`, from, to, 0n);
    expect((await read()).openMs).toBe(openMs);
  });
});
