import { randomBytes } from "node:crypto";
import { accountReader } from "./inherit-terms.ts";
import { address as addressOfText } from "@solana/kit";
import type { AgentId } from "../src/domain/ids.ts";
import { createTestClock } from "./clock.ts";
import { practiceRules, practiceVenues } from "./practice-venues.ts";
import { share, type TestDatabase } from "./database.ts";
import { createTestServer, type TestServer, type TestServerOptions } from "./server.ts";
import { newTestId } from "./world.ts";
import type { PracticeLedger } from "../src/practice/ledger.ts";
import { createMemoryLedger } from "./memory-ledger.ts";
import { createPracticeChain, type PracticeChain } from "../src/practice/practice-chain.ts";
import { createPracticeMarket } from "../src/practice/practice-market.ts";
import { tradingView } from "../src/server/alert-sources/tradingview.ts";
import { webhookToken } from "../src/server/alert-sources/webhook-token.ts";
import { readLandedSlots } from "../src/server/store/agents/agents.ts";
import type { AgentDeps } from "../src/server/agents/agent-changes.ts";
import { createCustody, type Custody } from "../src/server/custody/custody.ts";
import { createCustodyKeys } from "../src/server/custody/account/custody-keys.ts";
import { createTradingKeySigner } from "../src/server/custody/signer/create-trading-key-signer.ts";
import { createSigningLedger } from "../src/server/custody/signer/signing-ledger.ts";
import { createSigningAgents } from "../src/server/custody/signer/read-signing-agent.ts";
import { createCandles } from "../src/server/market-data/candles.ts";
import { createPracticeCandles } from "../src/server/market-data/practice-candles.ts";
import { createEntryAtr } from "../src/server/alert-sources/conditions/entry-atr.ts";
import { createPracticeHistory } from "../src/server/market-data/practice-history.ts";
import { deriveNoticeKeys } from "../src/server/notices/encrypt-target.ts";
import { openNotices } from "../src/server/main/open-notices.ts";
import type { Networks } from "../src/server/networks.ts";
import type { Witnesses } from "../src/solana/witnesses.ts";
import { createAccountReader } from "../src/server/positions/account-reader.ts";
import { closeLedger } from "../src/server/ledger/close-ledger.ts";
import { agentHandlers } from "../src/server/routes/agents.ts";
import { agentHealthHandlers } from "../src/server/routes/agent-health.ts";
import { candleHistoryHandlers } from "../src/server/routes/candle-history.ts";
import { candleHandlers } from "../src/server/routes/candles.ts";
import { custodyHandlers } from "../src/server/routes/custody.ts";
import { noticeHandlers } from "../src/server/routes/notices.ts";
import { practiceHandlers } from "../src/server/routes/practice.ts";
import { changeHandlers } from "../src/server/routes/changes.ts";
import { decisionHandlers } from "../src/server/routes/decisions.ts";
import { proposalHandlers } from "../src/server/routes/proposals.ts";
import { signalHandlers } from "../src/server/routes/signals.ts";
import { performanceHandlers } from "../src/server/routes/performance.ts";
import { tradeHandlers } from "../src/server/routes/trade.ts";
import { tradingCostHandlers } from "../src/server/routes/trading-costs.ts";
import { walletHandlers } from "../src/server/routes/wallet.ts";
import { registerWebhook } from "../src/server/routes/webhook.ts";
import { openDatabase } from "../src/server/store/postgres/pool.ts";
import { createIntake, type Intake } from "../src/server/trading/intake.ts";
import {
  createPipeline,
  laneTopic,
  type Pipeline,
  type PipelineDeps,
} from "../src/server/trading/pipeline.ts";
import { createDriftVenue } from "../src/venues/drift/drift-venue.ts";
import { DRIFT_V2_INSTANCE } from "../src/venues/drift/instance.ts";

