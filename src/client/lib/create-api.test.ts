import { describe, expect, it } from "vitest";
import { agentIdOf, chatIdOf } from "../../../test/ids.ts";
import { ERRORS } from "../../contract/errors.ts";
import { ROUTES } from "../../contract/routes.ts";
import { createApi } from "./create-api.ts";
import { ApiError } from "./problem.ts";
import { requestPath } from "../../../test/request-path.ts";

const NOW = 1_700_000_000_000;
const encode = (claims: object) => btoa(JSON.stringify(claims)).replace(/=+$/, "");
const buildToken = (name: string, expiresInMs: number) =>
  `h.${encode({ sub: name, exp: (NOW + expiresInMs) / 1000 })}.s`;

const FRESH = buildToken("fresh", 600_000);
const OLD = buildToken("old", 60_000);
const EXPIRED = buildToken("expired", -1000);

type Answer = (request: { path: string; bearer: string | null; init: RequestInit }) => Response;

function setUp(token: string | null, answer: Answer) {
  const requests: string[] = [];
  const state = {
    token,
    signedOut: 0,
    confirmed: [] as string[],
    refusal: null as Error | null,
  };
  const api = createApi({
    fetch: (input, init = {}) => {
      const path = requestPath(input);
      const bearer = new Headers(init.headers).get("Authorization");
      requests.push(`${init.method ?? "GET"} ${path}`);
      return Promise.resolve(answer({ path, bearer, init }));
    },
    now: () => NOW,
    readToken: () => state.token,
    writeToken: (next) => (state.token = next),
    removeToken: () => (state.token = null),
    exclusively: (task) => task(),
    confirm: (message) => {
      state.confirmed.push(message);
      return state.refusal === null ? Promise.resolve("signature") : Promise.reject(state.refusal);
    },
    onSignedOut: () => state.signedOut++,
  });
  return { api, requests, state };
}

const json = (body: unknown, status = 200) => Response.json(body, { status });
const chatId = chatIdOf("a");

describe("a call whose token is refused", () => {
  it("renews once and repeats the call", async () => {
    const { api, requests, state } = setUp(OLD, ({ path, bearer }) => {
      if (path === "/api/auth/refresh") return json({ token: FRESH });
      return bearer === `Bearer ${FRESH}` ? json([]) : json({ message: "no" }, 401);
    });
    await expect(api.call(ROUTES.listMessages, { params: { chatId }, query: {} })).resolves.toEqual(
      [],
    );
    expect(requests).toEqual([
      `GET /api/chats/${chatId}/messages`,
      "POST /api/auth/refresh",
      `GET /api/chats/${chatId}/messages`,
    ]);
    expect(state.token).toBe(FRESH);
  });

  it("shares one renewal between calls that fail together", async () => {
    const { api, requests } = setUp(OLD, ({ path, bearer }) => {
      if (path === "/api/auth/refresh") return json({ token: FRESH });
      return bearer === `Bearer ${FRESH}` ? json([]) : json({}, 401);
    });
    await Promise.all(
      [1, 2, 3].map(() => api.call(ROUTES.listMessages, { params: { chatId }, query: {} })),
    );
    expect(requests.filter((request) => request.includes("refresh"))).toHaveLength(1);
  });

  it("signs out when the renewal is refused, without asking again", async () => {
    const { api, requests, state } = setUp(OLD, () => json({}, 401));
    const failure = api.call(ROUTES.listMessages, { params: { chatId }, query: {} });
    const { title, message } = ERRORS.unauthenticated;
    await expect(failure).rejects.toMatchObject({ title, message, status: 401 });
    expect(state).toMatchObject({ token: null, signedOut: 1 });
    expect(requests).toHaveLength(2);
  });

  it("signs out when the repeated call is refused too", async () => {
    const { api, requests, state } = setUp(OLD, ({ path }) =>
      path === "/api/auth/refresh" ? json({ token: FRESH }) : json({}, 401),
    );
    await expect(api.call(ROUTES.listMessages, { params: { chatId }, query: {} })).rejects.toThrow(
      "Authentication failed",
    );
    expect(requests).toHaveLength(3);
    expect(state.signedOut).toBe(1);
  });

  it("keeps the session when the server cannot answer the renewal", async () => {
    const { api, state } = setUp(OLD, ({ path }) =>
      path === "/api/auth/refresh" ? json({}, 503) : json({}, 401),
    );
    await expect(
      api.call(ROUTES.listMessages, { params: { chatId }, query: {} }),
    ).rejects.toMatchObject({
      status: 503,
    });
    expect(state).toMatchObject({ token: OLD, signedOut: 0 });
  });
});

