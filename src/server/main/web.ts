import { createHmac } from "node:crypto";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AgentId } from "../../domain/ids.ts";
import { isBuiltIn } from "../../domain/network.ts";
import { tradingView } from "../alert-sources/tradingview.ts";
import { createReadTokens, type ReadTokens } from "../auth/read-tokens.ts";
import { createSessions, type Sessions } from "../auth/sessions.ts";
import { createCustody, type Custody } from "../custody/custody.ts";
import { createStopWatch } from "../reconcile/watch-stops.ts";
import { closeLedger } from "../ledger/close-ledger.ts";
import { countAlerts } from "../metrics/count-alerts.ts";
import { openWebMetrics } from "../metrics/open-metrics.ts";
import { inClass } from "../networks.ts";
import { newId } from "../crypto/new-id.ts";
import { registerDocs } from "../openapi/register-docs.ts";
import { createAccountReader, type AccountReader } from "../positions/account-reader.ts";
import { invalidateAccountCache } from "../positions/invalidate-account-cache.ts";
import { withShownFigures } from "../positions/recorded-figures.ts";
import { createEventStreams, type EventStreams } from "../push/event-streams.ts";
import { type Connections, createConnections } from "../auth/connections.ts";
import { createFetchOutside } from "../notices/post-outside.ts";
import { connectionHandlers, registerOAuth } from "../routes/oauth.ts";
import { registerMcp } from "../routes/mcp.ts";
import { registerWebhook } from "../routes/webhook.ts";
import { isAuditGuarded, takesAllPlaces } from "../store/postgres/process-roles.ts";
import { registerStatus } from "../status/register-status.ts";
import { createIntake, type Intake } from "../trading/intake.ts";
import { laneTopic } from "../trading/pipeline.ts";
import { createApp } from "./app.ts";
import { openCandles, type OpenCandles } from "./open-candles.ts";
import { noticeSettings, openNotices } from "./open-notices.ts";
import { portFault } from "./keep-process.ts";
import { type OpenedProcess, type ProcessWork, runProcess } from "./open-process.ts";
import type { ClockDifference } from "../clock/steady-clock.ts";
import { loadSessionSecret, type ServerConfig } from "../config.ts";
import type { Handlers } from "../http/handler.ts";
import { agentHealthHandlers } from "../routes/agent-health.ts";
import { agentHandlers } from "../routes/agents.ts";
import { alertHandlers } from "../routes/alerts.ts";
import { authHandlers } from "../routes/auth-routes.ts";
import { candleHistoryHandlers } from "../routes/candle-history.ts";
import { candleHandlers } from "../routes/candles.ts";
import { chatHandlers } from "../routes/chats.ts";
import { messageHandlers } from "../routes/messages.ts";
import { custodyHandlers } from "../routes/custody.ts";
import { decisionHandlers } from "../routes/decisions.ts";
import { deploymentHandlers, presentAssets } from "../routes/deployment.ts";
import { documentationHandlers } from "../routes/documentation.ts";
import { healthHandlers } from "../routes/health.ts";
import { schemaHandlers } from "../routes/schemas.ts";
import { hypothesisHandlers } from "../routes/hypotheses.ts";
import { performanceHandlers } from "../routes/performance.ts";
import { exportHandlers } from "../routes/exports.ts";
import { ledgerHandlers } from "../routes/ledger.ts";
import { noticeHandlers, type NoticeRouteDeps } from "../routes/notices.ts";
import { practiceHandlers } from "../routes/practice.ts";
import { proposalHandlers } from "../routes/proposals.ts";
import { readTokenHandlers } from "../routes/read-tokens.ts";
import { ruleHandlers } from "../routes/rules.ts";
import { changeHandlers } from "../routes/changes.ts";
import { signalHandlers } from "../routes/signals.ts";
import { tradeHandlers } from "../routes/trade.ts";
import { tradingCostHandlers } from "../routes/trading-costs.ts";
import { tradeLogHandlers } from "../routes/trade-log.ts";
import { readinessHandlers } from "../routes/readiness.ts";
import { triedVariantHandlers } from "../routes/tried-variants.ts";
import { walletHandlers } from "../routes/wallet.ts";
import { createSimulations, isSimulationAnswer } from "../pacing/simulations.ts";
import { createDrain } from "../http/drain.ts";
import { withStorageBudget } from "../http/storage-budget.ts";
import { readLandedSlots } from "../store/agents/agents.ts";
import { openProbe } from "../store/postgres/probe.ts";

/** Tells whether this server should be handed calls. */
function openReadiness(databaseUrl: string) {
  const probe = openProbe(databaseUrl);
  const drain = createDrain();
  return {
    /** Throws while no alert can be stored, or once this server is about to stop. */
    async requireReady(): ReturnType<typeof probe.requireWritable> {
      drain.requireOpen();
      return probe.requireWritable();
    },
    /** Reports that the server is about to stop, and waits while it still answers calls. */
    drain: drain.run,
    close: probe.close,
  };
}

