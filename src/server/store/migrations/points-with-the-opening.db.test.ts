import { expect, it } from "vitest";
import { createTestDatabase } from "../../../../test/database.ts";
import { databaseUrl } from "../../../../test/database-server.ts";
import { newTestId } from "../../../../test/world.ts";
import { parseAgentId } from "../../../domain/ids.ts";
import { listEquityPoints } from "../ledger/equity-points.ts";
import { migrateDatabase } from "../postgres/migrate.ts";
import { openDatabase } from "../postgres/pool.ts";
import { migrations } from "./migrations.ts";

const NAME = Object.keys(migrations).find((name) => name.endsWith("points-with-the-opening")) ?? "";

it("gives points from before an opening balance what it had, and takes those that cannot be valued", async () => {
  const server = await createTestDatabase();
  const name = `old_${newTestId()}`;
  await server.pool.query(`create database ${name}`);
  const url = databaseUrl(server.url, name);
  await migrateDatabase(
    url,
    Object.fromEntries(Object.entries(migrations).filter(([each]) => each < NAME)),
  );
  const { db, pool, close } = openDatabase({ url });
  const [owner, inQuote, inKind] = ["o", newTestId(), newTestId()];
  const second = (at: number) => new Date(1_700_000_000_000 + at * 1_000);
  const point = (id: string, at: number, value: number, netFlow: number, seq: bigint) =>
    pool.query(
      `insert into equity_points (agent_id, owner, network, at, slot, cause, value, asset, decimals, net_flow, market, entry_seq)
       values ($1, $2, 'practice', $3, 1, 'fill', $4, 'USDC', 6, $5, 'SOL-PERP', $6)`,
      [id, owner, second(at), value, netFlow, seq],
    );
  const opening = async (id: string, base: string | null) => {
    const { rows } = await pool.query<{ seq: string }>(
      `insert into ledger_entries (agent_id, owner, network, signature, kind, n, place, asset, decimals, amount, base_market,
         slot, at, booked_at)
       values ($1, $2, 'practice', 's', 'opening', 0, 'exchange', coalesce($3, 'USDC'), 6, 550, $3, 1, $4, now())
       returning seq`,
      [id, owner, base, second(0)],
    );
    return BigInt(rows[0]?.seq ?? 0);
  };
  const booked = await opening(inQuote, null);
  await point(inQuote, 10, -1, 0, 0n);
  await point(inQuote, 11, 549, 550, booked);
  const kind = await opening(inKind, "SOL-PERP");
  await point(inKind, 10, -1, 0, 0n);
  await point(inKind, 11, 549, 550, kind);

  await migrateDatabase(url);

  const points = async (id: string) => {
    const range = { fromMs: 0, toMs: Date.now() };
    const listed = await listEquityPoints(db, { agentId: parseAgentId(id) }, range, 9);
    return listed.map(({ atMs, value, netFlow }) => [atMs - second(0).getTime(), value, netFlow]);
  };
  expect(await points(inQuote)).toEqual([
    [0, 550n, 550n],
    [10_000, 549n, 550n],
    [11_000, 549n, 550n],
  ]);
  expect(await points(inKind)).toEqual([[11_000, 549n, 550n]]);
  await close();
  await server.drop();
});
