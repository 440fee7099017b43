/** Place of a text: a file that has it word for word, or a part of the text with the file that has the part. */
type Place = string | readonly [part: string, file: string];

/**
 * Every text the two specifications quote, and the files that say it. Parts in braces are filled in at run time;
 * a title and its sentence are one row. Files are compared with their white space collapsed.
 */
export const SPECIFIED_TEXTS: readonly (readonly [text: string, ...places: Place[]])[] = [
  ["404", ["404</h1>", "src/client/app/main.tsx"]],
  ["Oops! Page not found", "src/client/app/main.tsx"],
  ["Return to Home", "src/client/app/main.tsx"],
  [
    "Something went wrong",
    "src/client/app/main.tsx",
    "src/client/features/agent/form/use-agent-editor.ts",
  ],
  ["Try Again", "src/client/app/main.tsx"],
  ["Unexpected Application Error!", "src/client/app/main.tsx"],
  [
    "Coming Soon",
    "src/client/features/agent/form/venue-options.ts",
    "src/client/features/chat/list/chat-list.tsx",
  ],
  ["Loading trades...", "src/client/features/trading/trade-log/trade-log.tsx"],
  ["Open long", "src/client/lib/signal-text.ts"],
  ["Open short", "src/client/lib/signal-text.ts"],
  ["Close long", "src/client/lib/signal-text.ts"],
  ["Close short", "src/client/lib/signal-text.ts"],
  ["Reset open long", "src/client/lib/signal-text.ts"],
  ["Reset open short", "src/client/lib/signal-text.ts"],
  ["Reset close long", "src/client/lib/signal-text.ts"],
  ["Reset close short", "src/client/lib/signal-text.ts"],
  ["failed", ['"failed"', "src/domain/order/order-states.ts"]],
  [
    "Position: {size} {asset}",
    ['term="Position: "', "src/client/features/trading/position-strip.tsx"],
  ],
  [
    "P&L: {pnl}%",
    ['term="P&amp;L: "', "src/client/features/trading/position-strip.tsx"],
    ['unit="%" toned', "src/client/features/trading/position-strip.tsx"],
  ],
  [
    "Value: ${usd}",
    ['term="Value: "', "src/client/features/trading/position-strip.tsx"],
    ['prefix="$"', "src/client/features/trading/position-strip.tsx"],
  ],
  [
    "Install Phantom",
    "src/client/features/account/connect-button.tsx",
    "src/client/features/account/wallet-required-dialog.tsx",
  ],
  ["Connect Phantom", "src/client/features/account/connect-button.tsx"],
  ["Disconnect Wallet", "src/client/actions/disconnect.ts"],
  ["Phantom Wallet Required", "src/client/features/account/wallet-required-dialog.tsx"],
  ["Install Phantom Wallet", "src/client/features/account/wallet-required-dialog.tsx"],
  ["Maybe Later", "src/client/features/account/wallet-required-dialog.tsx"],
  ["New Chat", "src/client/features/chat/list/chat-rail.tsx", "src/client/app/use-workspace.ts"],
  ["My New Chat", "src/client/app/use-workspace.ts"],
  ["On", ['title="On"', "src/client/features/chat/list/chat-list.tsx"]],
  ["Off", ['title="Off"', "src/client/features/chat/list/chat-list.tsx"]],
  ["No on agents.", "src/client/features/chat/list/chat-list.tsx"],
  ["No off agents.", "src/client/features/chat/list/chat-list.tsx"],
  ["Connect your wallet to start chatting", "src/client/features/chat/chat-panel.tsx"],
  [
    "Ask questions about Solana trading strategies, market analysis, or technical indicators",
    "src/client/features/chat/chat-panel.tsx",
  ],
  ["Connect wallet to chat...", "src/client/features/chat/chat-panel.tsx"],
  [
    "API Key Required",
    "src/client/features/chat/api-key-dialog.tsx",
    "src/client/features/chat/use-conversation.ts",
  ],
  [
    "API Key Saved / Your API key has been saved successfully.",
    ["API Key Saved", "src/client/features/chat/api-key-dialog.tsx"],
    ["Your API key has been saved successfully.", "src/client/features/chat/api-key-dialog.tsx"],
  ],
  [
    "Confirm Deletion",
    "src/client/features/chat/list/delete-chat-dialog.tsx",
    "src/client/features/agent/delete-agent-dialog.tsx",
  ],
  ["Server connection offline", "src/client/app/main.tsx", "src/client/lib/problem.ts"],
  ["Network connection issue. Click to retry.", "src/client/app/main.tsx"],
  ["user", ['"user", "ai"', "src/contract/chats.ts"]],
  ["ai", ['"user", "ai"', "src/contract/chats.ts"]],
  ["pending", ['"pending"', "src/client/features/chat/outbox.ts"]],
  ["sent", ['"sent"', "src/client/features/chat/message-list.tsx"]],
  ["SOL-PERP", "src/client/features/chart/chart-symbol.ts"],
  ["gpt", ['"gpt"', "src/client/lib/ai/ai-settings.ts"]],
  ["Authentication failed", "src/client/app/session-controller.ts"],
  ["on", ['["on", "off"]', "src/contract/fields.ts"]],
  ["OpenAI API key not found. Please set your API key.", "src/client/lib/ai/ai-problem.ts"],
  ["confirmed", ['"confirmed"', "src/server/custody/follower.ts"]],
  ["API request failed", "src/client/lib/problem.ts"],
  ["Failed to fetch web search results from OpenAI", "src/client/lib/ai/ai-problem.ts"],
  ["Failed to fetch web search results", "src/client/lib/ai/ai-problem.ts"],
  [
    "Wallet not connected / Please connect your wallet to send messages",
    ["Wallet not connected", "src/client/features/agent/auto-trade-dialog.tsx"],
    ["Wallet not connected", "src/client/features/chat/use-conversation.ts"],
    ["Please connect your wallet to send messages", "src/client/features/chat/use-conversation.ts"],
  ],
  [
    "API Key Required / Please configure your API key in the sidebar settings.",
    ["API Key Required", "src/client/features/chat/api-key-dialog.tsx"],
    ["API Key Required", "src/client/features/chat/use-conversation.ts"],
    [
      "Please configure your API key in the sidebar settings.",
      "src/client/features/chat/use-conversation.ts",
    ],
  ],
  [
    "Authentication Required / Please ensure your wallet is connected and try again.",
    ["Authentication Required", "src/client/features/chat/use-conversation.ts"],
    [
      "Please ensure your wallet is connected and try again.",
      "src/client/features/agent/form/use-agent-editor.ts",
    ],
    [
      "Please ensure your wallet is connected and try again.",
      "src/client/features/chat/use-conversation.ts",
    ],
  ],
  [
    "Connection failed / Failed to connect to Phantom wallet",
    ["Connection failed", "src/client/wallet/wallet-error.ts"],
    ["Failed to connect to", "src/client/wallet/wallet-error.ts"],
  ],
  [
    "Disconnection failed / Failed to disconnect from Phantom wallet",
    ["Disconnection failed", "src/client/wallet/wallet-error.ts"],
    ["Failed to disconnect from", "src/client/wallet/wallet-error.ts"],
  ],
  [
    "Wallet connected / Your Phantom wallet has been connected successfully. You can now access your chats.",
    ["Wallet connected", "src/client/app/session-controller.ts"],
    [
      "wallet has been connected successfully. You can now access your chats.",
      "src/client/app/session-controller.ts",
    ],
  ],
  [
    "Wallet disconnected / Your Phantom wallet has been disconnected. Connect a different wallet to access its chats.",
    ["Wallet disconnected", "src/client/app/session-controller.ts"],
    [
      "wallet has been disconnected. Connect a different wallet to access its chats.",
      "src/client/app/session-controller.ts",
    ],
  ],
  ["/", ['path="/"', "src/client/app/main.tsx"]],
  ["Pos: size asset", ["Pos: ", "src/client/features/chart/position-line.tsx"]],
  ["P&L: x%", ["P&amp;L: ", "src/client/features/chart/position-line.tsx"]],
  ["Loading chart...", "src/client/features/chart/chart-notice.tsx"],
  ["Failed to load chart data", "src/client/features/chart/chart-notice.tsx"],
  ["No Trading Account Found", "src/client/features/funds/manage-funds.tsx"],
  ["Current Holdings: N USD", ["Current Holdings", "src/client/features/funds/manage-funds.tsx"]],
  ["Cannot Withdraw - Agent is Active", "src/client/features/funds/manage-funds.tsx"],
  ["OK, I'll Stop the Agent First", "src/client/features/funds/manage-funds.tsx"],
  [
    "Please connect your wallet to view backtesting results",
    "src/client/features/results/simulation/backtest.tsx",
  ],
  [
    "No trading hypotheses available / Start trading to generate hypotheses about your trading decisions",
    ["No trading hypotheses available", "src/client/features/results/simulation/backtest.tsx"],
    [
      "Start trading to generate hypotheses about your trading decisions",
      "src/client/features/results/simulation/backtest.tsx",
    ],
  ],
  ["Analyzing your trades...", "src/client/features/results/simulation/backtest.tsx"],
  ["Add Agentic-Trade", "src/client/features/agent/form/set-up-tab.tsx"],
  ["Create agent first", "src/client/features/agent/form/agent-dialog.tsx"],
  ["Creating...", "src/client/features/agent/form/agent-dialog.tsx"],
  [
    "When my DeFi Agent Executes a...",
    "src/client/features/results/simulation/hypothesis-dialog.tsx",
  ],
  [
    "Produce a deep-hypothesis about...",
    "src/client/features/results/simulation/hypothesis-dialog.tsx",
  ],
  ["Turn On Auto-Trading?", "src/client/features/agent/auto-trade-dialog.tsx"],
  ["Turn Off Auto-Trading?", "src/client/features/agent/auto-trade-dialog.tsx"],
  ["Agent ** {asset}-{interval}", ["Agent ** ", "src/domain/agent-name.ts"]],
  ["BUY size", ["BUY", "src/client/features/chart/trade-markers.ts"]],
  [
    "Venue cannot be changed after initial deposit",
    "src/client/features/agent/form/agent-dialog.tsx",
  ],
  ["Asset Cleared", "src/client/features/agent/form/agent-dialog.tsx"],
  [
    "This alert is used by {n} rule(s). Deleting it will also remove it from those rules. Continue?",
    [
      "rule(s). Deleting it will also remove it from those rules. Continue?",
      "src/client/features/agent/rules/alert-list.tsx",
    ],
  ],
  ["Deleting agent...", "src/client/features/agent/delete-agent-dialog.tsx"],
  ["Authentication Required", "src/client/features/chat/use-conversation.ts"],
  [
    "Please ensure your wallet is connected and try again.",
    "src/client/features/agent/form/use-agent-editor.ts",
    "src/client/features/chat/use-conversation.ts",
  ],
  ["Configuration Incomplete", "src/contract/errors.ts"],
  [
    "Please create at least one alert before saving the agent. Alerts are required for the trading system.",
    "src/contract/errors.ts",
  ],
  ["Rule Incomplete", "src/contract/errors.ts"],
  ["Each rule must have a trade action selected.", "src/contract/errors.ts"],
  ["Agent Incomplete", "src/contract/errors.ts"],
  ["Please select an asset pair and enter a name for your agent.", "src/contract/errors.ts"],
  ["Please select a trading venue.", "src/contract/errors.ts"],
  ["Please select a time horizon.", "src/contract/errors.ts"],
  ["Custom time interval must be between 28 minutes and 1 week.", "src/contract/errors.ts"],
  ["Must be between 28 minutes and 1 week", "src/client/features/agent/form/check-form.ts"],
  ["Duplicate Alert Name", "src/contract/errors.ts"],
  [
    "Alert names must be unique within an agent. Please rename duplicate alerts.",
    "src/contract/errors.ts",
  ],
  ["Rule Conflict", "src/contract/errors.ts"],
  ["Only one RESET_OPEN_LONG and one RESET_OPEN_SHORT rule may exist.", "src/contract/errors.ts"],
  [
    "Conflicting rules: the same alerts cannot both Open Long and Open Short.",
    "src/contract/errors.ts",
  ],
  ["Failed to create or retrieve a chat ID", "src/client/features/agent/form/use-agent-editor.ts"],
  ["Bot ID is required to save or update agent", "src/contract/errors.ts"],
  ["Invalid Amount", "src/client/features/funds/amount-check.ts"],
  [
    "Please enter a valid deposit amount greater than zero.",
    "src/client/features/funds/amount-check.ts",
  ],
  ["Insufficient balance", "src/client/features/funds/amount-check.ts"],
  [
    "Insufficient withdrawable funds: Maximum withdrawable amount is X USDC (considering margin requirements)",
    [
      "Insufficient withdrawable funds: Maximum withdrawable amount is",
      "src/client/features/funds/amount-check.ts",
    ],
  ],
  [
    "Insufficient Vault Balance ... Please fund the vault first",
    ["Please fund the vault first", "src/contract/errors.ts"],
    ["Please fund the vault first", "src/server/custody/plans/plan-set-up.ts"],
  ],
  [
    "Insufficient Wallet Balance ... add at least 0.01 SOL to pay for transaction fees",
    ["add at least 0.01 SOL to pay for transaction fees", "src/contract/errors.ts"],
  ],
  [
    "Failed to load alerts. Please refresh and try again.",
    [
      "Failed to load {failed}. Please refresh and try again.",
      "src/client/features/agent/form/agent-dialog.tsx",
    ],
  ],
  ["Agent Already Exists", "src/contract/errors.ts"],
  [
    "An agent with this name already exists. Please open it from the sidebar or choose a different name.",
    "src/contract/errors.ts",
  ],
  ["already exists", "src/client/features/agent/form/use-agent-editor.ts"],
  ["agent", "src/client/features/agent/form/use-agent-editor.ts"],
  ["Creation Failed", "src/client/features/agent/form/use-agent-editor.ts"],
  ["Update Failed", "src/client/features/agent/form/use-agent-editor.ts"],
  ["Agent Creation Error", "src/client/features/agent/form/use-agent-editor.ts"],
  ["Insufficient Wallet Balance", "src/contract/errors.ts"],
  ["Custody setup failed", "src/contract/errors.ts"],
  ["No Agent Found", "src/client/features/agent/auto-trade-dialog.tsx"],
  [
    "Please create an agent first before enabling auto-trading.",
    "src/client/features/agent/auto-trade-dialog.tsx",
  ],
  ["Error", ['"Error"', "src/client/features/agent/auto-trade-dialog.tsx"]],
  [
    "Failed to disable auto-trade: ... Auto-trade remains on.",
    ["Failed to disable auto-trade:", "src/client/features/agent/auto-trade-dialog.tsx"],
  ],
  [
    "Wallet not connected or agent not found. Please reconnect and try again.",
    "src/client/features/agent/auto-trade-dialog.tsx",
  ],
  ["Please try again.", "src/solana/program-errors.ts"],
  ["Insufficient withdrawable funds", "src/client/features/funds/amount-check.ts"],
  ["Insufficient Vault Balance", "src/contract/errors.ts"],
  [
    "No multisig found for this agent. Please create the agent first through the Agent Configuration dialog.",
    "src/contract/errors.ts",
  ],
  ["Agent deleted successfully", "src/client/features/agent/delete-agent-dialog.tsx"],
  ["Agent deletion failed", "src/client/features/agent/delete-agent-dialog.tsx"],
  ["Cannot delete agent", "src/client/features/agent/delete-agent-dialog.tsx"],
  [
    "Please withdraw all funds first. Current balance: {n} USDC",
    [
      "Please withdraw all funds first. Current balance:",
      "src/server/custody/plans/read-deletion.ts",
    ],
  ],
  ["Failed to cleanup multisig and recover funds", "src/server/custody/plans/plan-delete.ts"],
  [
    "Agent deletion failed - chat preserved to maintain data consistency",
    "src/client/features/agent/delete-agent-dialog.tsx",
  ],
  ["Failed to delete agent from database", "src/client/features/agent/delete-agent-dialog.tsx"],
  ["Failed to delete chat", "src/client/features/agent/delete-agent-dialog.tsx"],
  [
    "Subaccount deletion failed. Please delete manually through Drift UI to recover 0.003 SOL rent.",
    "src/venues/drift/profile.ts",
  ],
  [
    "Recovered {n} SOL from multisig vault",
    ["SOL from multisig vault", "src/server/custody/custody.ts"],
  ],
  [
    "Deposit successful",
    "src/client/features/funds/deposit-dialog.tsx",
    "src/client/features/funds/manage-funds.tsx",
  ],
  ["Auto-Trade Disabled", "src/client/features/agent/stopping-agents.ts"],
  ["Positions Closed & Auto-Trade Disabled", "src/client/features/agent/stopping-agents.ts"],
  ["Agent Created", "src/client/features/agent/form/use-agent-editor.ts"],
  ["Agent Updated", "src/client/features/agent/form/use-agent-editor.ts"],
  ["Processing ...", "src/client/custody/approval-buttons.tsx"],
  ["Wallet Not Connected", "src/client/features/funds/deposit-dialog.tsx"],
  [
    "Please reconnect your wallet to proceed with the deposit.",
    "src/client/features/funds/deposit-dialog.tsx",
  ],
  ["Agent name is required", "src/contract/agents.ts"],
  ["Balance Check Failed", "src/client/custody/stop-words.ts"],
  ["Wallet Connection Required", "src/client/features/agent/form/use-agent-editor.ts"],
  ["Spending Limits Warning", "src/client/custody/stop-words.ts"],
  ["Spending Limits Updated", "src/client/features/funds/asset-limits.tsx"],
  ["Wallet Setup Failed", "src/client/custody/stop-words.ts"],
  [
    "Failed to set up {venue} trading control: ...",
    [
      "Failed to set up ${VENUE_PROFILES[venue].label} trading control: ",
      "src/client/custody/stop-words.ts",
    ],
  ],
  ["Deposit failed", "src/client/custody/stop-words.ts"],
  [
    "Withdrawal failed / Please try again.",
    ["Withdrawal failed", "src/client/custody/stop-words.ts"],
    ["Please try again.", "src/client/custody/stop-words.ts"],
  ],
  [
    "cannot deposit / please reconnect your wallet",
    ["cannot deposit", "src/client/features/funds/manage-funds.tsx"],
    ["please reconnect your wallet", "src/client/features/funds/manage-funds.tsx"],
  ],
  [
    "Cannot withdraw / Wallet or connection not available",
    ["Cannot withdraw", "src/client/features/funds/manage-funds.tsx"],
    ["Wallet or connection not available", "src/client/features/funds/manage-funds.tsx"],
  ],
  [
    "Deletion failed / An unexpected error occurred during agent deletion",
    ["Deletion failed", "src/client/features/agent/delete-agent-dialog.tsx"],
    [
      "An unexpected error occurred during agent deletion",
      "src/client/features/agent/delete-agent-dialog.tsx",
    ],
  ],
  [
    "Failed to delete drift subaccount: {reason}",
    ["Failed to delete ${context.venue.id} subaccount", "src/server/custody/plans/plan-delete.ts"],
  ],
];

