import { isDeepStrictEqual } from "node:util";
import { AppError, found, ERRORS } from "../../contract/errors.ts";
import { type AgentDraft, type SavedAgent, DRAFT_NAMES } from "../../contract/save-agent.ts";
import type {
  AgentFields,
  DroppedParts,
  Invalid,
  ValidationReason,
} from "../../domain/agent-draft.ts";
import { findPlanFault } from "../../domain/plan/check-plan.ts";
import { isPriced, UNPRICED, VENUE_PROFILES } from "../../venues/profiles.ts";
import type { Network } from "../../domain/network.ts";
import type { KnownTradingCosts } from "../../domain/trading-costs.ts";
import type { Networks } from "../networks.ts";
import { type AgentChanges, type AgentRecord, findAgent } from "../store/agents/agents.ts";
import type { AgentId } from "../../domain/ids.ts";
import { listAlertsOf, type AlertRecord } from "../store/alerts/alerts.ts";
import type { Db } from "../store/postgres/db.ts";
import { listRulesOf, type RuleRecord } from "../store/alerts/rules.ts";
import { type ShowDeps, showAgent } from "./show-agents.ts";
import type { RandomBytes } from "../crypto/new-id.ts";
import type { StalePublisher } from "../stale-publisher.ts";
import type { PlanningDeps } from "../trading/orders/order-context.ts";
import type { Alert } from "../../contract/alerts.ts";
import type { Rule } from "../../contract/rules.ts";

/** Returns the agent's own columns to write for a validated draft. */
export function changesOf(draft: AgentDraft, fields: AgentFields) {
  return {
    venue: fields.venue,
    name: fields.name,
    nameKey: fields.nameKey,
    marketId: fields.market.marketId,
    interval: fields.intervalText,
    slippageBps: fields.slippageBps,
    positionSizePercent: draft.positionSizePercent,
    maxSignalAgeSeconds: draft.maxSignalAgeSeconds,
    plan: draft.plan,
    leverage: draft.leverage,
    hypothesisStatus: draft.hypothesisStatus,
    buyReportPrompt: draft.buyReportPrompt,
    sellReportPrompt: draft.sellReportPrompt,
  } satisfies AgentChanges;
}

/**
 * Returns the costs of the agent's market where it has leverage after the save, whose stop has to be nearer than the
 * liquidation; null where it has none. Asks the venue, and therefore runs before the transaction of the save.
 */
export async function readLeverageCosts(
  networks: Networks,
  draft: Pick<AgentDraft, "leverage" | "network">,
  stored: Pick<AgentRecord, "leverage"> & Partial<Pick<AgentRecord, "network">>,
  { venue, market }: AgentFields,
): Promise<KnownTradingCosts | null> {
  const isLevered = (draft.leverage ?? stored.leverage) > 1;
  if (!isLevered || VENUE_PROFILES[venue].kind !== "perpetual") return null;
  const network = draft.network ?? stored.network ?? networks.keys().next().value;
  const found = network === undefined ? undefined : networks.get(network)?.venues.get(venue);
  return found?.tradingCosts(market.marketId).catch(() => null) ?? null;
}

/** What the distance of a stop to the liquidation depends on; a new agent has no market or venue yet. */
type StoredRisk = Pick<AgentRecord, "plan" | "leverage" | "positionSizePercent"> &
  Partial<Pick<AgentRecord, "marketId" | "venue">>;

/**
 * Refuses a plan or leverage that the agent, as it is after the save, cannot have. A save that leaves all of it as it is
 * does not need the venue's answer.
 */
export function refusePlan(
  draft: Pick<AgentDraft, "plan" | "leverage" | "positionSizePercent">,
  stored: StoredRisk,
  { venue, market }: AgentFields,
  costs: KnownTradingCosts | null,
): void {
  const plan = draft.plan === undefined ? stored.plan : draft.plan;
  const leverage = draft.leverage ?? stored.leverage;
  const fault = findPlanFault(plan, {
    leverage,
    positionSizePercent: draft.positionSizePercent ?? stored.positionSizePercent,
    venue: VENUE_PROFILES[venue],
    ...(costs !== null && { costs }),
  });
  if (fault !== null) throw refusal("plan_invalid", `agent.${fault.field}`, fault.message);
  const isKept =
    leverage === stored.leverage &&
    venue === stored.venue &&
    market.marketId === stored.marketId &&
    isDeepStrictEqual(plan, stored.plan);
  // Without the market's margin nobody knows whether the stop is nearer than the liquidation
  if (leverage > 1 && costs === null && !isKept) throw new AppError("unavailable");
}

