/** Query keys of one wallet. Every key starts with the address, so that no answer outlives an account change. */
export const keysOf = (address: string) =>
  ({
    chats: [address, "chats"],
    messages: (chatId: string) => [address, "messages", chatId],
    messageSearch: (text: string) => [address, "message-search", text],
    agentOfChat: (chatId: string) => [address, "agent", chatId],
    agents: [address, "agent"],
    alerts: (agentId: string) => [address, "alerts", agentId],
    rules: (agentId: string) => [address, "rules", agentId],
    webhook: (agentId: string) => [address, "webhook", agentId],
    signals: (agentId: string) => [address, "signals", agentId],
    tradeLog: (chatId: string) => [address, "trade-log", chatId],
    hypotheses: (chatId: string) => [address, "hypotheses", chatId],
    position: (agentId: string) => [address, "position", agentId],
    userPositions: [address, "user-positions"],
    activity: [address, "activity"],
    custody: (agentId: string) => [address, "custody", agentId],
    custodyAccess: (agentId: string) => [address, "custody", agentId, "access"],
    deletion: (agentId: string) => [address, "custody", agentId, "deletion"],
    transaction: (id: string) => [address, "transaction", id],
    balances: (network: string) => [address, "balances", network],
    allBalances: [address, "balances"],
  }) as const;
