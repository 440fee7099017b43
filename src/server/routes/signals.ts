import type { AgentId } from "../../domain/ids.ts";
import { SIGNALS } from "../../domain/signal.ts";
import type { TradingState } from "../../domain/trading-state.ts";
import type { previewAlert } from "../../contract/agent-webhook.ts";
import type { ResponseOf } from "../../contract/route.ts";
import { PAST_ALERTS_PAGE } from "../../contract/signals.ts";
import { found, isAppError } from "../../contract/errors.ts";
import { reasonText } from "../../domain/reasons.ts";
import { comparedText } from "../../strategy/compared-text.ts";
import { showAgent } from "../agents/show-agents.ts";
import { replaceWebhookToken } from "../auth/replace-tokens.ts";
import { webhookToken } from "../alert-sources/webhook-token.ts";
import { findAgent } from "../store/agents/agents.ts";
import { listPastAlerts, listReceivedSignals } from "../store/alerts/alert-events.ts";
import type { Db } from "../store/postgres/db.ts";
import { readTokenVersion } from "../store/intake/inbox.ts";
import { readReplacedTokenAlerts, readUnreadableDeliveries } from "../store/alerts/alerts.ts";
import type { Pipeline } from "../trading/pipeline.ts";
import type { Networks } from "../networks.ts";
import type { Handlers } from "../http/handler.ts";
import {
  problemOf,
  type ReadDeps,
  readDelivery,
  told,
  toDelivery,
  type WebhookDeps,
} from "./webhook.ts";

const SHOWN_SIGNALS = 100;

export interface SignalDeps extends ReadDeps {
  readonly db: Db;
  readonly networks: Networks;
  readonly publicUrl: URL;
  readonly receive: WebhookDeps["receive"];
  readonly pipeline: Pick<Pipeline, "setAutoTrade" | "endExits" | "closePosition" | "preview">;
  readonly tradingState: () => TradingState;
}

const FILLED_IN =
  "TradingView writes the time in place of {{timenow}}; any other sender has to write it itself.";

/** What an alert would do, for its owner. */
const PREVIEW_WORDS = {
  accepted: (name: string, signals: readonly string[]) =>
    signals.length === 0
      ? `It would be accepted as the alert "${name}" and count; no rule would be complete yet.`
      : `It would be accepted as the alert "${name}" and ${signals.join(", ").toLowerCase().replaceAll("_", " ")}.`,
  duplicate: (name: string) =>
    `The alert "${name}" of this time has already arrived: this one would change nothing.`,
  ignored: (name: string) =>
    `It is the alert "${name}". It would be ignored and not count, because Auto-Trade is off.`,
};

