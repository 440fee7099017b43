import { AppError, found } from "../../contract/errors.ts";
import type { Rule } from "../../contract/rules.ts";
import type { RuleDraft, ValidRule } from "../../domain/agent-draft.ts";
import { validRule } from "../../domain/agent-validation.ts";
import type { AgentId } from "../../domain/ids.ts";
import type { Signal } from "../../domain/signal.ts";
import { shownVenue } from "../../domain/venue-id.ts";
import { newId } from "../crypto/new-id.ts";
import type { Session } from "../session.ts";
import { type AgentRecord, touchAgent } from "../store/agents/agents.ts";
import type { Db } from "../store/postgres/db.ts";
import {
  deleteRules,
  findAgentIdOfRule,
  insertRule,
  listRulesOf,
  replaceRule,
  type RuleRecord,
} from "../store/alerts/rules.ts";
import { type AgentDeps, showRule } from "./agent-changes.ts";
import { conditionsOf, isSame, checkRuleSet } from "./save-rules.ts";
import { changeAgent } from "./save-agent.ts";

/** Maximum number of rules per agent. */
const MAX_RULES = 50;

interface RuleText {
  readonly conditions: RuleDraft["conditions"];
  readonly action: Signal;
  readonly portion?: number | undefined;
}

export async function createRule(
  deps: AgentDeps,
  agentId: AgentId,
  text: RuleText,
  session: Session,
): Promise<Rule> {
  return change(deps, agentId, session, "rule_created", async (tx, agent, stored) => {
    if (stored.length >= MAX_RULES) {
      throw new AppError("validation_failed", { message: `At most ${MAX_RULES} rules per agent.` });
    }
    const id = newId(deps.random);
    return writeRule(
      tx,
      agent,
      validRule({ id, portion: text.portion }, text.action, text.conditions),
      null,
    );
  });
}

/** Updates a rule; one that is saved unchanged keeps its counters. */
export async function updateRule(
  deps: AgentDeps,
  ruleId: string,
  text: RuleText,
  session: Session,
): Promise<Rule> {
  const agentId = await agentIdOf(deps, ruleId);
  return change(deps, agentId, session, "rule_updated", async (tx, agent, stored) => {
    const before = found(stored.find((rule) => rule.id === ruleId));
    return writeRule(
      tx,
      agent,
      validRule({ id: ruleId, portion: text.portion }, text.action, text.conditions),
      before,
    );
  });
}

export async function deleteRule(deps: AgentDeps, ruleId: string, session: Session): Promise<void> {
  const agentId = await agentIdOf(deps, ruleId);
  await change(deps, agentId, session, "rule_deleted", async (tx) => deleteRules(tx, [ruleId]));
}

async function agentIdOf(deps: AgentDeps, ruleId: string): Promise<AgentId> {
  const agentId = found(await findAgentIdOfRule(deps.db, ruleId));
  return agentId;
}

function change<T>(
  deps: AgentDeps,
  agentId: AgentId,
  session: Session,
  action: string,
  write: (tx: Db, agent: AgentRecord, stored: readonly RuleRecord[]) => Promise<T>,
): Promise<T> {
  return changeAgent(deps, agentId, session, action, async (tx, agent) => {
    const answer = await write(tx, agent, await listRulesOf(tx, agentId));
    await touchAgent(tx, agentId, deps.clock.now());
    return { answer };
  });
}

async function writeRule(
  tx: Db,
  agent: AgentRecord,
  rule: ValidRule & { readonly id: string | undefined },
  before: RuleRecord | null,
): Promise<Rule> {
  const alerts = await checkRuleSet(tx, agent.id, shownVenue(agent.venue), rule);
  const alertIds = new Map(alerts.map((alert) => [alert.nameKey, alert.id]));
  const conditions = conditionsOf(rule, alertIds);
  const { id = "", action, portion } = rule;
  const written = { id, agentId: agent.id, action, portion, conditions };
  if (before === null) await insertRule(tx, written);
  else if (!isSame(before, rule, conditions)) await replaceRule(tx, written);
  const saved = (await listRulesOf(tx, agent.id)).find((each) => each.id === id);
  if (saved === undefined) throw new Error("A written rule is gone.");
  return showRule(saved, alerts);
}
