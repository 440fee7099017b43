import { beforeAll, expect, it } from "vitest";
import { useDatabase } from "../../../test/database.ts";
import { useServer } from "../../../test/server.ts";
import { signIn, type SignedIn } from "../../../test/wallet.ts";

const database = useDatabase();
const server = useServer(database);
let owner: SignedIn;

beforeAll(async () => {
  owner = await signIn(server);
});

it("pages through equity points without losing one at a time that two agents share", async () => {
  await database.pool.query(
    `insert into equity_points
       (agent_id, owner, network, at, slot, cause, value, asset, decimals, net_flow, market, entry_seq)
     select repeat(agent, 32), $1, 'practice', timestamptz '2026-01-01' + hour * interval '1 hour', 1, 'hour', hour, 'USDC', 6,
       0, 'SOL-PERP', 1
     from generate_series(1, 3401) as hour, unnest(array['a', 'b', 'c']) as agent`,
    [owner.address],
  );
  const path = `/api/equity/wallet?pubkey=${owner.address}&network=practice`;
  const read = async (from: string) =>
    (await server.send("GET", `${path}${from}`, { token: owner.token })).body;
  const seen: string[] = [];
  for (let from = ""; ;) {
    const { points, next } = await read(from);
    expect(points.length).toBeLessThanOrEqual(500);
    seen.push(...points.map((point: { agentId: string; at: string }) => point.agentId + point.at));
    if (next === undefined) break;
    from = `&from=${next}`;
  }
  expect(seen).toHaveLength(3 * 3_401);
  expect(new Set(seen).size).toBe(3 * 3_401);
});
