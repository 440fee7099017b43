import { runHere } from "../src/assistant/run-simulation.ts";
import { randomBytes } from "node:crypto";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { ROUTES } from "../src/contract/routes.ts";
import type { AgentDeps } from "../src/server/agents/agent-changes.ts";
import { createApp, type AppDeps } from "../src/server/main/app.ts";
import { createConnections } from "../src/server/auth/connections.ts";
import type { FetchOutside } from "../src/server/notices/post-outside.ts";
import { createRecent } from "../src/server/custody/account/recent.ts";
import { createReadTokens } from "../src/server/auth/read-tokens.ts";
import { createSessions } from "../src/server/auth/sessions.ts";
import type { Networks } from "../src/server/networks.ts";
import { createEventStreams } from "../src/server/push/event-streams.ts";
import { createStalePublisher, STREAM_TOPICS } from "../src/server/push/create-stale-publisher.ts";
import { agentHandlers } from "../src/server/routes/agents.ts";
import { alertHandlers } from "../src/server/routes/alerts.ts";
import { authHandlers } from "../src/server/routes/auth-routes.ts";
import { chatHandlers } from "../src/server/routes/chats.ts";
import { messageHandlers } from "../src/server/routes/messages.ts";
import { deploymentHandlers } from "../src/server/routes/deployment.ts";
import { documentationHandlers } from "../src/server/routes/documentation.ts";
import { healthHandlers } from "../src/server/routes/health.ts";
import { schemaHandlers } from "../src/server/routes/schemas.ts";
import { registerDocs } from "../src/server/openapi/register-docs.ts";
import type { Handlers } from "../src/server/http/handler.ts";
import { withStorageBudget } from "../src/server/http/storage-budget.ts";
import { exportHandlers } from "../src/server/routes/exports.ts";
import { ledgerHandlers } from "../src/server/routes/ledger.ts";
import { proposalHandlers } from "../src/server/routes/proposals.ts";
import { readTokenHandlers } from "../src/server/routes/read-tokens.ts";
import { readinessHandlers } from "../src/server/routes/readiness.ts";
import { triedVariantHandlers } from "../src/server/routes/tried-variants.ts";
import { hypothesisHandlers } from "../src/server/routes/hypotheses.ts";
import { type McpDeps, registerMcp } from "../src/server/routes/mcp.ts";
import { connectionHandlers, registerOAuth } from "../src/server/routes/oauth.ts";
import { ruleHandlers } from "../src/server/routes/rules.ts";
import { tradeLogHandlers } from "../src/server/routes/trade-log.ts";
import { openNotifier } from "../src/server/store/postgres/notify.ts";
import { openProbe } from "../src/server/store/postgres/probe.ts";
import { problemsOf } from "./check-call.ts";
import { createTestClock, type TestClock } from "./clock.ts";
import { share, type TestDatabase } from "./database.ts";
import { buildNetworks } from "./networks.ts";

const RAW_ROUTES = new Set([
  "createToken",
  "refreshToken",
  "logout",
  "streamEvents",
  "receiveWebhook",
  "getOpenApi",
]);

const PATIENT_PROBE_MS = 30_000;

export interface TestServerOptions {
  readonly clock?: TestClock;
  readonly networks?: Networks;
  readonly publicUrl?: string;
  readonly secret?: Uint8Array;
  readonly newWalletsPerMinute?: number;
  readonly newWalletsPerDay?: number;
  /** Bytes that a wallet's calls may have stored a day; without limit by default. */
  readonly storedBytesPerDay?: number;
  readonly heartbeatMs?: number;
  /** Handlers in addition to those of chats, agents, alerts, rules, hypotheses and the trade log. */
  readonly handlers?: (deps: AgentDeps) => Partial<Handlers>;
  readonly raw?: (deps: AgentDeps) => NonNullable<AppDeps["raw"]>;
  readonly app?: Partial<AppDeps>;
  /** Fetches what programs say of themselves; nobody is reached by default. */
  readonly fetchOutside?: FetchOutside;
  /** Budgets of assistants; calls are without limit by default. */
  readonly mcp?: Pick<McpDeps, "callsPerMinute" | "simulationsPerMinute">;
  /** Calls the database unavailable as soon as the product does, not when a busy machine would have answered. */
  readonly hasProductProbe?: true;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // Tests look into answers freely
  // oxlint-disable-next-line no-explicit-any
  readonly body: any;
}

export interface TestServer {
  readonly app: FastifyInstance;
  readonly url: string;
  readonly clock: TestClock;
  readonly deps: AgentDeps;
  readonly secret: Uint8Array;
  readonly publicUrl: URL;
  send(
    method: string,
    path: string,
    options?: {
      /** Sent as JSON. */
      readonly body?: unknown;
      /** Sent as it is, as application/json unless a header says otherwise. */
      readonly raw?: string | Uint8Array<ArrayBuffer>;
      readonly token?: string | undefined;
      readonly headers?: Record<string, string>;
    },
  ): Promise<Answer>;
  close(): Promise<void>;
}

