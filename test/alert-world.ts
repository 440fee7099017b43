import { Client } from "pg";
import { expect, inject } from "vitest";
import { type AgentId, parseAgentId } from "../src/domain/ids.ts";
import type { TestClock } from "./clock.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";
import { buildCompleteDraft } from "./drafts.ts";
import { createTestServer, type Answer, type TestServer } from "./server.ts";
import { signIn, type SignedIn } from "./wallet.ts";
import { newTestId } from "./world.ts";
import type { AppDeps } from "../src/server/main/app.ts";
import { registerWebhook, type WebhookDeps } from "../src/server/routes/webhook.ts";
import { changeHandlers } from "../src/server/routes/changes.ts";
import { signalHandlers } from "../src/server/routes/signals.ts";
import { tradingView } from "../src/server/alert-sources/tradingview.ts";
import { webhookToken } from "../src/server/alert-sources/webhook-token.ts";
import { createPipeline, type Pipeline } from "../src/server/trading/pipeline.ts";
import { openDatabase } from "../src/server/store/postgres/pool.ts";
import type { TradingKeySigner } from "../src/server/custody/account/trading-key-signer.ts";

/** Server with the webhook and one enabled agent without a trading account: alerts count, orders are denied. */
export interface AlertWorld {
  readonly database: TestDatabase;
  readonly server: TestServer;
  readonly wallet: SignedIn;
  readonly agentId: AgentId;
  readonly token: string;
  /** Replaces the agent by a new one with the same alerts and rules. */
  renewAgent(): Promise<void>;
  /** Closes all database connections and refuses new ones while unreachable. */
  setDatabaseReachable(isReachable: boolean): Promise<void>;
  createAgent(name: string): Promise<AgentId>;
  /** Opens another session of the world's wallet. */
  signInAgain(): Promise<SignedIn>;
  turn(agentId: AgentId, autoTrade: "on" | "stopping" | "off"): Promise<void>;
  message(changes?: Record<string, unknown>): Record<string, unknown>;
  post(message: unknown, botId?: string): Promise<Answer>;
  /** Counters of the agent's rules by action. */
  counters(agentId?: AgentId): Promise<Record<string, number[]>>;
  /** Outcomes recorded for the agent, oldest first. */
  outcomes(): Promise<string[]>;
  /** Resolves when every order that was planned is over and no lane is held: until then tables change. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

export async function createAlertWorld(
  options: Pick<WebhookDeps, "limits" | "senders"> &
    Pick<AppDeps, "arrivalTimeoutMs"> & { readonly clock?: TestClock } = {},
): Promise<AlertWorld> {
  const database = await createTestDatabase();
  const webhookKey = new TextEncoder().encode("a key only this test knows");
  const alertDatabase = openDatabase({
    url: database.as("web").url,
    maxConnections: 2,
    statementTimeoutMs: 1_500,
    lockTimeoutMs: 800,
    connectTimeoutMs: 1_000,
  });
  let pipeline: Pipeline | undefined;
  const pipelineOf = (deps: TestServer["deps"]): Pipeline =>
    (pipeline ??= createPipeline({
      ...deps,
      alertDatabase,
      lanes: database.as("trading").pool,
      signer: unusedSigner,
      entryAtr: async () => new Map(),
      newId: newTestId,
      tradingState: () => "active",
      custodyCheck: async () => null,
      log: { debug() {}, warn() {}, error() {} },
      hints: { notify() {}, subscribe: () => () => {} },
      worker: "test",
    }));
  const { arrivalTimeoutMs, clock, ...webhook } = options;
  const server = await createTestServer(database, {
    ...(arrivalTimeoutMs === undefined ? {} : { app: { arrivalTimeoutMs } }),
    ...(clock === undefined ? {} : { clock }),
    handlers: (deps) => ({
      ...changeHandlers(deps),
      ...signalHandlers({
        ...deps,
        publicUrl: new URL("http://app.test"),
        webhookKey,
        source: tradingView,
        receive: (delivery) => pipelineOf(deps).receive(delivery),
        pipeline: pipelineOf(deps),
      }),
    }),
    raw: (deps) => [
      (scope) =>
        registerWebhook(scope, {
          ...webhook,
          clock: deps.clock,
          webhookKey,
          source: tradingView,
          receive: (delivery) => pipelineOf(deps).receive(delivery),
          noteUnreadable: (...noted) => pipelineOf(deps).noteUnreadable(...noted),
        }),
    ],
  });
  const wallet = await signIn(server);

  const turn = async (agentId: AgentId, autoTrade: "on" | "stopping" | "off") => {
    await database.db
      .updateTable("agents")
      .set({ auto_trade: autoTrade })
      .where("id", "=", agentId)
      .execute();
  };
  const createAgent = async (agentName: string): Promise<AgentId> => {
    const answer = await server.send("POST", "/api/agents/create-complete-agent", {
      token: wallet.token,
      body: buildCompleteDraft({ agent: { agentName } }),
    });
    if (answer.status !== 201) throw new Error(`No agent: ${answer.text}`);
    const agentId = parseAgentId(answer.body.agent.botId);
    await turn(agentId, "on");
    return agentId;
  };
  const newAgent = () => createAgent(`Agent ${newTestId()}`);
  let agentId = await newAgent();
  const renewAgent = async (): Promise<void> => void (agentId = await newAgent());
  const tokenNow = () => webhookToken(webhookKey, agentId, 1);
  const message = (changes: Record<string, unknown> = {}) => ({
    agentId,
    alertName: "breakout",
    timestamp: new Date(server.clock.now()).toISOString(),
    token: tokenNow(),
    ...changes,
  });

  return {
    database,
    server,
    wallet,
    get agentId() {
      return agentId;
    },
    get token() {
      return tokenNow();
    },
    renewAgent,
    createAgent,
    signInAgain: () => signIn(server, wallet),
    turn,
    message,
    async setDatabaseReachable(isReachable) {
      const name = new URL(database.url, "postgres://localhost").pathname.slice(1);
      await administer(`alter database ${name} with allow_connections ${isReachable}`);
      if (isReachable) return;
      await administer(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
      );
    },
    post: (body, botId: string = agentId) =>
      server.send("POST", `/webhook/${botId}`, typeof body === "string" ? { raw: body } : { body }),
    async counters(id = agentId) {
      const rows = await database.db
        .selectFrom("rules")
        .innerJoin("rule_conditions", "rule_id", "rules.id")
        .select(["action", "count"])
        .where("agent_id", "=", id)
        .orderBy("rules.seq")
        .execute();
      const counters: Record<string, number[]> = {};
      for (const { action, count } of rows) (counters[action] ??= []).push(count);
      return counters;
    },
    async outcomes() {
      const rows = await database.db
        .selectFrom("alert_events")
        .select(["outcome", "reason"])
        .where("agent_id", "=", agentId)
        .orderBy("seq")
        .execute();
      return rows.map((row) =>
        row.reason === null ? row.outcome : `${row.outcome} ${row.reason}`,
      );
    },
    async idle() {
      const isBusy = async () => {
        const { rows } = await database.pool.query<{ busy: boolean }>(
          `select exists (select from orders where settled_at is null)
             or exists (select from lanes where claimed_by is not null) as busy`,
        );
        return rows[0]?.busy;
      };
      await expect.poll(isBusy).toBe(false);
    },
    async close() {
      await pipeline?.stop();
      await server.close();
      await alertDatabase.close().catch(() => {});
      await database.drop();
    },
  };
}

const unusedSigner = new Proxy({} as TradingKeySigner, {
  get() {
    throw new Error("This test must not sign");
  },
});

async function administer(statement: string): Promise<void> {
  const client = new Client({ connectionString: inject("databaseUrl") });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