interface WebParts {
  readonly shared: OpenedProcess["shared"];
  /** The same with the networks' calls made for screens, which wait where requests are scarce. */
  readonly shown: OpenedProcess["shared"];
  readonly config: ServerConfig;
  readonly webhookKey: Uint8Array;
  /** Stores an alert and counts it in the metrics. */
  readonly receive: Intake["receive"];
  readonly sessions: Sessions;
  readonly readTokens: ReadTokens;
  readonly connections: Connections;
  readonly streams: EventStreams;
  readonly intake: Intake;
  readonly custody: Custody;
  readonly closeCustody: (agentId: AgentId) => Promise<void>;
  readonly accounts: AccountReader;
  readonly candles: OpenCandles;
  readonly notices: NoticeRouteDeps;
  readonly readiness: ReturnType<typeof openReadiness>;
  readonly clockDifference: ClockDifference;
}

/** Returns a folder of the build beside the server's. */
const besideServer = (name: string): string =>
  join(dirname(fileURLToPath(import.meta.url)), "..", name);

/** Returns the handler of every call; each asks the wallet's budget of stored bytes first. */
const webHandlers = (parts: WebParts): Handlers => withStorageBudget(plainHandlers(parts));

function plainHandlers(parts: WebParts): Handlers {
  const { shared, shown, config, sessions, streams, accounts, candles, closeCustody } = parts;
  const { clock } = shared;
  const agents = { ...shared, lastAccount: accounts.latest };
  return {
    ...authHandlers({ sessions, streams }),
    ...chatHandlers({ ...agents, closeCustody }),
    ...messageHandlers(agents),
    ...agentHandlers({ ...agents, closeCustody }),
    ...agentHealthHandlers(shared),
    ...alertHandlers(agents),
    ...ruleHandlers(agents),
    ...hypothesisHandlers(agents),
    ...tradeLogHandlers(shared),
    ...deploymentHandlers({ ...shown, aiOrigins: config.aiOrigins }),
    ...documentationHandlers({ docsDir: besideServer("docs") }),
    ...healthHandlers({
      requireReady: parts.readiness.requireReady,
      wrongSeconds: parts.clockDifference.wrongSeconds,
    }),
    ...schemaHandlers(),
    ...changeHandlers(shared),
    ...decisionHandlers(shared),
    ...noticeHandlers(parts.notices),
    ...signalHandlers({
      ...agents,
      source: tradingView,
      webhookKey: parts.webhookKey,
      receive: parts.receive,
      pipeline: parts.intake,
    }),
    ...custodyHandlers({ ...shared, custody: parts.custody }),
    ...tradeHandlers({ ...shown, accounts }),
    ...performanceHandlers({ ...shown, accounts, lastAccount: accounts.latest }),
    ...ledgerHandlers(shared),
    ...exportHandlers(shared),
    ...readTokenHandlers({ readTokens: parts.readTokens }),
    ...connectionHandlers({ connections: parts.connections }),
    ...proposalHandlers({ ...agents, setAutoTrade: parts.intake.setAutoTrade }),
    ...readinessHandlers(agents),
    ...practiceHandlers(shared),
    ...walletHandlers(shown),
    ...candleHandlers({ candlesOf: candles.chart }),
    ...candleHistoryHandlers({ clock, historyOf: candles.shown }),
    ...tradingCostHandlers({ ...shown, publishedFunding: candles.publishedFunding }),
    ...triedVariantHandlers(shared),
  };
}

/** Connections that may wait to be accepted while this process is busy; the kernel's own limit may be lower. */
const LISTEN_BACKLOG = 4_096;

/** Creates the services behind the calls that change something of an agent's trading or custody. */
function openServices({ store, keys, logger, onFailure, shared }: OpenedProcess) {
  const traded = { ...shared, networks: inClass(shared.networks, "entry") };
  // Lanes are in the trading process, which a hint wakes; without one its poll finds the work
  const intake = createIntake({
    ...traded,
    alertDatabase: store.alerts,
    newId: () => newId(shared.random),
    wake: (agentId, isExit) => store.notifier.notify(laneTopic(isExit), agentId),
    log: logger,
  });
  const custody = createCustody({
    ...shared,
    keys,
    onFailure,
    onPositionsClosed: intake.positionsClosed,
  });
  const feePayers = [keys.feePayer, ...keys.formerFeePayers].map(({ address }) => address);
  const closeCustody = async (agentId: AgentId) => {
    await custody.close(agentId);
    await closeLedger({ ...traded, feePayers, log: logger }, agentId);
  };
  return { intake, custody, closeCustody };
}