/** Quoted texts that this product words differently or omits, each with the reason. */
export const UNSAID_TEXTS: readonly (readonly [text: string, reason: string])[] = [
  [
    "Simulation Environment",
    "A placeholder by its own account; the tab simulates the agent with the code that trades.",
  ],
  [
    "Portfolio Coming Soon",
    "A placeholder of the specification; the tab shows everything the wallet's agents hold and made.",
  ],
  [
    "Performance Metrics",
    "A placeholder of the specification; the tab shows the agent's performance now.",
  ],
  [
    "Token refresh failed",
    "Only logged by the specification; the page logs nothing and falls back to the wallet.",
  ],
  [
    "Authentication failed, cannot fetch chats",
    "Only logged by the specification; the page offers Sign in instead.",
  ],
  [
    "Bot ID is required to update agent",
    "The server makes the id and it is part of the path, so an update without one has no route.",
  ],
  [
    "Custody setup failed: User multisig not found. Please try again.",
    "Without a multisig the deposit dialog sets one up first; the server says 'No multisig found for this agent...'.",
  ],
  [
    "Vault Funding Failed (Step 2/3)",
    "Creating the multisig and funding its vault are one transaction, called 'Custody setup failed' when it fails.",
  ],
  [
    "Drift client missing",
    "The server talks to the venue; the page has no client that could be missing.",
  ],
  [
    "Drift client should be provided by the calling service.",
    "The server talks to the venue; the page has no client that could be missing.",
  ],
  [
    "Cannot proceed with Drift deletion without a valid drift client",
    "The server talks to the venue; there is no client that could be missing.",
  ],
  [
    "Cannot proceed with Jupiter deletion without a valid multisig PDA",
    "An agent without a multisig holds nothing on chain, so its records are deleted without further steps.",
  ],
];
