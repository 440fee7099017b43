import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import closeWithGrace from "close-with-grace";
import { createPracticeMarket } from "../../practice/practice-market.ts";
import { createConditionRunner } from "../alert-sources/conditions/condition-runner.ts";
import { tradingView } from "../alert-sources/tradingview.ts";
import { createApp } from "./app.ts";
import { createReadTokens } from "../auth/read-tokens.ts";
import { createSessions } from "../auth/sessions.ts";
import { ConfigError, loadServerConfig } from "../config.ts";
import { createCustody } from "../custody/custody.ts";
import { createCustodyGuard } from "../custody/custody-guard.ts";
import { openRemoteSigner, type SignerPort } from "../custody/signer/remote-signer.ts";
import { createHousekeeping } from "../housekeeping/housekeeping.ts";
import { requireFreePort } from "../http/require-free-port.ts";
import { logNodeTrouble } from "./log-node-trouble.ts";
import { openCandles } from "./open-candles.ts";
import { openClock } from "./open-clock.ts";
import { openNetworks, type OpenNetworksDeps } from "./open-networks.ts";
import { countAlerts } from "../metrics/count-alerts.ts";
import { addConditionGauges } from "../metrics/condition-gauges.ts";
import { addHealthGauges } from "../metrics/health-gauges.ts";
import { openMetrics } from "../metrics/open-metrics.ts";
import { inClass } from "../networks.ts";
import { newId } from "../new-id.ts";
import { registerDocs } from "../openapi/register-docs.ts";
import { openNotices } from "./open-notices.ts";
import { openStore } from "./open-store.ts";
import { openSwitch } from "./open-switch.ts";
import { createLogger } from "./logger.ts";
import { poolRandom } from "../pool-random.ts";
import { createAccountReader } from "../positions/account-reader.ts";
import { withRecordedFigures } from "../positions/recorded-figures.ts";
import { createStalePublisher } from "../push/create-stale-publisher.ts";
import { createEventStreams } from "../push/event-streams.ts";
import { bookAgent } from "../ledger/book-agent.ts";
import { closeBook } from "../ledger/close-book.ts";
import { createAgentLooks } from "../reconcile/agent-looks.ts";
import { createReconciler } from "../reconcile/reconciler.ts";
import { agentHealthHandlers } from "../routes/agent-health.ts";
import { agentHandlers } from "../routes/agents.ts";
import { alertHandlers } from "../routes/alerts.ts";
import { authHandlers } from "../routes/auth.ts";
import { candleHistoryHandlers } from "../routes/candle-history.ts";
import { candleHandlers } from "../routes/candles.ts";
import { chatHandlers } from "../routes/chats.ts";
import { messageHandlers } from "../routes/messages.ts";
import { custodyHandlers } from "../routes/custody.ts";
import { decisionHandlers } from "../routes/decisions.ts";
import { deploymentHandlers } from "../routes/deployment.ts";
import { healthHandlers } from "../routes/health.ts";
import { schemaHandlers } from "../routes/schemas.ts";
import { hypothesisHandlers } from "../routes/hypotheses.ts";
import { performanceHandlers } from "../routes/performance.ts";
import { exportHandlers } from "../routes/exports.ts";
import { ledgerHandlers } from "../routes/ledger.ts";
import { noticeHandlers } from "../routes/notices.ts";
import { practiceHandlers } from "../routes/practice.ts";
import { readTokenHandlers } from "../routes/read-tokens.ts";
import { ruleHandlers } from "../routes/rules.ts";
import { changeHandlers } from "../routes/changes.ts";
import { signalHandlers } from "../routes/signals.ts";
import { tradeHandlers } from "../routes/trade.ts";
import { tradingCostHandlers } from "../routes/trading-costs.ts";
import { tradeLogHandlers } from "../routes/trade-log.ts";
import { walletHandlers } from "../routes/wallet.ts";
import { registerWebhook } from "../routes/webhook.ts";
import { LaunchError } from "../store/launch/launch-error.ts";
import { NewerDatabaseError } from "../store/postgres/migrate.ts";
import { openProbe } from "../store/postgres/probe.ts";
import { tellOfLowSol } from "../store/notices/notice-watch.ts";
import { createPipeline } from "../trading/pipeline.ts";

/** Connections that may wait to be accepted while this process is busy; the kernel's own limit may be lower. */
const LISTEN_BACKLOG = 4_096;

