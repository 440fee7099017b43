import { address as addressOfText } from "@solana/kit";
import { beforeAll, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/database.ts";
import { addressOf, guardedAt, plainCalls, type PlainCall } from "../../../test/route-calls.ts";
import { useFullServer } from "../../../test/full-server.ts";
import { hashTables } from "../../../test/table-hashes.ts";
import { createTestWallet, sendConfirmed, signIn, type SignedIn } from "../../../test/wallet.ts";
import { newTestId, seedObjects, type ObjectIds } from "../../../test/world.ts";
import { ROUTES, type RouteName } from "../../contract/routes.ts";
import { parseAgentId } from "../../domain/ids.ts";

const ownerRoutes = Object.entries(ROUTES)
  .filter(([, route]) => route.access.kind === "owner")
  .map(([name, route]) => [name as RouteName, route.access] as const);

/** Answers to the owner of an agent whose set-up has only begun; every other call succeeds. */
const exceptions: Partial<Record<RouteName, number>> = {
  setTradingStatus: 409,
  endExits: 409,
  closePosition: 409,
  prepareTransaction: 409,
  reportSent: 409,
  submitSigned: 422,
  // The network with real money is not enabled in this test
  goLive: 422,
};

const sessionRoutes = Object.entries(ROUTES)
  .filter(([, route]) => route.access.kind !== "public")
  .map(([name]) => name as RouteName);

describe("Ownership of every call in the route table", () => {
  const database = useDatabase();
  const server = useFullServer(database);
  let victim: SignedIn;
  let attacker: SignedIn;
  let victimIds: ObjectIds;
  let attackerIds: ObjectIds;
  let unknownIds: ObjectIds;

  beforeAll(async () => {
    victim = await signIn(server);
    attacker = await signIn(server);
    victimIds = await seedObjects(server, victim);
    attackerIds = await seedObjects(server, attacker);
    unknownIds = {
      wallet: createTestWallet().address,
      chat: newTestId(),
      agent: newTestId(),
      message: newTestId(),
      rule: newTestId(),
      tradeLogEntry: newTestId(),
      transaction: newTestId(),
      alertName: "breakout",
    };
  });

  const callOf = (name: RouteName, ids: ObjectIds): PlainCall => {
    const call = plainCalls(ids).find((each) => each.name === name);
    if (call === undefined) throw new Error(`No call of ${name}`);
    return call;
  };

  const send = (call: PlainCall, token?: string) =>
    server.send(call.route.method, addressOf(call), {
      token,
      ...(call.body === undefined ? {} : { body: call.body }),
    });

  /** Puts a transaction of the real set-up in the place of the made-up one. */
  const prepareSetUp = async (owner: string, ids: ObjectIds): Promise<string> => {
    await database.db
      .deleteFrom("custody_transactions")
      .where("id", "=", ids.transaction)
      .execute();
    await server.chain.fund(addressOfText(owner), { lamports: 5_000_000_000n, quoteUnits: 0n });
    const prepared = await server.custody.prepare({
      agentId: parseAgentId(ids.agent),
      intent: "set-up",
      amount: undefined,
    });
    if (prepared === null) throw new Error("Nothing to set up.");
    return prepared.id;
  };

  it("covers the table", () => {
    expect(ownerRoutes.length).toBeGreaterThanOrEqual(29);
    // An owner route without a call in test/route-calls.ts, or whose call names somebody else's object, tests nothing
    for (const [name] of ownerRoutes) expect(callOf(name, victimIds).path).not.toContain("/:");
  });

  it.each(ownerRoutes)(
    "%s has the guarded object's id where the route table says",
    (name, access) => {
      if (access.kind !== "owner") throw new Error("Not an owner route.");
      const { path, route, query, body } = callOf(name, victimIds);
      const [part, field = ""] = guardedAt(route)?.split(".") ?? [];
      const at = route.path.split("/").indexOf(`:${field}`);
      const sent: Record<string, unknown> = {
        params: path.split("/")[at],
        query: query[field],
        body: (body as Record<string, unknown> | undefined)?.[field],
      };
      expect(sent[part ?? ""]).toBe(victimIds[access.of]);
    },
  );

  it.each(sessionRoutes)("%s answers 401 without a token (B01)", async (name) => {
    const answer = await send(callOf(name, victimIds));
    expect([answer.status, answer.body.code]).toEqual([401, "unauthenticated"]);
  });

  it.each(ownerRoutes)(
    "%s answers the same 404 for another owner's object and for a missing one",
    async (name, access) => {
      const before = await hashTables(database);
      const foreign = await send(callOf(name, victimIds), attacker.token);
      const unknown = await send(callOf(name, unknownIds), attacker.token);
      expect(await hashTables(database)).toEqual(before);

      const isWallet = access.kind === "owner" && access.of === "wallet";
      expect(foreign.status).toBe(isWallet ? 403 : 404);
      const { requestId: foreignRequest, ...foreignBody } = foreign.body;
      const { requestId: unknownRequest, ...unknownBody } = unknown.body;
      expect(foreignBody).toEqual(unknownBody);
      expect(foreignRequest).not.toBe(unknownRequest);
      expect(foreign.text).toHaveLength(unknown.text.length);
      const headersOf = (headers: Headers) => [...headers.keys()].toSorted();
      expect(headersOf(foreign.headers)).toEqual(headersOf(unknown.headers));
    },
  );

  it.each(ownerRoutes)("%s accepts the owner", async (name) => {
    // Each on its own objects: some of these calls delete
    const owner = await signIn(server);
    const ids = await seedObjects(server, owner);
    const transaction = await prepareSetUp(owner.address, ids);
    const { route, body, ...call } = callOf(name, { ...ids, transaction });
    const path = addressOf({ route, body, ...call });
    const answer = await sendConfirmed(server, owner, route.method, path, body);
    expect([name, answer.status, answer.text]).toEqual([
      name,
      exceptions[name] ?? ROUTES[name].status,
      expect.any(String),
    ]);
  });

  it("keeps a rule from naming another agent's alert (B10)", async () => {
    await server.send("POST", "/api/alerts", {
      token: victim.token,
      body: { agentId: victimIds.agent, name: "only mine" },
    });
    const answer = await server.send("POST", "/api/rules", {
      token: attacker.token,
      body: {
        agentId: attackerIds.agent,
        conditions: [{ alertName: "only mine" }],
        action: "OPEN_SHORT",
      },
    });
    expect([answer.status, answer.body.code]).toEqual([422, "alert_unknown"]);
  });

  it("creates its own id when a client sends one, and refuses a taken one (B08)", async () => {
    const draft = callOf("createCompleteAgent", attackerIds).body as { agent: object };
    const before = await hashTables(database);
    const taken = await server.send("POST", "/api/agents/create-complete-agent", {
      token: attacker.token,
      body: { ...draft, agent: { ...draft.agent, agentName: "other", botId: victimIds.agent } },
    });
    expect(taken.status).toBe(409);
    expect(await hashTables(database)).toEqual(before);
    const made = await server.send("POST", "/api/agents/create-complete-agent", {
      token: attacker.token,
      body: { ...draft, agent: { ...draft.agent, agentName: "other", botId: "mine\u0000" } },
    });
    expect(made.status).toBe(201);
    expect(made.body.agent.botId).toMatch(/^[0-9a-f]{32}$/);
  });

  it.each([
    ["pubkey", "x"],
    ["number", 0],
    ["tradingStatus", "on"],
    ["squadsMultisig", { multisigPda: "x", vaultPda: "x" }],
    ["walletAddress", "x"],
    ["_id", "x"],
  ])("accepts no %s in an agent's body (B09)", async (field, value) => {
    const draft = callOf("saveAgent", attackerIds).body as { agent: object };
    const answer = await server.send(
      "PUT",
      `/api/agents/save-or-update-agent/${attackerIds.agent}`,
      { token: attacker.token, body: { agent: { ...draft.agent, [field]: value } } },
    );
    expect(answer.status).toBe(400);
    expect(answer.body.fields).toEqual({ [`agent.${field}`]: "Unknown field: leave it out." });
  });

  it("accepts no owner in a chat's body (B12)", async () => {
    const answer = await server.send("PATCH", `/api/chats/${attackerIds.chat}`, {
      token: attacker.token,
      body: { title: "t", walletAddress: victim.address },
    });
    expect(answer.status).toBe(400);
  });

  it("distinguishes messages of equal ids in different chats (B13)", async () => {
    const post = (ids: ObjectIds, token: string, content: string) =>
      server.send("POST", `/api/chats/${ids.chat}/messages`, {
        token,
        body: {
          _id: "shared-id-1",
          type: "user",
          content,
          timestamp: "2026-11-21T08:00:00.000Z",
        },
      });
    await post(victimIds, victim.token, "mine");
    expect((await post(attackerIds, attacker.token, "theirs")).status).toBe(201);
    const messages = await server.send("GET", `/api/chats/${victimIds.chat}/messages`, {
      token: victim.token,
    });
    expect(messages.body.map((message: { content: string }) => message.content)).toEqual([
      "What moves SOL?",
      "mine",
    ]);
  });

  it("reads no second object from a query (B14)", async () => {
    const { chat } = attackerIds;
    for (const query of [
      `chatId=${chat}&chatId=${victimIds.chat}`,
      `chatId[]=${victimIds.chat}`,
      "chatId[$ne]=x",
    ]) {
      const answer = await server.send("GET", `/api/logs/get-all-by-chat-id?${query}`, {
        token: attacker.token,
      });
      expect([query, answer.status]).toEqual([query, 400]);
    }
  });

  it("reads the method from the request line only (B15)", async () => {
    const path = `/api/chats/${victimIds.chat}/messages`;
    const options = { token: victim.token, headers: { "x-http-method-override": "DELETE" } };
    // A list that takes a cursor refuses whatever else is asked of it
    expect((await server.send("GET", `${path}?_method=DELETE`, options)).status).toBe(400);
    expect((await server.send("GET", path, options)).status).toBe(200);
  });

  it.each([
    (chat: string) => `/api//chats/${chat}/messages`,
    (chat: string) => `/api/chats/${chat}/messages/`,
    (chat: string) => `/API/chats/${chat}/messages`,
    (chat: string) => `/api/chats/x%2f..%2f${chat}/messages`,
    (chat: string) => `/api/chats/${chat.toUpperCase()}/messages`,
  ])("accepts one spelling of a path (B16)", async (path) => {
    const answer = await server.send("GET", path(victimIds.chat), { token: victim.token });
    expect(answer.status).toBe(404);
  });
});