/** Starts the real server on a free port and a real database; calls nobody gave a handler fail the test. */
export async function createTestServer(
  database: TestDatabase,
  options: TestServerOptions = {},
): Promise<TestServer> {
  const clock = options.clock ?? createTestClock();
  const random = (length: number) => randomBytes(length);
  const publicUrl = new URL(options.publicUrl ?? "http://app.test");
  const secret = options.secret ?? randomBytes(32);
  const { db, pool, url: databaseUrl } = database.as("web");
  const notifier = await openNotifier({
    url: databaseUrl,
    pool,
    heard: STREAM_TOPICS,
  });
  const probe = openProbe(databaseUrl, options.hasProductProbe ? undefined : PATIENT_PROBE_MS);
  const sessions = createSessions({
    db,
    clock,
    random,
    secret,
    publicUrl,
    newWalletsPerMinute: options.newWalletsPerMinute ?? 100_000,
    newWalletsPerDay: options.newWalletsPerDay ?? 100_000,
  });
  const readTokens = createReadTokens({ db, clock, random });
  const fetchOutside =
    options.fetchOutside ?? (() => Promise.reject(new Error("This test reaches nobody.")));
  const connections = createConnections({ db, clock, random, secret, publicUrl, fetchOutside });
  const streams = createEventStreams({
    hints: notifier,
    clock,
    liveOf: sessions.liveOf,
    ...(options.heartbeatMs === undefined ? {} : { heartbeatMs: options.heartbeatMs }),
  });
  const deps: AgentDeps = {
    db,
    clock,
    random,
    networks: options.networks ?? buildNetworks(),
    publisher: createStalePublisher(notifier),
    tradingState: () => "active",
    toldByNode: createRecent(10),
  };
  const plain = {
    ...missingHandlers(),
    ...authHandlers({ sessions, streams }),
    ...chatHandlers(deps),
    ...messageHandlers(deps),
    ...agentHandlers(deps),
    ...alertHandlers(deps),
    ...ruleHandlers(deps),
    ...hypothesisHandlers(deps),
    ...tradeLogHandlers(deps),
    ...ledgerHandlers(deps),
    ...exportHandlers(deps),
    ...readTokenHandlers({ readTokens }),
    ...connectionHandlers({ connections }),
    ...proposalHandlers({
      ...deps,
      setAutoTrade: () => Promise.reject(new Error("This test's server trades nothing.")),
    }),
    ...readinessHandlers(deps),
    ...triedVariantHandlers(deps),
    ...deploymentHandlers(deps),
    ...documentationHandlers({ docsDir: join(import.meta.dirname, "../docs") }),
    ...healthHandlers({ requireReady: probe.requireWritable, wrongSeconds: () => null }),
    ...schemaHandlers(),
    ...options.handlers?.(deps),
  };
  const handlers = withStorageBudget(plain, options.storedBytesPerDay ?? 2 ** 40);
  const logger = pino({ level: process.env["TEST_LOG_LEVEL"] ?? "silent" });
  const app = createApp({
    db,
    logger,
    publicUrl,
    sessions,
    readTokens,
    streams,
    handlers,
    raw: [
      (scope) => registerDocs(scope, publicUrl.origin),
      (scope) =>
        registerMcp(scope, {
          ...deps,
          publicUrl,
          readTokens,
          handlers,
          logger,
          simulate: async (_owner, request) => runHere(request),
          callsPerMinute: 100_000,
          ...options.mcp,
        }),
      (scope) => registerOAuth(scope, { publicUrl, connections, callsPerMinute: 100_000 }),
      ...(options.raw?.(deps) ?? []),
    ],
    callsPerMinute: 100_000,
    callsPerMinuteOfCaller: 100_000,
    publicCallsPerMinute: 100_000,
    ...options.app,
  });
  // A public address of this machine is the server's own, for clients that follow what it says of itself
  const own = publicUrl.hostname === "127.0.0.1" ? Number(publicUrl.port) : 0;
  await app.listen({ port: own, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return {
    app,
    url,
    clock,
    deps,
    secret,
    publicUrl,
    async send(method, path, { body, raw, token, headers = {} } = {}) {
      const payload = raw ?? (body === undefined ? null : JSON.stringify(body));
      const response = await fetch(url + path, {
        method,
        body: payload,
        redirect: "manual",
        headers: {
          ...(payload === null ? {} : { "content-type": "application/json" }),
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...headers,
        },
      });
      const text = await response.text();
      const isJson = response.headers.get("content-type")?.includes("json") === true;
      const answer: unknown = isJson && text !== "" ? JSON.parse(text) : undefined;
      const problems = problemsOf({
        method,
        path,
        body: body ?? (raw === undefined ? undefined : parsed(raw)),
        status: response.status,
        answer,
      });
      if (problems.length > 0) {
        throw new Error(`${method} ${path} departs from the description: ${problems.join("; ")}`);
      }
      return {
        status: response.status,
        headers: response.headers,
        text,
        body: answer ?? null,
      };
    },
    async close() {
      await app.close();
      await notifier.close();
      await probe.close();
    },
  };
}

/** Gives the tests of a file or suite one server. */
export const useServer = (database: TestDatabase, options?: TestServerOptions): TestServer =>
  share(
    () => createTestServer(database, options),
    (server) => server.close(),
  );

/** Parses a raw body; undefined when it is not JSON. */
function parsed(raw: string | Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(raw as Uint8Array).toString("utf8"));
  } catch {
    return undefined;
  }
}

function missingHandlers(): Handlers {
  const names = Object.keys(ROUTES).filter((name) => !RAW_ROUTES.has(name));
  return Object.fromEntries(
    names.map((name) => [
      name,
      () => Promise.reject(new Error(`This test's server has no handler for ${name}.`)),
    ]),
  ) as unknown as Handlers;
}