/** Answers the calls of the agent's webhook, its arrivals and its auto-trade switch. */
export function signalHandlers(deps: SignalDeps) {
  const shown = async (agentId: AgentId) =>
    showAgent(deps, found(await findAgent(deps.db, agentId)));
  return {
    async listSignals({ params }) {
      const signals = await listReceivedSignals(deps.db, params.agentId, SHOWN_SIGNALS);
      return signals.map((signal) => ({
        eventId: signal.eventId,
        alertName: signal.alertName,
        receivedAt: signal.receivedAt.toISOString(),
        outcome: signal.outcome,
        ...(signal.reason === null ? {} : { reason: signal.reason }),
        ...(signal.fired === null
          ? {}
          : {
              fired: {
                closedAt: signal.fired.closedAt.toISOString(),
                ...(signal.fired.price === null ? {} : { price: signal.fired.price }),
                because: signal.fired.compared.map(comparedText),
              },
            }),
        orders: signal.orders.map((order) => ({
          orderId: order.orderId,
          signal: SIGNALS.find((each) => each === order.signal) ?? "OPEN_LONG",
          ...(order.closesFirst && { closesFirst: true as const }),
          status: order.state,
          ...(order.reason === null ? {} : { reason: order.reason }),
          ...(order.signature === null ? {} : { signature: order.signature }),
        })),
      }));
    },

    async listPastAlerts({ params, query: { before = null } }) {
      const page = await listPastAlerts(deps.db, params.agentId, before, PAST_ALERTS_PAGE);
      return {
        alerts: page.map(({ alertName, receivedAt, outcome, firedAt }) => ({
          alertName,
          receivedAt: receivedAt.toISOString(),
          hasCounted: outcome === "accepted",
          ...(firedAt === null ? {} : { closedAt: firedAt.toISOString() }),
        })),
        next: page.length < PAST_ALERTS_PAGE ? null : (page.at(-1)?.seq ?? null),
      };
    },

    async getWebhookState({ params: { agentId } }) {
      const replaced = await readReplacedTokenAlerts(deps.db, agentId);
      const unread = await readUnreadableDeliveries(deps.db, agentId, deps.clock.now());
      return {
        ...presentWebhook(deps, agentId, "{{token}}"),
        ...(replaced !== null && { replacedToken: withTexts(replaced) }),
        ...(unread !== null && { unreadable: withTexts(unread) }),
      };
    },

    async getWebhook({ params }) {
      const version = found(await readTokenVersion(deps.db, params.agentId, { rotates: false }));
      return revealWebhook(deps, params.agentId, version);
    },

    async rotateWebhook({ params, session }) {
      const version = found(
        await deps.db
          .transaction()
          .execute((tx) => replaceWebhookToken(tx, params.agentId, session, deps.clock.now())),
      );
      return revealWebhook(deps, params.agentId, version);
    },

    async sendTestAlert({ params, body }) {
      const { agentId } = params;
      const version = found(await readTokenVersion(deps.db, agentId, { rotates: false }));
      const ms = deps.clock.now();
      const firedAt = { kind: "time", ms, text: new Date(ms).toISOString() } as const;
      const delivery = toDelivery({ agentId, alertName: body.alertName, firedAt }, version, ms);
      return told(await deps.receive(delivery));
    },

    previewAlert: ({ params, body }) => preview(deps, params.agentId, body.text),

    async setTradingStatus({ params, body, session }) {
      await deps.pipeline.setAutoTrade(params.agentId, session, body.autoTrade);
      return shown(params.agentId);
    },

    async closePosition({ params, body, session }) {
      await deps.pipeline.closePosition(params.agentId, session, body);
      return shown(params.agentId);
    },

    async endExits({ params, session }) {
      await deps.pipeline.endExits(params.agentId, session);
      return shown(params.agentId);
    },
  } satisfies Partial<Handlers>;
}

/** Returns what an alert's text would do, read as the webhook reads it. */
async function preview(
  deps: SignalDeps,
  agentId: AgentId,
  pasted: string,
): Promise<ResponseOf<typeof previewAlert>> {
  // TradingView fills it in; what else it sends is as it was pasted
  const text = pasted.replaceAll("{{timenow}}", new Date(deps.clock.now()).toISOString());
  try {
    const delivery = readDelivery(deps, agentId, Buffer.from(text));
    const { result, signals } = await deps.pipeline.preview(delivery);
    const { status } = told(result);
    const words = PREVIEW_WORDS[status](delivery.alertName, signals);
    return { outcome: status, words: text === pasted ? words : `${words} ${FILLED_IN}` };
  } catch (error) {
    if (!isAppError(error)) throw error;
    return { outcome: "refused", words: problemOf(error)?.message ?? reasonText(error.code) };
  }
}

/** Returns the same with its times as text. */
const withTexts = <T extends { readonly since: Date; readonly lastAt: Date }>(told: T) => ({
  ...told,
  since: told.since.toISOString(),
  lastAt: told.lastAt.toISOString(),
});

function revealWebhook(deps: SignalDeps, agentId: AgentId, version: number) {
  const token = webhookToken(deps.webhookKey, agentId, version);
  return { ...presentWebhook(deps, agentId, token), token };
}

const presentWebhook = (deps: SignalDeps, agentId: AgentId, token: string) => ({
  url: new URL(`/webhook/${agentId}`, deps.publicUrl).href,
  alertText: JSON.stringify({
    agentId,
    alertName: "{{alertName}}",
    timestamp: "{{timenow}}",
    token,
  }),
});