const random = poolRandom(randomBytes);
const prices = createPracticeMarket();

/** Returns the channel to the signer. The parent process holds the signer and stops it by exiting. */
function signerPort(): SignerPort {
  const send = process.send?.bind(process);
  if (send === undefined) throw new Error("This process is started by the server's main one");
  return {
    send: (message) => void send(message),
    onMessage: (listen) => void process.on("message", listen),
  };
}

async function main(): Promise<void> {
  // Killed immediately, as if this process itself had been killed
  process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
  const config = loadServerConfig(process.env);
  await requireFreePort(config);
  const logger = createLogger(config.logLevel);
  const onFailure = (error: unknown) => logger.warn({ err: error }, "background work failed");
  const onLeftover: OpenNetworksDeps["onLeftover"] = ({ vault }, { mint }, amount) =>
    logger.error({ vault, mint, amount: amount.toString() }, "trading key was not empty: swept");
  const store = await openStore(config, onFailure);
  const { db } = store.main;
  if (!store.isAuditGuarded) {
    logger.warn(
      "DATABASE_URL's role owns the tables and could rewrite the audit log; DATABASE_OWNER_URL keeps the two apart.",
    );
  }
  const clock = await openClock(store, config, logger);

  const keys = await openRemoteSigner(signerPort(), store.url);
  const sessionSecret = Buffer.from(config.sessionSecret);
  const webhookKey = createHmac("sha256", sessionSecret).update("webhook").digest();
  const publicUrl = new URL(config.publicUrl);
  const networks = await openNetworks({
    config,
    store,
    keys,
    clock,
    prices,
    onLeftover,
    onNodeTrouble: logNodeTrouble(logger),
  }).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  for (const { network, lookupTable } of networks.values()) {
    if (lookupTable === undefined) {
      logger.warn({ network }, "no lookup table is set: some owners' transactions will not fit");
    }
  }
  const publisher = createStalePublisher(store.notifier);
  const operatorSwitch = await openSwitch(store.url, config.dataDir, (said) => logger.warn(said));
  const { tradingState } = operatorSwitch;
  const probe = openProbe(store.url);
  const shared = { db, clock, random, networks, publisher, publicUrl, tradingState };
  const looking = { ...shared, networks: inClass(networks, "reconcile") };
  const shown = { ...shared, networks: inClass(networks, "screen") };
  const traded = { ...shared, networks: inClass(networks, "entry") };

  const accounts = createAccountReader({
    ...shown,
    complete: (venue, agentId, state) => withRecordedFigures(db, venue, agentId, state),
    onFailure,
  });
  const custodyMemory = new Map<string, number>();
  const guard = createCustodyGuard({ ...traded, keys, goodSince: custodyMemory });
  const pipeline = createPipeline({
    ...traded,
    alertDatabase: store.alerts,
    lanes: store.lanes.pool,
    hints: store.notifier,
    worker: randomUUID(),
    signer: { feePayer: keys.feePayer.address, sign: keys.sign },
    newId: () => newId(random),
    custodyCheck: guard,
    log: logger,
  });
  const custody = createCustody({
    ...shared,
    keys,
    onFailure,
    onPositionsClosed: pipeline.positionsClosed,
  });
  const metrics = openMetrics({
    ...looking,
    feePayer: keys.feePayer.address,
    token: config.metricsToken,
    log: logger,
    onLow: (network) => tellOfLowSol(db, network, new Date(clock.now()).toISOString().slice(0, 10)),
  });
  const feePayers = [keys.feePayer, ...keys.formerFeePayers].map(({ address }) => address);
  const receive = countAlerts(metrics.registry, pipeline.receive);
  const candles = openCandles({ ...shared, prices, enabled: config.networks });
  const conditions = createConditionRunner({
    ...shared,
    historyOf: candles.evaluated,
    receive,
    log: logger,
  });
  addConditionGauges(metrics.registry, conditions.counts);
  const looks = createAgentLooks(clock);
  addHealthGauges(metrics.registry, { db, clock, looks });
  const agentsShown = {
    ...shared,
    lastAccount: accounts.latest,
    candleTrouble: conditions.troubleOf,
  };
  const reconciler = createReconciler({
    ...looking,
    looks,
    keys,
    guard: createCustodyGuard({ ...looking, keys, goodSince: custodyMemory }),
    alongside: metrics.feePayer.look,
    book: (agent) => bookAgent({ ...looking, feePayers, log: logger }, agent),
    onFailure,
  });
  const notices = openNotices({
    ...shared,
    sessionSecret,
    pushSecret: Buffer.from(config.pushSecret, "hex"),
    mail: config.mail,
    onFailure,
  });
  const closeCustody = async (agentId: string) => {
    await custody.close(agentId);
    await closeBook({ ...traded, feePayers, log: logger }, agentId);
  };
  const housekeeping = createHousekeeping({ db, clock, onFailure });
  const sessions = createSessions({ ...shared, secret: sessionSecret });
  const readTokens = createReadTokens(shared);
  const streams = createEventStreams({ hints: store.notifier, clock, isLive: sessions.isLive });

  const app = createApp({
    ...shared,
    logger,
    sessions,
    readTokens,
    streams,
    aiOrigins: config.aiOrigins,
    listenHost: config.host,
    clientDir: join(dirname(fileURLToPath(import.meta.url)), "../client"),
    metrics,
    ...(config.trustedProxies.length === 0 ? {} : { trustProxy: config.trustedProxies.join(",") }),
    handlers: {
      ...authHandlers({ sessions, streams }),
      ...chatHandlers({ ...agentsShown, closeCustody }),
      ...messageHandlers(agentsShown),
      ...agentHandlers({ ...agentsShown, closeCustody }),
      ...agentHealthHandlers({ ...agentsShown, looks }),
      ...alertHandlers(agentsShown),
      ...ruleHandlers(agentsShown),
      ...hypothesisHandlers(agentsShown),
      ...tradeLogHandlers(shared),
      ...deploymentHandlers({ ...shown, aiOrigins: config.aiOrigins }),
      ...healthHandlers({ requireReady: probe.requireWritable }),
      ...schemaHandlers(),
      ...changeHandlers(shared),
      ...decisionHandlers(shared),
      ...noticeHandlers(notices.routes),
      ...signalHandlers({
        ...agentsShown,
        webhookKey,
        isSenderLimited: config.alertSenders !== undefined,
        pipeline,
      }),
      ...custodyHandlers({ ...shared, custody }),
      ...tradeHandlers({ ...shown, accounts }),
      ...performanceHandlers({ ...shown, accounts, lastAccount: accounts.latest }),
      ...ledgerHandlers(shared),
      ...exportHandlers(shared),
      ...readTokenHandlers({ readTokens }),
      ...practiceHandlers(shared),
      ...walletHandlers(shown),
      ...candleHandlers({ candlesOf: candles.chart }),
      ...candleHistoryHandlers({ clock, historyOf: candles.shown }),
      ...tradingCostHandlers(shown),
    },
    raw: [
      (scope) => registerDocs(scope, config.publicUrl),
      (scope) =>
        registerWebhook(scope, {
          clock,
          webhookKey,
          source: tradingView,
          senders: config.alertSenders,
          receive,
        }),
    ],
  });

  const stop = async () => {
    streams.close();
    await app.close();
    await conditions.stop();
    await pipeline.stop();
    await custody.stop();
    await reconciler.stop();
    await housekeeping.stop();
    await notices.dispatcher.stop();
    await clock.stop();
    await operatorSwitch.close();
    await probe.close();
    await store.close();
  };
  closeWithGrace({ delay: 15_000, logger: false }, async ({ err }) => {
    if (err !== undefined) logger.fatal({ err }, "stopping after an unexpected error");
    await stop();
  });
  try {
    await app.listen({ host: config.host, port: config.port, backlog: LISTEN_BACKLOG });
  } catch (error) {
    await stop();
    throw error;
  }
  pipeline.start();
  conditions.start();
  custody.start();
  reconciler.start();
  housekeeping.start();
  notices.dispatcher.start();
  process.stdout.write(`Wheelhouse is ready at ${config.publicUrl}\n`);
}

main().catch((error: unknown) => {
  const isForUser =
    error instanceof ConfigError ||
    error instanceof LaunchError ||
    error instanceof NewerDatabaseError;
  process.stderr.write(`${isForUser ? error.message : String((error as Error).stack ?? error)}\n`);
  // The channel to the signer would keep this process alive
  process.exit(1);
});
