import { afterEach, expect, it } from "vitest";
import { useDatabase } from "../../../../test/database.ts";
import { createTestServer, type TestServer } from "../../../../test/server.ts";
import type { Stopped } from "../../../domain/agent-health.ts";
import { deleteProcessFigures, saveProcessSeen } from "./process-figures.ts";

const database = useDatabase();
let server: TestServer | undefined;

afterEach(() => server?.close());

it("health says on which networks none of the servers that trade can, and since when", async () => {
  const { url } = (server = await createTestServer(database));
  const asTrading = database.as("trading").db;
  const stoppedAt = (time: string, network: Stopped["network"]): Stopped => ({
    network,
    reason: "nodes",
    sinceMs: Date.parse(time),
  });
  const expectHealth = async (wanted: object) => {
    await expect.poll(async () => (await fetch(`${url}/api/health`)).json()).toEqual(wanted);
  };
  await expectHealth({ status: "nobody_trades" });
  const earlier = stoppedAt("2026-11-21T08:00:00.000Z", "mainnet");
  await saveProcessSeen(asTrading, "one", [
    earlier,
    stoppedAt("2026-11-21T08:00:00.000Z", "devnet"),
  ]);
  await saveProcessSeen(asTrading, "two", []);
  await expectHealth({ status: "ok" });
  const later = stoppedAt("2026-11-21T08:01:00.000Z", "mainnet");
  await saveProcessSeen(asTrading, "two", [later]);
  await expectHealth({
    status: "cannot_trade",
    stopped: [{ network: "mainnet", reason: "nodes", since: "2026-11-21T08:01:00.000Z" }],
  });
  await deleteProcessFigures(asTrading, "two");
  await saveProcessSeen(asTrading, "one", []);
  await expectHealth({ status: "ok" });
  await deleteProcessFigures(asTrading, "one");
});
