import { afterAll, beforeAll, expect, it } from "vitest";
import { type AlertWorld, createAlertWorld } from "../../../test/alert-world.ts";
import { buildCompleteDraft } from "../../../test/drafts.ts";
import { sendConfirmed, signIn } from "../../../test/wallet.ts";
import { insertCustodyFlag } from "../store/custody/custody-notices.ts";

let world: AlertWorld;

beforeAll(async () => {
  world = await createAlertWorld();
});

afterAll(() => world.close());

it("shows only the agent's owner what was changed, when and by whom", async () => {
  const { agentId, server, wallet, database } = world;
  const path = `/api/agents/${agentId}`;
  const created = server.clock.now();
  server.clock.advance(60_000);
  const draft = buildCompleteDraft({ agent: { agentName: "Renamed ** SOL-1h", interval: "4h" } });
  const update = `/api/agents/update-complete-agent/${agentId}`;
  const saved = await sendConfirmed(server, wallet, "PUT", update, draft);
  expect(saved.status).toBe(200);
  server.clock.advance(60_000);
  await sendConfirmed(server, wallet, "POST", `${path}/webhook/rotate`);
  const flag = { agentId, owner: wallet.address, atMs: server.clock.now() };
  await insertCustodyFlag(database.db, "power", { ...flag, key: "k", text: "A key was added." });
  await insertCustodyFlag(database.db, "upkeep", { ...flag, key: "l", text: "" });

  const answer = await server.send("GET", `${path}/changes`, { token: wallet.token });
  const at = (minutes: number) => new Date(created + minutes * 60_000).toISOString();
  expect(answer.body.map(({ id: _id, ...change }: Record<string, unknown>) => change)).toEqual([
    { at: at(2), what: "custody_flagged", by: "outside", text: "A key was added." },
    { at: at(2), what: "webhook_token_rotated", by: "owner" },
    { at: at(1), what: "agent_saved", by: "owner", fields: ["name", "interval"] },
    { at: at(0), what: "agent_created", by: "owner" },
  ]);
  const oldest = answer.body.at(-2) as { id: string };
  const older = await server.send("GET", `${path}/changes?before=${oldest.id}`, {
    token: wallet.token,
  });
  expect(older.body).toEqual([answer.body.at(-1)]);
  const stranger = await signIn(server);
  const foreign = await server.send("GET", `${path}/changes`, { token: stranger.token });
  expect(foreign.status).toBe(404);
});