/** A server with every call of the route table behind its real handler, on a practice chain of its own. */
export interface FullServer extends TestServer {
  readonly chain: PracticeChain;
  readonly custody: Custody;
  readonly pipeline: Pipeline;
  /** Sends the notices that are due. */
  sendNotices(): Promise<number>;
  /** The token that fires an agent's alerts. */
  webhookTokenOf(agentId: AgentId): string;
}

type FullServerOptions = Pick<
  TestServerOptions,
  "clock" | "app" | "heartbeatMs" | "mcp" | "publicUrl" | "fetchOutside"
> & {
  readonly alertsPerMinute?: number;
  /** Offers notices by e-mail through this server. */
  readonly mailUrl?: string;
  /** Holds what the chain answers against the agents' records, as on a network with one node. */
  readonly hasNode?: true;
  /** Goes on with the practice chain and the keys of an earlier product, on every venue. */
  readonly kept?: { readonly ledger: PracticeLedger; readonly custodySecret: Uint8Array };
};

/** Creates the hints between two processes, which arrive at once. */
function createHints(): PipelineDeps["hints"] {
  const listeners = new Map<string, (id: string) => void>();
  return {
    notify: (topic, id) => listeners.get(topic)?.(id),
    subscribe(topic, listener) {
      listeners.set(topic, listener);
      return () => void listeners.delete(topic);
    },
  };
}

/** Gives the tests of a file or suite one full server. */
export const useFullServer = (database: TestDatabase, options?: FullServerOptions): FullServer =>
  share(
    () => createFullServer(database, options),
    (server) => server.close(),
  );

