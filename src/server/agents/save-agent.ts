import { AppError, found } from "../../contract/errors.ts";
import type { Agent } from "../../contract/agent.ts";
import type { RequestOf } from "../../contract/route.ts";
import type { ROUTES } from "../../contract/routes.ts";
import type { AgentDraft, SavedAgent } from "../../contract/save-agent.ts";
import type { AgentFields } from "../../domain/agent-draft.ts";
import { validateAgentDraft, validateAgentFields } from "../../domain/agent-validation.ts";
import type { AgentId } from "../../domain/ids.ts";
import type { KnownTradingCosts } from "../../domain/trading-costs.ts";
import { VENUE_PROFILES } from "../../venues/profiles.ts";
import type { Session } from "../session.ts";
import { findAgent, lockLane, updateAgent, type AgentRecord } from "../store/agents/agents.ts";
import { hasUnsettledTransaction, abandonUnsigned } from "../store/custody/custody.ts";
import { type AuditDetail, insertAudit } from "../store/audit/audit.ts";
import type { Db } from "../store/postgres/db.ts";
import {
  changesOf,
  networkFor,
  requirePriced,
  readLeverageCosts,
  refuseMove,
  refusePlan,
  answerComplete,
  refusalOf,
  type AgentDeps,
} from "./agent-changes.ts";
import { saveRules, checkRuleSet, refuseInterval } from "./save-rules.ts";
import { showAgent } from "./show-agents.ts";
import { saveAlerts } from "./save-alerts.ts";
import { conditionKey } from "../../domain/condition/condition-text.ts";
import { listAlertsOf } from "../store/alerts/alerts.ts";
import { listRulesOf } from "../store/alerts/rules.ts";
import { hasOpenOrders, readLastSent } from "../store/orders/orders.ts";
import { lookAtPlanSoon } from "../store/orders/plan-positions.ts";
import { readAccount } from "../trading/orders/believe-account.ts";
import { toTradingAgent } from "../trading/orders/order-context.ts";

/** An agent found to hold nothing of its asset. */
interface LeavableAsset {
  readonly marketId: string;
  /** Number of the order it had sent last. */
  readonly lastSent: string | null;
}

/**
 * Refuses to move an agent away from an asset it holds or has an order for: its alerts could no longer close that
 * position. Returns null for an agent that keeps its asset.
 *
 * Queries the chain, and therefore runs before the transaction of the save, which has to call `requireLeavable`. An
 * agent that is off is looked at as well: its owner may have taken the trading key away, or cancelled an exit, and kept
 * the position.
 */
async function refuseLeavingPosition(
  deps: Pick<AgentDeps, "db" | "networks" | "clock" | "toldByNode">,
  agent: AgentRecord | null,
  marketId: string,
): Promise<LeavableAsset | null> {
  if (agent === null || agent.marketId === marketId) return null;
  const leavable = { marketId: agent.marketId, lastSent: await readLastSent(deps.db, agent.id) };
  const { runtime, account } = toTradingAgent(deps.networks, agent);
  if (account === null) return leavable;
  if (runtime === null) throw outOfSight(agent);
  const isOpen = await hasOpenOrders(deps.db, agent.id);
  const { positions } = await readAccount(deps, { record: agent, runtime, account }).catch(
    (cause: unknown) => {
      throw new AppError("unavailable", { cause });
    },
  );
  if (isOpen || positions.some((held) => held.marketId === agent.marketId)) throw inUse(agent);
  return leavable;
}

/** Refuses the same where the agent got an order after it was looked at. The caller holds its lane's lock. */
async function requireLeavable(
  transaction: Db,
  agent: AgentRecord,
  marketId: string,
  leavable: LeavableAsset | null,
): Promise<void> {
  if (agent.marketId === marketId) return;
  const isLookedAt =
    leavable !== null &&
    leavable.marketId === agent.marketId &&
    leavable.lastSent === (await readLastSent(transaction, agent.id));
  if (!isLookedAt || (await hasOpenOrders(transaction, agent.id))) throw inUse(agent);
}

const outOfSight = ({ marketId, network }: AgentRecord) =>
  new AppError("network_disabled", {
    message: `Trading on ${network} is not enabled here, so nobody can see whether the agent still holds ${marketId}. Its asset can be changed once it is.`,
  });

