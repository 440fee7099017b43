import { AppError, found } from "../../contract/errors.ts";
import type { AgentId, ChatId } from "../../domain/ids.ts";
import {
  type AgentRecord,
  deleteAgentRow,
  findAgentOfChat,
  findAgent,
  lockLane,
} from "../store/agents/agents.ts";
import { hasSentTransaction } from "../store/custody/custody.ts";
import { type Actor, insertAudit } from "../store/audit/audit.ts";
import { deleteChatRow, lockChat } from "../store/chats/chats.ts";
import type { Db } from "../store/postgres/db.ts";
import type { AgentDeps } from "./agent-changes.ts";

/** Deletes an agent's records; refused while money is reachable only through them. The chat stays. */
export async function deleteAgent(deps: AgentDeps, agentId: AgentId, by: Actor): Promise<void> {
  await closeCustody(deps, await findAgent(deps.db, agentId));
  await deps.db.transaction().execute((tx) => removeAgent(deps, tx, agentId, by));
  deps.publisher.publish(by.wallet, { topic: "chats" });
}

/** Deletes a chat with its messages, and with its agent when that never got custody. */
export async function deleteChat(deps: AgentDeps, chatId: ChatId, by: Actor): Promise<void> {
  const held = await findAgentOfChat(deps.db, chatId);
  if (held?.owner === by.wallet) await closeCustody(deps, held);
  await deps.db.transaction().execute(async (tx) => {
    if (!(await lockChat(tx, chatId, by.wallet))) throw new AppError("not_found");
    const agent = await findAgentOfChat(tx, chatId);
    if (agent !== null) await removeAgent(deps, tx, agent.id, by);
    await deleteChatRow(tx, chatId);
    await insertAudit(tx, deps.clock.now(), by, "chat_deleted", chatId);
  });
  deps.publisher.publish(by.wallet, { topic: "chats" });
}

/** Closes the custody before the transaction that deletes the records, because the chain queries may take long. */
async function closeCustody(deps: AgentDeps, agent: AgentRecord | null): Promise<void> {
  if (agent?.multisig === null || agent?.multisig === undefined) return;
  await deps.closeCustody?.(agent.id);
}

async function removeAgent(deps: AgentDeps, tx: Db, agentId: AgentId, by: Actor): Promise<void> {
  if (!(await lockLane(tx, agentId))) throw new AppError("not_found");
  const agent = found(await findAgent(tx, agentId));
  if (await hasSentTransaction(tx, agentId)) throw new AppError("transaction_open");
  const status = agent.multisig?.status;
  if (status === "active" || status === "deleting") {
    throw new AppError("funds_remaining", {
      message: "The agent still has custody on chain. Please withdraw and close it first.",
    });
  }
  await deleteAgentRow(tx, agentId);
  await insertAudit(tx, deps.clock.now(), by, "agent_deleted", agentId, {
    name: agent.name,
    network: agent.network,
    venue: agent.venue,
  });
}
