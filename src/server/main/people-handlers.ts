import type { AgentId } from "../../domain/ids.ts";
import type { ReadTokens } from "../auth/read-tokens.ts";
import type { Sessions } from "../auth/sessions.ts";
import type { ClockDifference } from "../clock/clock-difference.ts";
import type { ServerConfig } from "../config.ts";
import type { Custody } from "../custody/custody.ts";
import type { Handlers } from "../http/handler.ts";
import type { AccountReader } from "../positions/account-reader.ts";
import type { EventStreams } from "../push/event-streams.ts";
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
import { noticeHandlers, type NoticeRouteDeps } from "../routes/notices.ts";
import { practiceHandlers } from "../routes/practice.ts";
import { readTokenHandlers } from "../routes/read-tokens.ts";
import { ruleHandlers } from "../routes/rules.ts";
import { changeHandlers } from "../routes/changes.ts";
import { signalHandlers } from "../routes/signals.ts";
import { tradeHandlers } from "../routes/trade.ts";
import { tradingCostHandlers } from "../routes/trading-costs.ts";
import { tradeLogHandlers } from "../routes/trade-log.ts";
import { triedVariantHandlers } from "../routes/tried-variants.ts";
import { walletHandlers } from "../routes/wallet.ts";
import type { Intake } from "../trading/intake.ts";
import type { OpenCandles } from "./open-candles.ts";
import type { OpenedProcess } from "./open-process.ts";
import type { Readiness } from "./open-readiness.ts";

export interface PeopleParts {
  readonly shared: OpenedProcess["shared"];
  /** The same with the networks' calls made for screens, which wait where requests are scarce. */
  readonly shown: OpenedProcess["shared"];
  readonly config: ServerConfig;
  readonly webhookKey: Uint8Array;
  readonly sessions: Sessions;
  readonly readTokens: ReadTokens;
  readonly streams: EventStreams;
  readonly intake: Intake;
  readonly custody: Custody;
  readonly closeCustody: (agentId: AgentId) => Promise<void>;
  readonly accounts: AccountReader;
  readonly candles: OpenCandles;
  readonly notices: NoticeRouteDeps;
  readonly readiness: Readiness;
  readonly clockDifference: ClockDifference;
}

/** Returns the handler of every call. */
export function peopleHandlers(parts: PeopleParts): Handlers {
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
      webhookKey: parts.webhookKey,
      isSenderLimited: config.alertSenders !== undefined,
      pipeline: parts.intake,
    }),
    ...custodyHandlers({ ...shared, custody: parts.custody }),
    ...tradeHandlers({ ...shown, accounts }),
    ...performanceHandlers({ ...shown, accounts, lastAccount: accounts.latest }),
    ...ledgerHandlers(shared),
    ...exportHandlers(shared),
    ...readTokenHandlers({ readTokens: parts.readTokens }),
    ...practiceHandlers(shared),
    ...walletHandlers(shown),
    ...candleHandlers({ candlesOf: candles.chart }),
    ...candleHistoryHandlers({ clock, historyOf: candles.shown }),
    ...tradingCostHandlers(shown),
    ...triedVariantHandlers(shared),
  };
}
