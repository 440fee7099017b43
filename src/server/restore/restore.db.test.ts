import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type AlertWorld, createAlertWorld } from "../../../test/alert-world.ts";
import { createTestDatabase, type TestDatabase } from "../../../test/database.ts";
import { sendConfirmed } from "../../../test/wallet.ts";
import { afterRestore } from "./after-restore.ts";
import { readIdentity, refuseRestored } from "./database-identity.ts";

const elsewhere = { dataDir: "/nowhere", databaseUrl: "postgres://elsewhere" };

describe("after a restore", () => {
  let world: AlertWorld;

  beforeEach(async () => {
    world = await createAlertWorld();
  });

  afterEach(() => world.close());

  const webhookPath = () => `/api/agents/${world.agentId}/webhook`;

  const readChats = () =>
    world.server.send("GET", `/api/chats/wallet/${world.wallet.address}/agents`, {
      token: world.wallet.token,
    });

  const goOn = async (options: { keepsSessions?: boolean; keepsWebhookTokens?: boolean } = {}) =>
    afterRestore(world.database.db, {
      identity: await readIdentity(world.database.db, elsewhere),
      random: randomBytes,
      now: world.server.clock.now(),
      keepsSessions: false,
      keepsWebhookTokens: false,
      ...options,
    });

  it("every session has ended, and no earlier webhook token works", async () => {
    // The backup is of now; what a rotation after it gave out is not in it
    const path = `${webhookPath()}/rotate`;
    const later = await sendConfirmed(world.server, world.wallet, "POST", path);
    await world.database.pool.query("update agents set webhook_token_version = 1");

    expect(await goOn()).toEqual({ sessions: 1, webhookTokens: 1 });

    expect((await readChats()).status).toBe(401);
    const refresh = await world.server.send("POST", "/api/auth/refresh", {
      token: world.wallet.token,
      headers: { cookie: world.wallet.cookie, "x-wheelhouse": "1" },
    });
    expect(refresh.status).toBe(401);
    expect((await world.post(world.message())).status).toBe(404);
    expect((await world.post(world.message({ token: later.body.token }))).status).toBe(404);
    const second = `${later.body.token.split(".")[0]}.2`;
    expect((await world.post(world.message({ token: second }))).status).toBe(404);
  });

  it("the owner signs in again and gets a working webhook token, even after another rotation", async () => {
    await goOn();
    const wallet = await world.signInAgain();
    const { token } = (await sendConfirmed(world.server, wallet, "GET", webhookPath())).body;
    expect((await world.post(world.message({ token }))).status).toBe(202);
    const path = `${webhookPath()}/rotate`;
    const rotated = await sendConfirmed(world.server, wallet, "POST", path);
    const timestamp = new Date(world.server.clock.now() + 1_000).toISOString();
    const answer = await world.post(world.message({ timestamp, token: rotated.body.token }));
    expect(answer.status).toBe(202);
  });

  it("sessions and tokens survive on request", async () => {
    const kept = await goOn({ keepsSessions: true, keepsWebhookTokens: true });
    expect(kept).toEqual({ sessions: 0, webhookTokens: 0 });
    expect((await readChats()).status).toBe(200);
    expect((await world.post(world.message())).status).toBe(202);
  });
});

describe("a database", () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createTestDatabase();
  });

  afterEach(() => database.drop());

  it("is registered at the first start and recognised at the next", async () => {
    await refuseRestored(database.db, elsewhere);
    await expect(refuseRestored(database.db, elsewhere)).resolves.toBeUndefined();
  });

  it("from a backup is refused until the operator confirmed it", async () => {
    const copy = await createTestDatabase();
    await refuseRestored(copy.db, elsewhere);
    const { rows } = await copy.pool.query("select identity from installation");
    await copy.drop();
    await database.pool.query("update installation set identity = $1", [rows[0].identity]);

    await expect(refuseRestored(database.db, elsewhere)).rejects.toThrow("after-restore");

    const identity = await readIdentity(database.db, elsewhere);
    const [keepsSessions, keepsWebhookTokens] = [false, false];
    const options = { identity, random: randomBytes, now: 0, keepsSessions, keepsWebhookTokens };
    await afterRestore(database.db, options);
    await expect(refuseRestored(database.db, elsewhere)).resolves.toBeUndefined();
  });
});