describe("a call with an expired token", () => {
  it("renews before it asks", async () => {
    const { api, requests } = setUp(EXPIRED, ({ path }) =>
      path === "/api/auth/refresh" ? json({ token: FRESH }) : json([]),
    );
    await api.call(ROUTES.listMessages, { params: { chatId }, query: {} });
    expect(requests[0]).toBe("POST /api/auth/refresh");
    expect(requests).toHaveLength(2);
  });
});

describe("a request", () => {
  it("puts parameters, query and body where the route expects them", async () => {
    let seen: RequestInit = {};
    const { api, requests } = setUp(FRESH, ({ init }) => {
      seen = init;
      return new Response(null, { status: 204 });
    });
    await api.call(ROUTES.renameChat, { params: { chatId }, body: { title: "Ä/b" } });
    expect(requests).toEqual([`PATCH /api/chats/${chatId}`]);
    expect(seen.body).toBe('{"title":"Ä/b"}');
  });

  it("has a header that other sites cannot send on calls that use the cookie", async () => {
    const { api } = setUp(FRESH, ({ init }) => {
      expect(new Headers(init.headers).get("X-Wheelhouse")).toBe("1");
      return new Response(null, { status: 204 });
    });
    await expect(api.call(ROUTES.logout)).resolves.toBeNull();
  });
});

describe("an error answer", () => {
  it("keeps the code, title and message the server wrote", async () => {
    const title = "Limit Reached";
    const { api } = setUp(FRESH, () =>
      json({ code: "chat_has_agent", title, message: "This chat already holds an agent." }, 409),
    );
    await expect(
      api.call(ROUTES.listMessages, { params: { chatId }, query: {} }),
    ).rejects.toMatchObject({
      code: "chat_has_agent",
      title,
      message: "This chat already holds an agent.",
    });
  });

  it("reads 'API request failed' when it is not the server's", async () => {
    const { api } = setUp(FRESH, () => new Response("<html>", { status: 502 }));
    await expect(api.call(ROUTES.listMessages, { params: { chatId }, query: {} })).rejects.toThrow(
      "API request failed",
    );
  });

  it("results from an answer that breaks the contract", async () => {
    const { api } = setUp(FRESH, () => json([{ _id: 1 }]));
    await expect(
      api.call(ROUTES.listMessages, { params: { chatId }, query: {} }),
    ).rejects.toBeInstanceOf(ApiError);
  });
});

describe("a call the owner has to confirm", () => {
  const change = { params: { agentId: agentIdOf("a") } };
  const asks = () =>
    Response.json(
      { code: "confirmation_needed", message: "x", confirm: { nonce: "n1", message: "sign me" } },
      { status: 403 },
    );
  const proofOf = (init: RequestInit) => new Headers(init.headers).get("x-wheelhouse-confirmation");

  it("asks the wallet once and repeats the call with its signature", async () => {
    const { api, requests, state } = setUp(FRESH, ({ init }) =>
      proofOf(init) === "n1 signature" ? new Response(null, { status: 204 }) : asks(),
    );
    await expect(api.call(ROUTES.deleteAgent, change)).resolves.toBeNull();
    expect(state.confirmed).toEqual(["sign me"]);
    expect(requests).toHaveLength(2);
  });

  it("does not ask a second time when the signature was refused", async () => {
    const { api, requests, state } = setUp(FRESH, asks);
    await expect(api.call(ROUTES.deleteAgent, change)).rejects.toMatchObject({
      code: "confirmation_needed",
    });
    expect([state.confirmed.length, requests.length]).toEqual([1, 2]);
  });

  it("is not repeated after the wallet refused, and fails with the wallet's reason", async () => {
    const { api, requests, state } = setUp(FRESH, asks);
    state.refusal = new Error("You refused the request.");
    await expect(api.call(ROUTES.deleteAgent, change)).rejects.toBe(state.refusal);
    expect(requests).toHaveLength(1);
  });

  it("leaves another 403 alone", async () => {
    const { api, state } = setUp(FRESH, () =>
      Response.json({ code: "forbidden", message: "x" }, { status: 403 }),
    );
    await expect(api.call(ROUTES.deleteAgent, change)).rejects.toMatchObject({
      code: "forbidden",
    });
    expect(state.confirmed).toEqual([]);
  });
});
