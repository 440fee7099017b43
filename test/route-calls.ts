import { readyFigures } from "./readiness-figures.ts";
import { encode } from "../src/contract/codec.ts";
import type { IdSource, Route } from "../src/contract/route.ts";
import { ROUTES, type RouteName } from "../src/contract/routes.ts";
import { buildCompleteDraft } from "./drafts.ts";
import type { WireCallOf } from "./wire-call.ts";
import type { ObjectIds } from "./world.ts";

type Calls = { readonly [K in RouteName]: WireCallOf<(typeof ROUTES)[K]> };

const SIGNATURE = "2".repeat(88);

/** Returns a well-formed call of every route for these objects; a route without one does not compile. */
export function buildCalls(ids: ObjectIds): Calls {
  const agent = { params: { agentId: ids.agent } };
  const bot = { params: { botId: ids.agent } };
  const chat = { params: { chatId: ids.chat } };
  const named = { params: { agentId: ids.agent, alertName: ids.alertName } };
  const transaction = { params: { id: ids.transaction } };
  const channel = { params: { channelId: ids.agent } };
  const conditions = [{ alertName: ids.alertName, requiredCount: 3 }];
  const draft = buildCompleteDraft();
  return {
    createNonce: { body: { walletAddress: ids.wallet } },
    createToken: {
      body: { walletAddress: ids.wallet, nonce: "n".repeat(32), signature: SIGNATURE },
    },
    refreshToken: {},
    logout: {},
    listSessions: {},
    signOutEverywhere: { body: { tokens: "keep" } },
    addChat: { body: { title: "x", walletAddress: ids.wallet } },
    listChats: { params: { walletAddress: ids.wallet }, query: {} },
    deleteChat: chat,
    renameChat: { ...chat, body: { title: "x" } },
    addMessage: {
      ...chat,
      body: {
        _id: "message-0001",
        type: "user",
        content: "x",
        timestamp: "2026-11-21T08:00:00.000Z",
      },
    },
    listMessages: { ...chat, query: {} },
    deleteMessage: { params: { chatId: ids.chat, messageId: ids.message } },
    searchMessages: { params: { walletAddress: ids.wallet }, query: { text: "SOL" } },
    createAlert: { body: { agentId: ids.agent, name: "x" } },
    listAlerts: agent,
    updateAlert: { ...named, body: { name: "x" } },
    deleteAlert: named,
    createRule: { body: { agentId: ids.agent, conditions, action: "RESET_OPEN_LONG" } },
    listRules: agent,
    updateRule: { params: { ruleId: ids.rule }, body: { conditions, action: "OPEN_SHORT" } },
    deleteRule: { params: { ruleId: ids.rule } },
    listRulesByAlert: named,
    createCompleteAgent: { body: draft },
    updateCompleteAgent: { ...bot, body: draft },
    saveAgent: { ...bot, body: { agent: draft.agent } },
    getAgentByChat: chat,
    getAgentHealth: bot,
    renameAgent: { ...chat, body: { name: "x" } },
    deleteAgent: bot,
    savePrompts: {
      params: { id: ids.agent },
      body: { agent: { buyReportPrompt: "x", sellReportPrompt: "x" } },
    },
    setHypothesisStatus: { params: { id: ids.agent }, body: { hypothesisStatus: "on" } },
    setTradingStatus: { ...bot, body: { tradingStatus: "on" } },
    endExits: bot,
    closePosition: { ...bot, body: { side: "long", requestId: "5f".repeat(16) } },
    setOwnerLimits: { ...bot, body: { limits: { tradesPerDay: 5 } } },
    resumeAgent: bot,
    getWebhook: bot,
    getWebhookState: bot,
    rotateWebhook: bot,
    sendTestAlert: { ...bot, body: { alertName: ids.alertName } },
    previewAlert: { ...bot, body: { text: "SOLUSDT Crossing 150.00" } },
    listSignals: bot,
    listPastAlerts: { ...bot, query: {} },
    listChanges: { ...bot, query: {} },
    listOwnerFacts: bot,
    getCustody: bot,
    getCustodyAccess: bot,
    getDeletion: bot,
    getNotices: {},
    addNoticeChannel: {
      body: { kind: "webhook", url: "https://hooks.example/x", events: ["trade_filled"] },
    },
    changeNoticeChannel: { ...channel, body: { events: ["trade_failed"] } },
    removeNoticeChannel: channel,
    sendNoticeCode: channel,
    confirmNoticeChannel: { ...channel, body: { code: "123456" } },
    testNoticeChannel: channel,
    setQuietHours: { body: { quietHours: { fromMinute: 0, toMinute: 60, zone: "UTC" } } },
    listTradeLog: { query: { chatId: ids.chat } },
    listInbox: {},
    countTradeLog: { query: { chatId: ids.chat } },
    exportTradeLog: { query: { chatId: ids.chat, filter: "trades" } },
    getTradeDetails: { query: { chatId: ids.chat, entryId: ids.tradeLogEntry } },
    createHypothesis: { body: { logId: ids.tradeLogEntry, hypothesis: "x" } },
    listHypotheses: { ...chat, query: {} },
    getUnexplained: chat,
    listDecisions: { ...bot, query: { outcome: "traded" } },
    sumDecisions: bot,
    listAgentLedger: { query: { agentId: ids.agent } },
    listWalletLedger: { query: { pubkey: ids.wallet, network: "practice" } },
    listAgentTrades: { query: { agentId: ids.agent, from: "2026-11-01" } },
    listWalletTrades: { query: { pubkey: ids.wallet, network: "practice" } },
    listAgentEquity: { query: { agentId: ids.agent } },
    listWalletEquity: { query: { pubkey: ids.wallet, network: "practice" } },
    exportAgent: { query: { agentId: ids.agent, what: "ledger", format: "json" } },
    exportWallet: {
      query: { pubkey: ids.wallet, network: "practice", what: "trades", format: "json" },
    },
    listReadTokens: {},
    createReadToken: { body: { name: "spreadsheet", days: 90 } },
    revokeReadToken: { params: { id: "0".repeat(32) } },
    askConnection: { body: { clientId: "0".repeat(32), redirectUri: "https://app.example/back" } },
    approveConnection: { params: { id: "0".repeat(32) }, body: { scopes: ["read"] } },
    listProposals: {},
    createProposal: { body: { draft: buildCompleteDraft({ agent: { agentName: "proposed" } }) } },
    approveProposal: { params: { id: "0".repeat(32) }, body: { digest: "0".repeat(64) } },
    declineProposal: { params: { id: "0".repeat(32) } },
    getPosition: { query: { agentId: ids.agent } },
    listUserPositions: { query: { pubkey: ids.wallet } },
    getPortfolio: { params: { walletAddress: ids.wallet }, query: { range: "30d" } },
    getPerformance: { ...bot, query: { range: "30d" } },
    getUserActivity: { query: { pubkey: ids.wallet } },
    prepareTransaction: { body: { intent: "deposit", agentId: ids.agent, amount: "8.2" } },
    reportSent: { ...transaction, body: { signature: SIGNATURE } },
    renewTransaction: transaction,
    submitSigned: { ...transaction, body: { transaction: "AAAA" } },
    getTransaction: transaction,
    useFaucet: { body: { sol: "1", usdc: "100" } },
    sendPracticeTransaction: { body: { transaction: "AAAA" } },
    getFirstSteps: { params: { walletAddress: ids.wallet } },
    getBalances: { params: { walletAddress: ids.wallet }, query: { network: "practice" } },
    listCandles: { query: { symbol: "SOLUSDT", interval: "1h", limit: "3" } },
    readDocumentation: { params: { page: "custody" } },
    getCandleHistory: {
      query: {
        symbol: "SOLUSDT",
        intervalMinutes: "45",
        from: "1763712000000",
        to: "1763798400000",
      },
    },
    getTradingCosts: { query: { network: "practice", venue: "drift", marketId: "SOL-PERP" } },
    getReadiness: bot,
    setReadinessBar: {
      body: {
        bar: { days: 14, trades: 20, fallPercent: 20, matchedPercent: 95, luckPercent: 95 },
      },
    },
    goLive: {
      ...bot,
      body: {
        name: "x live",
        network: "devnet",
        figures: readyFigures({ missedAlerts: 1 }),
      },
    },
    countTriedVariants: {
      body: {
        network: "practice",
        venue: "drift",
        marketId: "SOL-PERP",
        variants: [{ variant: "0123456789abcdef".repeat(2), tStatistic: 0.7, isKeptOutSeen: true }],
      },
    },
    streamEvents: {},
    receiveWebhook: {
      params: { botId: ids.agent },
      body: {
        agentId: ids.agent,
        alertName: ids.alertName,
        timestamp: "2026-11-21T08:00:00Z",
        token: "x",
      },
    },
    getAgentFileSchema: {},
    getOpenApi: {},
    getDeployment: {},
    getHealth: {},
    headHealth: {},
  };
}

