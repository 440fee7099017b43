import * as agentFile from "./agent-file.ts";
import * as agentHealth from "./agent-health.ts";
import * as agentWebhook from "./agent-webhook.ts";
import * as agents from "./agents.ts";
import * as alerts from "./alerts.ts";
import * as auth from "./auth.ts";
import * as candleHistory from "./candle-history.ts";
import * as candles from "./candles.ts";
import * as changes from "./changes.ts";
import * as chats from "./chats.ts";
import * as connections from "./connections.ts";
import * as custody from "./custody.ts";
import * as decisions from "./decisions.ts";
import * as deployment from "./deployment.ts";
import * as documentation from "./documentation.ts";
import * as openapi from "./documentation.ts";
import * as events from "./events.ts";
import * as exportRoutes from "./exports.ts";
import * as hypotheses from "./hypotheses.ts";
import * as ownerFacts from "./owner-facts.ts";
import * as ownerLimits from "./owner-limits.ts";
import * as performance from "./performance.ts";
import * as ledger from "./ledger.ts";
import * as notices from "./notices.ts";
import * as portfolio from "./portfolio.ts";
import * as proposals from "./proposals.ts";
import * as practice from "./practice.ts";
import * as readiness from "./readiness.ts";
import * as readTokens from "./read-tokens.ts";
import type { Route } from "./route.ts";
import * as rules from "./rules.ts";
import * as saveAgents from "./save-agent.ts";
import * as session from "./session.ts";
import * as signals from "./signals.ts";
import * as trade from "./trade.ts";
import * as tradeLog from "./trade-log.ts";
import * as tradingCosts from "./trading-costs.ts";
import * as triedVariants from "./tried-variants.ts";
import * as tx from "./tx.ts";
import * as wallet from "./wallet.ts";
import * as walletTrades from "./wallet-trades.ts";
import * as webhook from "./webhook.ts";

/**
 * All routes by name; the server registers them from here and tests iterate over them.
 *
 * The page imports each route from its own file instead, so that routes of lazy parts load with those parts.
 */
export const ROUTES = {
  createNonce: auth.createNonce,
  createToken: auth.createToken,
  refreshToken: session.refreshToken,
  logout: session.logout,
  listSessions: auth.listSessions,
  signOutEverywhere: auth.signOutEverywhere,
  addChat: chats.addChat,
  listChats: chats.listChats,
  deleteChat: chats.deleteChat,
  renameChat: chats.renameChat,
  addMessage: chats.addMessage,
  listMessages: chats.listMessages,
  deleteMessage: chats.deleteMessage,
  searchMessages: chats.searchMessages,
  createAlert: alerts.createAlert,
  listAlerts: alerts.listAlerts,
  updateAlert: alerts.updateAlert,
  deleteAlert: alerts.deleteAlert,
  createRule: rules.createRule,
  listRules: rules.listRules,
  updateRule: rules.updateRule,
  deleteRule: rules.deleteRule,
  listRulesByAlert: rules.listRulesByAlert,
  createCompleteAgent: saveAgents.createCompleteAgent,
  updateCompleteAgent: saveAgents.updateCompleteAgent,
  saveAgent: saveAgents.saveAgent,
  getAgentByChat: agents.getAgentByChat,
  getAgentHealth: agentHealth.getAgentHealth,
  renameAgent: agents.renameAgent,
  deleteAgent: agents.deleteAgent,
  savePrompts: agents.savePrompts,
  setHypothesisStatus: agents.setHypothesisStatus,
  setTradingStatus: agents.setTradingStatus,
  endExits: agents.endExits,
  closePosition: agents.closePosition,
  setOwnerLimits: ownerLimits.setOwnerLimits,
  resumeAgent: ownerLimits.resumeAgent,
  getWebhook: agentWebhook.getWebhook,
  getWebhookState: agentWebhook.getWebhookState,
  rotateWebhook: agentWebhook.rotateWebhook,
  sendTestAlert: agentWebhook.sendTestAlert,
  previewAlert: agentWebhook.previewAlert,
  listSignals: signals.listSignals,
  listPastAlerts: signals.listPastAlerts,
  listChanges: changes.listChanges,
  listOwnerFacts: ownerFacts.listOwnerFacts,
  getCustody: custody.getCustody,
  getCustodyAccess: custody.getCustodyAccess,
  getDeletion: custody.getDeletion,
  getNotices: notices.getNotices,
  addNoticeChannel: notices.addNoticeChannel,
  changeNoticeChannel: notices.changeNoticeChannel,
  removeNoticeChannel: notices.removeNoticeChannel,
  sendNoticeCode: notices.sendNoticeCode,
  confirmNoticeChannel: notices.confirmNoticeChannel,
  testNoticeChannel: notices.testNoticeChannel,
  setQuietHours: notices.setQuietHours,
  listTradeLog: tradeLog.listTradeLog,
  listInbox: tradeLog.listInbox,
  countTradeLog: tradeLog.countTradeLog,
  exportTradeLog: tradeLog.exportTradeLog,
  getTradeDetails: tradeLog.getTradeDetails,
  listDecisions: decisions.listDecisions,
  sumDecisions: decisions.sumDecisions,
  createHypothesis: hypotheses.createHypothesis,
  listHypotheses: hypotheses.listHypotheses,
  getUnexplained: hypotheses.getUnexplained,
  listAgentLedger: ledger.listAgentLedger,
  listWalletLedger: ledger.listWalletLedger,
  listAgentTrades: ledger.listAgentTrades,
  listWalletTrades: ledger.listWalletTrades,
  listAgentEquity: ledger.listAgentEquity,
  listWalletEquity: ledger.listWalletEquity,
  exportAgent: exportRoutes.exportAgent,
  exportWallet: exportRoutes.exportWallet,
  listReadTokens: readTokens.listReadTokens,
  createReadToken: readTokens.createReadToken,
  revokeReadToken: readTokens.revokeReadToken,
  askConnection: connections.askConnection,
  approveConnection: connections.approveConnection,
  listProposals: proposals.listProposals,
  createProposal: proposals.createProposal,
  approveProposal: proposals.approveProposal,
  declineProposal: proposals.declineProposal,
  getPosition: trade.getPosition,
  listUserPositions: walletTrades.listUserPositions,
  getUserActivity: walletTrades.getUserActivity,
  getPerformance: performance.getPerformance,
  getPortfolio: portfolio.getPortfolio,
  prepareTransaction: tx.prepareTransaction,
  renewTransaction: tx.renewTransaction,
  reportSent: tx.reportSent,
  submitSigned: tx.submitSigned,
  getTransaction: tx.getTransaction,
  useFaucet: practice.useFaucet,
  sendPracticeTransaction: practice.sendPracticeTransaction,
  getBalances: wallet.getBalances,
  getFirstSteps: wallet.getFirstSteps,
  listCandles: candles.listCandles,
  getCandleHistory: candleHistory.getCandleHistory,
  getTradingCosts: tradingCosts.getTradingCosts,
  getReadiness: readiness.getReadiness,
  setReadinessBar: readiness.setReadinessBar,
  goLive: readiness.goLive,
  countTriedVariants: triedVariants.countTriedVariants,
  streamEvents: events.streamEvents,
  receiveWebhook: webhook.receiveWebhook,
  getAgentFileSchema: agentFile.getAgentFileSchema,
  getOpenApi: openapi.getOpenApi,
  getDeployment: deployment.getDeployment,
  readDocumentation: documentation.readDocumentation,
  getHealth: deployment.getHealth,
  headHealth: deployment.headHealth,
} as const satisfies Record<string, Route>;

export type RouteName = keyof typeof ROUTES;