/** Returns the network of the agent; refuses one that is not enabled or lacks the venue. */
export function networkFor(
  networks: Networks,
  wanted: Network | undefined,
  fields: AgentFields,
): Network {
  const network = wanted ?? networks.keys().next().value;
  const runtime = network === undefined ? undefined : networks.get(network);
  if (runtime === undefined) throw new AppError("network_disabled");
  if (!runtime.venues.has(fields.venue)) {
    throw new AppError("venue_unavailable", { message: "That venue is not offered here yet." });
  }
  requirePriced(runtime.network, fields);
  return runtime.network;
}

/** Refuses an asset that nothing prices on a network. */
export function requirePriced(network: Network, { market }: Pick<AgentFields, "market">): void {
  if (!isPriced(market, network)) throw new AppError("market_unknown", { message: UNPRICED });
}

/** Refuses a draft that would move an agent away from its custody or sub-account. */
export function refuseMove(agent: AgentRecord, draft: AgentDraft, venue: string): void {
  if (draft.id !== undefined && draft.id !== agent.id) notWritable("agent.id");
  if (draft.chatId !== undefined && draft.chatId !== agent.chatId) notWritable("agent.chatId");
  if (agent.subAccountId !== null && venue !== agent.venue) {
    throw refusal("venue_locked", "agent.venue");
  }
  if (agent.multisig?.hasTradingKey === true && venue !== agent.venue) {
    const message =
      "The agent's trading key is set up on its venue, and the vault paid for accounts there. Delete the agent, which recovers what it can, or create another one.";
    throw refusal("venue_locked", "agent.venue", message);
  }
  const movesNetwork = draft.network !== undefined && draft.network !== agent.network;
  if (movesNetwork && agent.multisig !== null) {
    throw new AppError("conflict", {
      message: "Network cannot be changed after custody was set up.",
    });
  }
}

function notWritable(field: string): never {
  throw new AppError("validation_failed", { fields: { [wireField(field)]: "Cannot be changed." } });
}

/** Returns the saved agent as its owner sees it, read in the transaction that saved it. */
export async function answerComplete(
  deps: Omit<ShowDeps, "db">,
  db: Db,
  agentId: AgentId,
  dropped: DroppedParts,
): Promise<SavedAgent> {
  const agent = found(await findAgent(db, agentId));
  const alerts = await listAlertsOf(db, agentId);
  const rules = await listRulesOf(db, agentId);
  return {
    agent: await showAgent({ ...deps, db }, agent),
    alerts: alerts.map(showAlert),
    rules: rules.map((rule) => showRule(rule, alerts)),
    dropped: { alerts: dropped.alerts, rules: dropped.rules.map((rule) => ({ ...rule })) },
  };
}

const WIRE_FIELDS: ReadonlyMap<string, string> = new Map(
  Object.entries(DRAFT_NAMES).map(([wire, name]) => [`agent.${name}`, `agent.${wire}`]),
);

/** Returns the wire path of a draft's field. */
const wireField = (field: string): string => WIRE_FIELDS.get(field) ?? field;

/** Returns the refusal of a draft, with the field it is about. */
export function refusalOf(invalid: Invalid): AppError {
  return refusal(invalid.reason, invalid.field, invalid.message);
}

export function refusal(
  reason: ValidationReason | "venue_locked" | "plan_invalid",
  field: string,
  message: string = ERRORS[reason].message,
): AppError {
  const fields = { [wireField(field)]: message };
  // A condition's error refers to its field: without the field's name it is not understandable
  return new AppError(reason, reason === "condition_invalid" ? { fields } : { message, fields });
}

/** Dependencies of the use cases that change chats and agents. */
export interface AgentDeps extends ShowDeps, Pick<PlanningDeps, "toldByNode"> {
  readonly random: RandomBytes;
  readonly publisher: StalePublisher;
  /**
   * Verifies on chain that no funds are reachable only through the agent's records; throws the remaining step. When
   * absent, an agent with custody cannot be deleted.
   */
  readonly closeCustody?: (agentId: AgentId) => Promise<void>;
}

export function showAlert(alert: AlertRecord): Alert {
  const { id, name, description, condition } = alert;
  return { id, name, description, ...(condition === null ? {} : { condition }) };
}

/** Returns the rule with the current names of its alerts. */
export function showRule(rule: RuleRecord, alerts: readonly AlertRecord[]): Rule {
  const nameOf = new Map(alerts.map((alert) => [alert.id, alert.name]));
  return {
    id: rule.id,
    agentId: rule.agentId,
    action: rule.action,
    ...(rule.portion < 100 && { portion: rule.portion }),
    conditions: rule.conditions.map(({ alertId, requiredCount, count }) => ({
      alertName: nameOf.get(alertId) ?? "",
      requiredCount,
      count,
    })),
  };
}
