import type { RouteName } from "../../contract/routes.ts";

interface Description {
  /** Heading of the route. */
  readonly tag: string;
  readonly summary: string;
  /** Notes for callers beyond the schemas. */
  readonly description?: string;
}

/** Returns the descriptions of one heading's routes: a summary, or a summary and a description. */
function under<const N extends RouteName>(
  tag: string,
  calls: Readonly<Record<N, string | readonly [string, string]>>,
): Record<N, Description> {
  const entries = Object.entries(calls) as [N, string | readonly [string, string]][];
  return Object.fromEntries(
    entries.map(([name, words]) => [
      name,
      typeof words === "string"
        ? { tag, summary: words }
        : { tag, summary: words[0], description: words[1] },
    ]),
  ) as Record<N, Description>;
}

/** Purpose of every route; a route without an entry does not compile. */
export const DESCRIPTIONS: Readonly<Record<RouteName, Description>> = {
  ...under("Signing in", {
    createNonce: ["Begin to sign in", "Answers the text that the wallet signs."],
    createToken: [
      "Sign in",
      "Answers a session token of ten minutes and sets the refresh cookie that scripts cannot read.",
    ],
    refreshToken: ["Renew the session token", "Goes by the refresh cookie."],
    logout: "End this session",
    listSessions: "List the wallet's sessions",
    signOutEverywhere: "End all sessions of the wallet",
  }),
  ...under("Chats", {
    addChat: "Create a chat",
    listChats: "List the wallet's chats with their agents",
    deleteChat: "Delete a chat",
    renameChat: "Rename a chat",
    addMessage: ["Add a message", "The client makes the id; the same id again changes nothing."],
    listMessages: "List a chat's messages, a page at a time",
    deleteMessage: "Delete a message",
    searchMessages: "Find messages of the wallet's chats by their text",
  }),
  ...under("Alerts and rules", {
    createAlert: "Add an alert, from outside or with a condition",
    listAlerts: "List an agent's alerts",
    updateAlert: "Change an alert",
    deleteAlert: "Delete an alert",
    createRule: "Add a rule",
    listRules: "List an agent's rules",
    updateRule: "Change a rule",
    deleteRule: "Delete a rule",
    listRulesByAlert: "List the rules that count an alert",
  }),
  ...under("Agents", {
    createCompleteAgent: "Create an agent with its alerts and rules",
    updateCompleteAgent: "Save an agent with its alerts and rules",
    saveAgent: "Save an agent's settings",
    getAgentByChat: "Get the agent of a chat",
    getAgentHealth: "Get an agent's health",
    renameAgent: "Rename an agent",
    deleteAgent: ["Delete an agent", "Its vault has to be empty on chain first."],
    savePrompts: "Save the texts that hypotheses are written with",
    setHypothesisStatus: "Turn hypotheses on or off",
    setTradingStatus: [
      "Turn auto-trade on or off",
      "Turning off closes what is open first where the agent is set so, and is never refused for a limit.",
    ],
    endExits: ["Stop closing", "Ends exits that are being tried; the position stays open."],
    setOwnerLimits: "Set the owner's limits",
    resumeAgent: "Resume an agent that a limit has paused",
    listSignals: "List the signals an agent received and what they did",
    listPastAlerts: "List received alerts of a time, for a simulation",
    listChanges: "List the changes made to an agent",
    listDecisions: "List decisions: why a trade happened or did not",
    sumDecisions: "Sum decisions by alert and rule",
  }),
  ...under("Webhook", {
    getWebhook: ["Get an agent's webhook address and alert text", "Both hold the agent's token."],
    rotateWebhook: "Replace the webhook's token",
    receiveWebhook: [
      "Receive an alert",
      "For charting platforms. 202 is answered after the alert is stored and counted. The same alert again is acknowledged with 200 and changes nothing. A query is ignored.",
    ],
  }),
  ...under("Custody", {
    getCustody: "Get what an agent's vault holds",
    getCustodyAccess: "Get who has which power over the vault",
    getDeletion: "Get how far a deletion is",
    prepareTransaction: [
      "Prepare the next transaction of a set-up, deposit, withdrawal or deletion",
      "Answers `done` when the chain shows nothing left to sign.",
    ],
    renewTransaction: "Prepare the same transaction with a new blockhash",
    reportSent: "Report that the wallet has sent a transaction",
    submitSigned: "Hand over a signed transaction to be sent",
    getTransaction: "Get what became of a transaction",
    getBalances: "Get the wallet's balances",
    useFaucet: "Take practice money",
    sendPracticeTransaction: "Send a transaction to the practice chain",
  }),
  ...under("Trades and figures", {
    listTradeLog: "List the trade log of a chat, 200 entries at a time",
    countTradeLog: "Count the entries of a trade log",
    exportTradeLog: "Download a trade log",
    getTradeDetails: "Get the details of a trade",
    getPosition: "Get an agent's open position",
    listUserPositions: "List the open positions of all agents",
    getUserActivity: "List what an agent's account did at the exchange",
    getPerformance: "Get an agent's performance",
    getPortfolio: "Get the wallet's portfolio",
    listAgentLedger: "List the booked entries of an agent",
    listWalletLedger: "List the booked entries of all agents",
    listAgentEquity: "List points of an agent's worth",
    listWalletEquity: "List points of all agents' worth",
    exportAgent: "Download trades, ledger or worth of an agent",
    exportWallet: "Download trades, ledger or worth of all agents",
    createHypothesis: "Save a hypothesis of a trade",
    listHypotheses: "List the hypotheses of a chat, 50 at a time",
    getUnexplained: "Get the oldest trade without a hypothesis, and how many there are",
  }),
  ...under("Read tokens and notices", {
    listReadTokens: "List read tokens",
    createReadToken: ["Create a read token", "It is answered here and never again."],
    revokeReadToken: "Revoke a read token",
    getNotices: "Get places of notices, quiet hours and what was sent",
    addNoticeChannel: "Add a place of notices",
    confirmNoticeChannel: [
      "Confirm an e-mail address",
      "Takes the code that was sent there; until then nothing else is.",
    ],
    sendNoticeCode: "Send the code to an e-mail address again",
    changeNoticeChannel: "Change which events go to a place",
    removeNoticeChannel: "Remove a place of notices",
    testNoticeChannel: "Send a test notice",
    setQuietHours: "Set quiet hours",
  }),
  ...under("Market data", {
    listCandles: "List the newest candles",
    getCandleHistory: ["Get candles of the past", "Gaps are named, never filled."],
    getTradingCosts: "Get what trading a market costs",
    countTriedVariants: [
      "Count variants tried in simulations of a market",
      "Answers how many the wallet ever tried there, for judging a simulated result. A variant is counted once.",
    ],
  }),
  ...under("The server", {
    streamEvents: [
      "Follow what becomes stale",
      "Server-sent events without data of their own: each names what to ask for again.",
    ],
    getAgentFileSchema: "Get the JSON Schema of agent files",
    getOpenApi: "Get this description",
    getDeployment: "Get what this deployment offers",
    getHealth: "Ask whether alerts can be stored and anybody trades",
    headHealth: "Ask whether the server answers",
  }),
};
