import { type AgentId, parseAgentId } from "../src/domain/ids.ts";
import { createTestClock, type TestClock } from "./clock.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";
import { newTestId } from "./world.ts";
import type { AlertCondition } from "../src/domain/condition/condition.ts";
import type { Signal } from "../src/domain/signal.ts";
import { createPracticeMarket } from "../src/practice/practice-market.ts";
import {
  type ConditionRunner,
  type ConditionRunnerDeps,
  createConditionRunner,
} from "../src/server/alert-sources/conditions/condition-runner.ts";
import { feedKeyOf } from "../src/server/alert-sources/conditions/condition-feed.ts";
import type { CandleHistory } from "../src/server/market-data/candle-history.ts";
import { createPracticeHistory } from "../src/server/market-data/practice-history.ts";
import {
  type ConditionMarket,
  type FeedTrouble,
  readFeedTroubles,
} from "../src/server/store/alerts/conditions.ts";
import { listReceivedSignals } from "../src/server/store/alerts/alert-events.ts";
import {
  type AlertReceiver,
  createAlertReceiver,
} from "../src/server/trading/intake/receive-alerts.ts";

const OWNER = "A77ytVV59RYYKW9U97puqc8h5MBUxEKjsSe5zPEDWqFo";

export interface ConditionAgentDraft {
  /** Conditions by alert name. */
  readonly conditions: Readonly<Record<string, AlertCondition>>;
  /** Rules by trigger: one alert once, or alerts with required counts. */
  readonly rules?: readonly (readonly [
    action: Signal,
    needs: string | Readonly<Record<string, number>>,
  ])[];
  readonly interval?: string;
  readonly network?: "practice" | "mainnet";
  readonly changedAtMs?: number;
}

/** World of agents with conditions: one database, bars of the practice market, any number of servers. */
export interface ConditionWorld {
  readonly database: TestDatabase;
  readonly clock: TestClock;
  readonly history: CandleHistory;
  readonly problems: unknown[];
  addAgent(draft: ConditionAgentDraft): Promise<AgentId>;
  /** Starts a server with its own memory and intake. */
  startServer(
    parts?: Partial<ConditionRunnerDeps>,
  ): ConditionRunner & { readonly receiver: AlertReceiver };
  /** Returns why conditions on a market cannot fire, as any process would tell; null when they can. */
  troubleOf(market: ConditionMarket): Promise<FeedTrouble | null>;
  /** Returns `alert outcome reason close` of every arrival, oldest first. */
  signals(agentId: AgentId): Promise<string[]>;
  close(): Promise<void>;
}

export async function createConditionWorld(
  clock: TestClock = createTestClock(),
): Promise<ConditionWorld> {
  const database = await createTestDatabase();
  const history = createPracticeHistory(createPracticeMarket(), clock);
  const receivers: AlertReceiver[] = [];
  const problems: unknown[] = [];
  const { db } = database;
  return {
    troubleOf: async (market) => (await readFeedTroubles(db)).get(feedKeyOf(market) ?? "") ?? null,
    database,
    clock,
    history,
    problems,
    async addAgent({ conditions, rules = [], interval = "1h", network = "practice", changedAtMs }) {
      const [id, chatId] = [parseAgentId(newTestId()), newTestId()];
      const at = new Date(changedAtMs ?? clock.now());
      const chat = { id: chatId, owner: OWNER, title: "t", created_at: at, updated_at: at };
      await db.insertInto("chats").values(chat).execute();
      await db
        .insertInto("agents")
        .values({
          id,
          chat_id: chatId,
          owner: OWNER,
          network,
          venue: "drift",
          name: id,
          name_key: id,
          market_id: "SOL-PERP",
          interval,
          slippage_bps: 50,
          auto_trade: "on",
          created_at: at,
          updated_at: at,
        })
        .execute();
      await db.insertInto("lanes").values({ agent_id: id }).execute();
      const alertIds = new Map(Object.keys(conditions).map((name) => [name, newTestId()]));
      const alertId = (name: string) => alertIds.get(name) ?? "";
      for (const [name, condition] of Object.entries(conditions)) {
        await db
          .insertInto("alerts")
          .values({
            id: alertId(name),
            agent_id: id,
            name,
            name_key: name,
            condition: JSON.stringify(condition) as never,
          })
          .execute();
      }
      for (const [action, needs] of rules) {
        const ruleId = newTestId();
        await db.insertInto("rules").values({ id: ruleId, agent_id: id, action }).execute();
        const counts = Object.entries(typeof needs === "string" ? { [needs]: 1 } : needs);
        await db
          .insertInto("rule_conditions")
          .values(
            counts.map(([name, count]) => ({
              rule_id: ruleId,
              alert_id: alertId(name),
              required_count: count,
            })),
          )
          .execute();
      }
      return id;
    },
    startServer(parts = {}) {
      const receiver = createAlertReceiver({
        database: database.as("trading"),
        newId: newTestId,
        onStored: () => {},
        onError: (error) => problems.push(error),
      });
      receivers.push(receiver);
      const runner = createConditionRunner({
        db: database.as("trading").db,
        clock,
        historyOf: () => history,
        receive: (delivery) => receiver.receive(delivery),
        publisher: { publish() {} },
        log: { warn: (detail) => void problems.push(detail) },
        ...parts,
      });
      return { ...runner, receiver };
    },
    async signals(agentId) {
      const signals = await listReceivedSignals(db, agentId, 10_000);
      return signals
        .toReversed()
        .map(({ alertName, outcome, reason, fired }) =>
          [alertName, outcome, reason, fired?.closedAt.toISOString().slice(5, 16)]
            .filter(Boolean)
            .join(" "),
        );
    },
    async close() {
      for (const receiver of receivers) await receiver.drain();
      await database.drop();
    },
  };
}