function inUse({ marketId, autoTrade }: AgentRecord): AppError {
  const what =
    autoTrade === "off"
      ? `The agent still holds ${marketId}. Close the position`
      : `The agent trades ${marketId} at the moment. Stop it, which closes the position,`;
  return new AppError("conflict", {
    message: `${what} before you change its asset: its alerts would no longer close it.`,
  });
}

const FIELDS = [
  "name",
  "network",
  "venue",
  "marketId",
  "interval",
  "slippageBps",
  "positionSizePercent",
  "maxSignalAgeSeconds",
  "plan",
  "leverage",
  "hypothesisStatus",
  "buyReportPrompt",
  "sellReportPrompt",
] as const satisfies readonly (keyof AgentRecord)[];

/** All fields of an agent that a save may change, as comparable text by audit name. */
type AgentState = ReadonlyMap<string, string>;

async function readAgentState(db: Db, agent: AgentRecord): Promise<AgentState> {
  const alerts = await listAlertsOf(db, agent.id);
  const rules = await listRulesOf(db, agent.id);
  const nameOf = new Map(alerts.map(({ id, name }) => [id, name]));
  return new Map<string, string>([
    ...FIELDS.map((field) => [field, JSON.stringify(agent[field])] as const),
    ["alerts", JSON.stringify(alerts.map(({ name, description }) => [name, description]))],
    [
      "conditions",
      JSON.stringify(alerts.map(({ name, condition }) => [name, conditionKey(condition)])),
    ],
    [
      "rules",
      JSON.stringify(
        rules.map(({ action, portion, conditions }) => [
          action,
          portion,
          conditions.map(({ alertId, requiredCount }) => [nameOf.get(alertId), requiredCount]),
        ]),
      ),
    ],
  ]);
}

/** Returns the names of the fields that differ. */
function changedFields(before: AgentState, after: AgentState): readonly string[] {
  return [...after.keys()].filter((name) => after.get(name) !== before.get(name));
}

/** Saves an agent with its alerts and rules in one transaction. */
export async function updateCompleteAgent(
  deps: AgentDeps,
  agentId: AgentId,
  draft: RequestOf<typeof ROUTES.updateCompleteAgent>["body"],
  session: Session,
): Promise<SavedAgent> {
  const checked = validateAgentDraft(draft, VENUE_PROFILES);
  if (!checked.ok) throw refusalOf(checked);
  const { agent: fields, alerts, rules } = checked.value;
  const { marketId } = fields.market;
  const { left, costs } = await lookBefore(deps, agentId, draft.agent, fields);
  const answer = await deps.db.transaction().execute(async (tx) => {
    const agent = await lockAgent(tx, agentId, session);
    refuseOverwriting(agent, draft.updatedAt);
    await requireLeavable(tx, agent, marketId, left);
    const before = await readAgentState(tx, agent);
    await writeFields(deps, tx, agent, draft.agent, { ...fields, costs });
    const alertIds = await saveAlerts(deps, tx, agentId, alerts);
    refuseInterval(await listAlertsOf(tx, agentId), fields.interval.minutes);
    await saveRules(deps, tx, agentId, rules, alertIds);
    await audit(deps, tx, agentId, session, before);
    return answerComplete(deps, tx, agentId, checked.dropped);
  });
  announce(deps, agentId, session);
  return answer;
}

/** Saves the agent's own fields; its existing alerts and rules must remain valid. */
export async function saveAgent(
  deps: AgentDeps,
  agentId: AgentId,
  { agent: draft, updatedAt }: RequestOf<typeof ROUTES.saveAgent>["body"],
  session: Session,
): Promise<Agent> {
  const checked = validateAgentFields(draft, VENUE_PROFILES);
  if (!checked.ok) throw refusalOf(checked);
  const { marketId } = checked.value.market;
  const { left, costs } = await lookBefore(deps, agentId, draft, checked.value);
  const saved = await deps.db.transaction().execute(async (tx) => {
    const agent = await lockAgent(tx, agentId, session);
    refuseOverwriting(agent, updatedAt);
    await requireLeavable(tx, agent, marketId, left);
    const before = await readAgentState(tx, agent);
    await writeFields(deps, tx, agent, draft, { ...checked.value, costs });
    const alerts = await checkRuleSet(tx, agentId, checked.value.venue);
    refuseInterval(alerts, checked.value.interval.minutes);
    await audit(deps, tx, agentId, session, before);
    return findAgent(tx, agentId);
  });
  if (saved === null) throw new AppError("not_found");
  announce(deps, agentId, session);
  return showAgent(deps, saved);
}

