import type { AgentId, ChatId } from "../../domain/ids.ts";
import type { SignedInWallet } from "../lib/session.ts";
/** Query keys of one wallet. Every key starts with the address, so that no answer outlives an account change. */
export const keysOf = (address: SignedInWallet) =>
  ({
    chats: [address, "chats"],
    messages: (chatId: ChatId | "") => [address, "messages", chatId],
    messageSearch: (text: string) => [address, "message-search", text],
    agentOfChat: (chatId: ChatId | "") => [address, "agent", chatId],
    agents: [address, "agent"],
    alerts: (agentId: AgentId | "") => [address, "alerts", agentId],
    rules: (agentId: AgentId | "") => [address, "rules", agentId],
    webhook: (agentId: AgentId | "") => [address, "webhook", agentId],
    signals: (agentId: AgentId | "") => [address, "signals", agentId],
    decisions: (agentId: AgentId | "") => [address, "decisions", agentId],
    changes: (agentId: AgentId | "") => [address, "changes", agentId],
    tradeLog: (chatId: ChatId | "") => [address, "trade-log", chatId],
    hypotheses: (chatId: ChatId | "") => [address, "hypotheses", chatId],
    position: (agentId: AgentId | "") => [address, "position", agentId],
    portfolio: [address, "portfolio"],
    performance: (agentId: AgentId | "") => [address, "performance", agentId],
    userPositions: [address, "user-positions"],
    activity: [address, "activity"],
    sessions: [address, "sessions"],
    readTokens: [address, "read-tokens"],
    notices: [address, "notices"],
    custody: (agentId: AgentId | "") => [address, "custody", agentId],
    custodyAccess: (agentId: AgentId | "") => [address, "custody", agentId, "access"],
    deletion: (agentId: AgentId | "") => [address, "custody", agentId, "deletion"],
    transaction: (id: string) => [address, "transaction", id],
    balances: (network: string) => [address, "balances", network],
    allBalances: [address, "balances"],
  }) as const;
