import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { useFullServer } from "../../../test/full-server.ts";
import { useDatabase } from "../../../test/database.ts";
import { addressOf, plainCalls } from "../../../test/route-calls.ts";
import { hashTables } from "../../../test/table-hashes.ts";
import { sendConfirmed, signIn, type SignedIn } from "../../../test/wallet.ts";
import { type ObjectIds, seedObjects } from "../../../test/world.ts";
import { ROUTES } from "../../contract/routes.ts";

const DAY_MS = 86_400_000;

const database = useDatabase();
const server = useFullServer(database);
let owner: SignedIn;
let ids: ObjectIds;

beforeEach(async () => {
  owner = await signIn(server);
  ids = await seedObjects(server, owner);
});

const make = (days = 90) =>
  sendConfirmed(server, owner, "POST", "/api/read-tokens", { name: "Sheet", days });

const read = (token: string, path = `/api/ledger/agent?agentId=${ids.agent}`) =>
  server.send("GET", path, { token });

describe("a personal read token", () => {
  it("is created with its own confirmation, shown once, and stored as a digest", async () => {
    const asked = await server.send("POST", "/api/read-tokens", {
      token: owner.token,
      body: { name: "Sheet", days: 90 },
    });
    expect([asked.status, asked.body.code]).toEqual([403, "confirmation_needed"]);
    expect(asked.body.confirm.message).toContain('Make the read-only token "Sheet" for 90 days');
    const made = await make();
    expect(made.status).toBe(201);
    expect(made.body.token).toMatch(/^whr_[A-Za-z0-9_-]{43}$/);
    // Fifteen minutes of memory do not reach a second token
    const again = await server.send("POST", "/api/read-tokens", {
      token: owner.token,
      body: { name: "Other", days: 90 },
    });
    expect(again.body.code).toBe("confirmation_needed");
    const listed = await server.send("GET", "/api/read-tokens", { token: owner.token });
    expect(listed.body).toEqual([expect.objectContaining({ id: made.body.id, name: "Sheet" })]);
    expect(listed.text).not.toContain("whr_");
    const { rows } = await database.pool.query("select * from read_tokens");
    expect(JSON.stringify(rows)).not.toContain(made.body.token.slice(4));
  });

  it("gives access to exactly its calls, and changes nothing", async () => {
    const { token } = (await make()).body;
    const before = await hashTables(database);
    for (const call of plainCalls(ids)) {
      if (call.route.access.kind === "public") continue;
      const answer = await server.send(call.route.method, addressOf(call), {
        token,
        ...(call.body === undefined ? {} : { body: call.body }),
      });
      const expected = call.route.readToken === true ? [200] : [401, 403];
      expect([call.name, expected.includes(answer.status)]).toEqual([call.name, true]);
      if (call.route.readToken === true) expect(call.route.method).toBe("GET");
    }
    const after = await hashTables(database);
    expect({ ...after, read_tokens: "" }).toEqual({ ...before, read_tokens: "" });
  });

  it("gives access to the documented calls, which exclude the portfolio", () => {
    const text = readFileSync("docs/read-api.md", "utf8");
    const listed = [...text.matchAll(/`(\/api\/[^?`]+)\?/g)].map(([, path]) => path);
    const opened = Object.values(ROUTES).flatMap((route) =>
      "readToken" in route && route.readToken === true ? [route.path] : [],
    );
    expect(new Set(listed)).toEqual(new Set(opened));
    expect(ROUTES.getPortfolio).not.toHaveProperty("readToken");
  });

  it("reads no other owner's data", async () => {
    const { token } = (await make()).body;
    const other = await signIn(server);
    const others = await seedObjects(server, other);
    expect((await read(token, `/api/ledger/agent?agentId=${others.agent}`)).status).toBe(404);
    const wallet = `/api/export/wallet?pubkey=${others.wallet}&network=practice&what=ledger&format=csv`;
    expect((await read(token, wallet)).status).toBe(403);
    const stolen = await server.send("DELETE", `/api/read-tokens/${(await make()).body.id}`, {
      token: other.token,
    });
    expect(stolen.status).toBe(404);
    expect((await read(token)).status).toBe(200);
  });

  it("ends when it is revoked, and on its expiry date", async () => {
    const first = (await make()).body;
    expect((await read(first.token)).status).toBe(200);
    const revoked = await server.send("DELETE", `/api/read-tokens/${first.id}`, {
      token: owner.token,
    });
    expect(revoked.status).toBe(204);
    expect((await read(first.token)).status).toBe(401);
    const second = (await make(1)).body;
    server.clock.advance(DAY_MS - 1);
    expect((await read(second.token)).status).toBe(200);
    server.clock.advance(1);
    expect((await read(second.token)).status).toBe(401);
    expect((await read("whr_" + "x".repeat(43))).status).toBe(401);
  });

  it("allows sixty calls a minute", async () => {
    const { token } = (await make()).body;
    const statuses = [];
    for (let calls = 0; calls < 61; calls += 1) statuses.push((await read(token)).status);
    expect(statuses.slice(0, 60).every((status) => status === 200)).toBe(true);
    expect(statuses[60]).toBe(429);
  });
});

describe("reads of the book", () => {
  it.each([
    ["reversed", "from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z", "from"],
    ["empty", "from=2026-02-01T00:00:00Z&to=2026-02-01T00:00:00Z", "from"],
    ["of the year 9999", "from=2026-02-01T00:00:00Z&to=9999-01-01T00:00:00Z", "to"],
    ["of antiquity", "from=0001-01-01T00:00:00Z", "from"],
  ])("refuse a range that is %s with the field's name", async (_name, range, field) => {
    for (const path of [
      `/api/ledger/agent?agentId=${ids.agent}&${range}`,
      `/api/equity/agent?agentId=${ids.agent}&${range}`,
      `/api/export/agent?agentId=${ids.agent}&what=ledger&format=csv&${range}`,
    ]) {
      const answer = await server.send("GET", path, { token: owner.token });
      expect([answer.status, answer.body.code]).toEqual([422, "validation_failed"]);
      expect(Object.keys(answer.body.fields)).toEqual([field]);
    }
  });
});