/** What the chain said of an agent before the transaction of its save, which looks at the rows again. */
interface SeenBefore {
  readonly left: LeavableAsset | null;
  readonly costs: KnownTradingCosts | null;
}

/** Refuses leaving venue, network or a held asset, and reads what leverage is checked against. */
async function lookBefore(
  deps: AgentDeps,
  agentId: AgentId,
  draft: AgentDraft,
  fields: AgentFields,
): Promise<SeenBefore> {
  const agent = await findAgent(deps.db, agentId);
  if (agent !== null) refuseMove(agent, draft, fields.venue);
  const left = await refuseLeavingPosition(deps, agent, fields.market.marketId);
  const costs =
    agent === null ? null : await readLeverageCosts(deps.networks, draft, agent, fields);
  return { left, costs };
}

/**
 * Locks the agent's lane and reads the agent, which may have been deleted since the ownership check.
 *
 * With the session of a call that changes it, what its owner signed is judged again.
 */
export async function lockAgent(tx: Db, agentId: AgentId, session?: Session): Promise<AgentRecord> {
  const isHeld = await lockLane(tx, agentId);
  const agent = found(isHeld ? await findAgent(tx, agentId) : null);
  await session?.judgeAgain?.(tx);
  return agent;
}

/**
 * Changes a locked agent in one transaction, with an entry of the audit log, and tells the owner's pages. `write` returns
 * the call's answer and the entry's facts.
 */
export async function changeAgent<T>(
  deps: AgentDeps,
  agentId: AgentId,
  session: Session,
  action: string,
  write: (tx: Db, agent: AgentRecord) => Promise<{ answer: T; detail?: AuditDetail }>,
): Promise<T> {
  const answer = await deps.db.transaction().execute(async (tx) => {
    const done = await write(tx, await lockAgent(tx, agentId, session));
    await insertAudit(tx, deps.clock.now(), session, action, agentId, done.detail);
    return done.answer;
  });
  deps.publisher.publish(session.wallet, { topic: "agent", id: agentId });
  return answer;
}

/** Refuses a save from a form opened before the agent's last change. A save without that time is not checked. */
function refuseOverwriting(agent: AgentRecord, openedAs: string | undefined): void {
  if (openedAs !== undefined && Date.parse(openedAs) !== agent.updatedAt.getTime()) {
    throw new AppError("agent_changed");
  }
}

async function writeFields(
  deps: AgentDeps,
  tx: Db,
  agent: AgentRecord,
  draft: AgentDraft,
  { costs, ...fields }: AgentFields & Pick<SeenBefore, "costs">,
): Promise<void> {
  refuseMove(agent, draft, fields.venue);
  refusePlan(draft, agent, fields, costs);
  const isMoved =
    fields.venue !== agent.venue || (draft.network ?? agent.network) !== agent.network;
  const network = isMoved
    ? networkFor(deps.networks, draft.network ?? agent.network, fields)
    : agent.network;
  if (fields.market.marketId !== agent.marketId) requirePriced(network, fields);
  const changes = { ...changesOf(draft, fields), network };
  if (!(await updateAgent(tx, agent.id, changes, deps.clock.now()))) {
    throw new AppError("agent_already_exists");
  }
  await lookAtPlanSoon(tx, agent.id, deps.clock.now());
  if (!isMoved) return;
  // Asked after the row is written: whoever prepares one reads the row first
  if (await hasUnsettledTransaction(tx, agent.id)) throw new AppError("transaction_open");
  await abandonUnsigned(tx, agent.id);
}

async function audit(
  deps: AgentDeps,
  tx: Db,
  agentId: AgentId,
  session: Session,
  before: AgentState,
): Promise<void> {
  const fields = changedFields(before, await readAgentState(tx, await lockAgent(tx, agentId)));
  await insertAudit(tx, deps.clock.now(), session, "agent_saved", agentId, { fields });
}

function announce(deps: AgentDeps, agentId: AgentId, session: Session): void {
  deps.publisher.publish(session.wallet, { topic: "chats" });
  deps.publisher.publish(session.wallet, { topic: "agent", id: agentId });
}
