import { AppError } from "../../contract/errors.ts";
import type { RequestOf, ResponseOf } from "../../contract/route.ts";
import type { ROUTES } from "../../contract/routes.ts";
import { validateAgentDraft } from "../../domain/agent-validation.ts";
import { VENUE_PROFILES } from "../../venues/profiles.ts";
import { DEFAULT_SLIPPAGE_BPS } from "../../domain/slippage.ts";
import { newId } from "../new-id.ts";
import type { Session } from "../session.ts";
import { findAgent, findAgentOfChat, insertAgent } from "../store/agents/agents.ts";
import { insertAudit } from "../store/audit/audit.ts";
import { insertChat, lockChat } from "../store/chats/chats.ts";
import type { Db } from "../store/postgres/db.ts";
import { lockWallet } from "../store/chats/quotas.ts";
import type { AgentDeps } from "./agent-deps.ts";
import { changesOf, networkFor } from "./agent-changes.ts";
import { answerComplete } from "./answer-complete.ts";
import { refuseTooManyAgents, refuseTooManyChats } from "./quotas.ts";
import { refusalOf } from "./refuse.ts";
import { saveAlerts } from "./save-alerts.ts";
import { saveRules } from "./save-rules.ts";
import { readDraftIn } from "./wire-draft.ts";

/** Title of a chat made from the page. */
const NEW_CHAT_TITLE = "My New Chat";

const SERVER_ID = /^[0-9a-f]{32}$/;

type Draft = RequestOf<typeof ROUTES.createCompleteAgent>["body"];
type Complete = ResponseOf<typeof ROUTES.createCompleteAgent>;

/** Creates an agent with its alerts and rules, and its chat when it names none: all of it or nothing. */
export async function createCompleteAgent(
  deps: AgentDeps,
  body: Draft,
  session: Session,
): Promise<Complete> {
  const draft = readDraftIn(body);
  const checked = validateAgentDraft(draft, VENUE_PROFILES);
  if (!checked.ok) throw refusalOf(checked);
  const { agent: fields, alerts, rules } = checked.value;
  const network = networkFor(deps.networks, draft.agent.network, fields);
  const now = deps.clock.now();
  const agentId = newId(deps.random);
  const answer = await deps.db.transaction().execute(async (tx) => {
    await lockWallet(tx, session.wallet);
    await refuseTakenId(tx, draft.agent.id);
    const chatId = await chatFor(deps, tx, draft.agent.chatId, session.wallet);
    const changes = changesOf(draft.agent, fields);
    const isNew = await insertAgent(
      tx,
      {
        ...changes,
        slippageBps: changes.slippageBps ?? DEFAULT_SLIPPAGE_BPS,
        id: agentId,
        chatId,
        owner: session.wallet,
        network,
      },
      now,
    );
    if (!isNew) throw new AppError("agent_already_exists");
    await refuseTooManyAgents(tx, session.wallet);
    const alertIds = await saveAlerts(deps, tx, agentId, alerts);
    await saveRules(deps, tx, agentId, rules, alertIds);
    await insertAudit(tx, {
      at: now,
      wallet: session.wallet,
      action: "agent_created",
      object: agentId,
      detail: { network, venue: fields.venue, market: fields.market.marketId },
    });
    return answerComplete(deps, tx, agentId, checked.dropped);
  });
  deps.publisher.publish(session.wallet, { topic: "chats" });
  return answer;
}

/** Ids are ours to make; one that already names an agent can only be a mistake or an attempt. */
async function refuseTakenId(tx: Db, id: string | undefined): Promise<void> {
  if (id === undefined || !SERVER_ID.test(id)) return;
  if ((await findAgent(tx, id)) !== null) throw new AppError("conflict");
}

async function chatFor(
  deps: AgentDeps,
  tx: Db,
  wanted: string | undefined,
  owner: string,
): Promise<string> {
  if (wanted === undefined) {
    const id = newId(deps.random);
    await insertChat(tx, { id, owner, title: NEW_CHAT_TITLE, now: deps.clock.now() });
    await refuseTooManyChats(tx, owner);
    return id;
  }
  if (!(await lockChat(tx, wanted, owner))) throw new AppError("not_found");
  if ((await findAgentOfChat(tx, wanted)) !== null) throw new AppError("chat_has_agent");
  return wanted;
}