/** Warns of settings that work and are not what an operator wants. */
async function warnOfSettings({ store, logger, shared }: OpenedProcess): Promise<void> {
  if (!(await isAuditGuarded(store.url))) {
    logger.warn(
      "DATABASE_URL's role owns the tables and could rewrite the audit log; DATABASE_OWNER_URL keeps the two apart.",
    );
  }
  if (await takesAllPlaces(store.url)) {
    logger.warn(
      "DATABASE_URL's role has no connection limit and could leave no connection for exits; docs/operating.md, A database of your own",
    );
  }
  for (const { network, lookupTable } of shared.networks.values()) {
    if (lookupTable === undefined) {
      logger.warn({ network }, "no lookup table is set: some owners' transactions will not fit");
    }
  }
}

/** Returns what the webhook's route needs; alerts are stored here whether or not anybody trades. */
function webhookOf(
  { config, shared }: OpenedProcess,
  webhookKey: Uint8Array,
  intake: Pick<Intake, "receive" | "noteUnreadable">,
) {
  const { clock } = shared;
  return { clock, webhookKey, source: tradingView, senders: config.alertSenders, ...intake };
}

/**
 * Returns what has a simulation run in the process for them: the one that answers the internet may start no thread, which
 * would not be confined as the process is.
 */
function openSimulate({ shared }: OpenedProcess) {
  const simulations = createSimulations({
    send: (message) => process.connected && process.send?.(message),
    newId: () => newId(shared.random),
  });
  process.on("message", (message) => isSimulationAnswer(message) && simulations.hear(message));
  return simulations.run;
}

/** Creates what answers pages and webhooks; nothing here has orders signed. */
function createWeb(opened: OpenedProcess): ProcessWork {
  const { config, logger, store, prices, onFailure, shared } = opened;
  const { db, clock, networks } = shared;
  const sessionSecret = Buffer.from(loadSessionSecret(process.env));
  const webhookKey = createHmac("sha256", sessionSecret).update("webhook").digest();
  const shown = { ...shared, networks: inClass(networks, "screen") };
  const services = openServices(opened);
  const readiness = openReadiness(store.url);
  const metrics = openWebMetrics({
    ...shown,
    clockDifference: opened.clockDifference,
    token: config.metricsToken,
  });
  const sessions = createSessions({ ...shared, secret: sessionSecret });
  const readTokens = createReadTokens(shared);
  const connections = createConnections({
    ...shared,
    secret: sessionSecret,
    fetchOutside: createFetchOutside(),
  });
  const streams = createEventStreams({ hints: store.notifier, clock, liveOf: sessions.liveOf });
  for (const { network, livePrices } of networks.values()) {
    // Of a real network's position nothing is shown that its venue did not say
    if (!isBuiltIn(network)) continue;
    livePrices?.onNew((bulletin) =>
      streams.sendPrices({ network, assets: presentAssets(bulletin) }),
    );
  }
  const accounts = createAccountReader({
    ...shown,
    landedSlots: (agentIds) => readLandedSlots(db, agentIds),
    complete: (venue, agentId, state) => withShownFigures(db, venue, agentId, state),
    onFailure,
  });
  invalidateAccountCache(store.notifier, accounts);
  const stops = createStopWatch({ ...shown, onFailure });
  const simulate = openSimulate(opened);
  const receive = countAlerts(metrics.registry, services.intake.receive);
  const { noteUnreadable } = services.intake;
  const webhook = webhookOf(opened, webhookKey, { receive, noteUnreadable });
  const handlers = webHandlers({
    ...services,
    shared,
    shown,
    config,
    webhookKey,
    receive,
    readiness,
    clockDifference: opened.clockDifference,
    sessions,
    readTokens,
    connections,
    streams,
    accounts,
    candles: openCandles({ ...shared, ...config, prices, enabled: config.networks }),
    notices: openNotices({ ...shared, ...noticeSettings(opened), onFailure }).routes,
  });
  const app = createApp({
    ...shared,
    logger,
    sessions,
    readTokens,
    streams,
    aiOrigins: config.aiOrigins,
    listenHost: config.host,
    clientDir: besideServer("client"),
    metrics,
    trustedProxies: config.trustedProxies,
    handlers,
    raw: [
      (scope) => registerDocs(scope, config.publicUrl),
      (scope) => registerWebhook(scope, webhook),
      (scope) => registerMcp(scope, { ...shown, readTokens, handlers, logger, simulate }),
      (scope) => registerOAuth(scope, { ...shared, connections }),
      (scope) => registerStatus(scope, { ...shown, token: config.metricsToken }),
    ],
  });

  return {
    async start() {
      await warnOfSettings(opened);
      const { host, port } = config;
      await app.listen({ host, port, backlog: LISTEN_BACKLOG }).catch((error: unknown) => {
        throw portFault(error, config);
      });
      stops.start();
    },
    drain: () => readiness.drain(app.server, config.drainSeconds),
    async stop() {
      streams.close();
      await stops.stop();
      await app.close();
      await services.intake.drain();
      await services.custody.stop();
      await readiness.close();
    },
  };
}

runProcess("web", createWeb);