export async function createFullServer(
  database: TestDatabase,
  options: FullServerOptions = {},
): Promise<FullServer> {
  const clock = options.clock ?? createTestClock();
  const prices = createPracticeMarket();
  const keys = createCustodyKeys(options.kept?.custodySecret ?? randomBytes(32));
  const webhookKey = randomBytes(32);
  const log = { debug() {}, warn() {}, error() {} };
  const publicUrl = new URL(options.publicUrl ?? "http://app.test");
  const alerts = openDatabase({
    url: database.as("web").url,
    maxConnections: 2,
    statementTimeoutMs: 1_500,
    lockTimeoutMs: 800,
    connectTimeoutMs: 1_000,
  });
  const ledger = options.kept?.ledger ?? createMemoryLedger();
  const chain = await createPracticeChain({ ledger, clock, prices });
  await chain.fund(keys.feePayer.address, { lamports: 1_000_000_000_000n, quoteUnits: 0n });
  const venue = createDriftVenue({ chain, instance: DRIFT_V2_INSTANCE, clock });
  const networks: Networks = new Map([
    [
      "practice",
      {
        network: "practice",
        chain,
        ...(options.hasNode && {
          witnesses: {
            count: 1,
            askEach: async (_slot, work) => [{ value: await work(chain), reject() {} }],
          } satisfies Witnesses,
        }),
        venues:
          options.kept === undefined
            ? new Map([[venue.id, venue]])
            : practiceVenues(chain, prices, clock),
        explorerUrl: null,
        faucet: {
          give: (owner, lamports, quoteUnits) =>
            chain.faucet(addressOfText(owner), { lamports, quoteUnits }),
        },
      },
    ],
  ]);

  const noticesOf = ({ db, random }: AgentDeps) =>
    openNotices({
      db,
      clock,
      random,
      publicUrl,
      noticeKeys: { ...deriveNoticeKeys(webhookKey), push: webhookKey },
      mail:
        options.mailUrl === undefined
          ? undefined
          : { smtpUrl: options.mailUrl, from: "W <w@app.test>" },
      onFailure: () => {},
    });
  const hints = createHints();
  const trading = database.as("trading");
  let made: { custody: Custody; pipeline: Pipeline; intake: Intake } | undefined;
  const accountsOf = (deps: AgentDeps) =>
    createAccountReader({
      ...deps,
      landedSlots: (agentIds) => readLandedSlots(deps.db, agentIds),
    });
  const partsOf = ({ toldByNode, ...deps }: AgentDeps) =>
    (made ??= {
      custody: createCustody({ ...deps, keys }),
      intake: createIntake({
        ...deps,
        ...(toldByNode && { toldByNode }),
        alertDatabase: alerts,
        newId: newTestId,
        wake: (agentId, isExit) => hints.notify(laneTopic(isExit), agentId),
        log,
      }),
      pipeline: createPipeline({
        ...deps,
        db: trading.db,
        alertDatabase: trading,
        lanes: trading.pool,
        signer: createTradingKeySigner({
          keys,
          ledger: createSigningLedger({ pool: database.as("signer").pool, clock: deps.clock }),
          agents: createSigningAgents({
            pool: database.as("signer").pool,
            rulesOf: practiceRules(chain, prices, deps.clock),
            tradingState: () => "active",
            keys,
            clock: deps.clock,
            host: publicUrl.hostname,
            readAccount: accountReader(chain),
          }),
        }),
        newId: newTestId,
        entryAtr: createEntryAtr(() => createPracticeHistory(prices, deps.clock)),
        custodyCheck: async () => null,
        log,
        hints,
        worker: "test",
      }),
    });
  const server = await createTestServer(database, {
    ...options,
    clock,
    networks,
    handlers: (deps) => ({
      ...agentHandlers({
        ...deps,
        closeCustody: async (agentId) => {
          await partsOf(deps).custody.close(agentId);
          await closeLedger({ ...deps, feePayers: [keys.feePayer.address], log }, agentId);
        },
      }),
      ...agentHealthHandlers(deps),
      ...changeHandlers(deps),
      ...decisionHandlers(deps),
      ...noticeHandlers(noticesOf(deps).routes),
      ...proposalHandlers({
        ...deps,
        setAutoTrade: (...asked) => partsOf(deps).intake.setAutoTrade(...asked),
      }),
      ...signalHandlers({
        ...deps,
        publicUrl,
        webhookKey,
        source: tradingView,
        receive: (delivery) => partsOf(deps).intake.receive(delivery),
        pipeline: partsOf(deps).intake,
      }),
      ...custodyHandlers({ ...deps, custody: partsOf(deps).custody }),
      ...tradeHandlers({ ...deps, accounts: accountsOf(deps) }),
      ...performanceHandlers({ ...deps, accounts: accountsOf(deps) }),
      ...practiceHandlers(deps),
      ...walletHandlers(deps),
      ...candleHandlers({
        candlesOf: () => createCandles({ clock, sources: [createPracticeCandles(prices, clock)] }),
      }),
      ...tradingCostHandlers({ ...deps, publishedFunding: async () => null }),
      ...candleHistoryHandlers({ clock, historyOf: () => createPracticeHistory(prices, clock) }),
    }),
    raw: (deps) => [
      (scope) =>
        registerWebhook(scope, {
          clock,
          webhookKey,
          source: tradingView,
          receive: (delivery) => partsOf(deps).intake.receive(delivery),
          noteUnreadable: (...noted) => partsOf(deps).intake.noteUnreadable(...noted),
          ...(options.alertsPerMinute === undefined
            ? {}
            : {
                limits: {
                  alertsPerMinute: options.alertsPerMinute,
                  deliveriesPerMinute: options.alertsPerMinute,
                },
              }),
        }),
    ],
  });
  const { custody, pipeline, intake } = partsOf(server.deps);
  return {
    ...server,
    chain,
    custody,
    pipeline,
    sendNotices: () => noticesOf({ ...server.deps, db: trading.db }).dispatcher.run(),
    webhookTokenOf: (agentId) => webhookToken(webhookKey, agentId, 1),
    async close() {
      await intake.drain();
      await pipeline.stop();
      await custody.stop();
      await server.close();
      await alerts.close();
    },
  };
}
