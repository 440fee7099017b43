import type { AgentId, ChatId, OwnerAddress } from "../../../domain/ids.ts";
import { parseAgentId, parseChatId } from "../../../domain/ids.ts";
import type { Network } from "../../../domain/network.ts";
import type { ReadinessBar } from "../../../domain/readiness.ts";
import type { Db } from "../postgres/db.ts";
import { on } from "../postgres/on.ts";

/** Alerts that the agent should have counted and did not, because they or their evaluation came too late. */
const TOO_LATE = ["bar_missed", "bars_unlisted", "stale_signal", "rate_limited"];

/** An exit that lasts longer has waited for something, in milliseconds. */
const LONG_EXIT_MS = 60_000;

/** Returns the bar an owner set; null before. */
export async function readReadinessBar(db: Db, owner: OwnerAddress): Promise<ReadinessBar | null> {
  const row = await on(db).row<{ bar: ReadinessBar }>`
    select bar from readiness_bars where owner = ${owner}`;
  return row?.bar ?? null;
}

export async function storeReadinessBar(
  db: Db,
  owner: OwnerAddress,
  bar: ReadinessBar,
): Promise<void> {
  await on(db).change`
    insert into readiness_bars (owner, bar) values (${owner}, ${JSON.stringify(bar)})
    on conflict (owner) do update set bar = excluded.bar`;
}

/** What was recorded of an agent's machine. */
export interface RecordedMachine {
  readonly since: Date;
  readonly missedAlerts: number;
  readonly waitedExits: number;
}

export async function readMachine(db: Db, agentId: AgentId): Promise<RecordedMachine | null> {
  return on(db).row<RecordedMachine>`
    select created_at as since,
      (select count(*)::int from alert_events
        where agent_id = agents.id::uuid and reason = any(${TOO_LATE})) as "missedAlerts",
      (select count(*)::int from exits where agent_id = agents.id
        and ended_at - asked_at > ${LONG_EXIT_MS} * interval '1 millisecond') as "waitedExits"
    from agents where id = ${agentId}`;
}

/** Records that an agent was made from another one. */
export async function insertLiveCopy(
  db: Db,
  copy: {
    readonly agentId: AgentId;
    readonly twinId: AgentId;
    readonly below: string | null;
    readonly now: number;
  },
): Promise<void> {
  await on(db).change`
    insert into live_copies (agent_id, twin_id, below, made_at)
    values (${copy.agentId}, ${copy.twinId}, ${copy.below}, ${new Date(copy.now)})`;
}

/** An agent made from another one, or the one it was made from. */
export interface AgentCopy {
  readonly agentId: AgentId;
  readonly chatId: ChatId;
  readonly name: string;
  readonly network: Network;
}

/** Returns the agent that one was made from, and those made from it. */
export async function readCopies(
  db: Db,
  agentId: AgentId,
): Promise<{ readonly twin: AgentCopy | null; readonly live: readonly AgentCopy[] }> {
  const rows = await on(db).rows<{
    id: string;
    chatId: string;
    name: string;
    network: Network;
    isTwin: boolean;
  }>`
    select agents.id, chat_id as "chatId", name, network, agents.id = twin_id as "isTwin"
    from live_copies join agents
      on (agents.id = twin_id and agent_id = ${agentId}) or (agents.id = agent_id and twin_id = ${agentId})
    order by made_at`;
  const copies = rows.map(({ id, chatId, name, network, isTwin }) => ({
    isTwin,
    copy: { agentId: parseAgentId(id), chatId: parseChatId(chatId), name, network },
  }));
  return {
    twin: copies.find(({ isTwin }) => isTwin)?.copy ?? null,
    live: copies.flatMap(({ isTwin, copy }) => (isTwin ? [] : [copy])),
  };
}