/** One call as method, path, query and body. */
export interface PlainCall {
  readonly name: RouteName;
  readonly route: Route;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Returns every call with its path filled in. */
export function plainCalls(ids: ObjectIds): PlainCall[] {
  const calls: Record<string, { params?: object; query?: object; body?: unknown }> =
    buildCalls(ids);
  return Object.entries(ROUTES).map(([name, route]) => {
    const { params = {}, query = {}, body } = calls[name] ?? {};
    const path = Object.entries(params).reduce(
      (filled, [key, value]) => filled.replace(`:${key}`, encodeURIComponent(String(value))),
      route.path as string,
    );
    return {
      name: name as RouteName,
      route,
      path,
      query: query as Record<string, string>,
      body,
    };
  });
}

/** Returns where the id of the guarded object stands on the wire; null for a route without one. */
export function guardedAt(route: Route): IdSource | null {
  if (route.access.kind !== "owner") return null;
  const [part, field] = route.access.id.split(".") as ["params" | "query" | "body", string];
  const schema = route[part];
  if (schema === undefined) throw new Error(`No ${part} in ${route.path}`);
  const [name = ""] = Object.keys(encode(schema, { [field]: "" }) as object);
  return `${part}.${name}`;
}

/** Returns the path with its query. */
export function addressOf(call: PlainCall): string {
  const query = new URLSearchParams(call.query).toString();
  return query === "" ? call.path : `${call.path}?${query}`;
}
