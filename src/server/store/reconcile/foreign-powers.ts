import { sql } from "kysely";
import { type AgentId, type OwnerAddress, parseAgentId } from "../../../domain/ids.ts";
import {
  insertCustodyFlag,
  LAST_FLAG_KEY,
  lastFlagKey,
  REVOCATION,
} from "../custody/custody-notices.ts";
import type { Db } from "../postgres/db.ts";
import { on } from "../postgres/on.ts";

/** Custody flag of third-party authorities over the vault. */
export const POWERS = "powers";

/** Custody flag of a trade that was not made here, which only a holder of the trading key or the owner can make. */
export const FOREIGN_TRADE = "foreign_trade";

/** Flags that stop entries, each with the flag that holds which of them the owner accepted, and the words for that. */
const STOPPING = [
  {
    kind: POWERS,
    accepted: "powers_accepted",
    text: "You turned Auto-Trade on and accepted who else may move this agent's money.",
  },
  {
    kind: FOREIGN_TRADE,
    accepted: "foreign_trade_accepted",
    text: "You turned Auto-Trade on and said that what was traded elsewhere was yours.",
  },
] as const;

/** Returns the SQL condition that a flag of the agent stops entries, because its owner has not decided on it. */
export const isUndecided = (agent: string): string =>
  STOPPING.map(
    ({ kind, accepted }) => `coalesce((${LAST_FLAG_KEY(agent, kind)}), '') not in ('',
      coalesce((${LAST_FLAG_KEY(agent, accepted)}), ''))`,
  ).join(" or ");

/** Records that the owner accepts what stops entries now and continues trading. */
export async function acceptPowers(
  db: Db,
  { agentId, owner, atMs }: { agentId: AgentId; owner: OwnerAddress; atMs: number },
): Promise<void> {
  for (const { kind, accepted, text } of STOPPING) {
    const key = (await lastFlagKey(db, agentId, kind)) ?? "";
    if (key === "" || key === (await lastFlagKey(db, agentId, accepted))) continue;
    await insertCustodyFlag(db, accepted, { agentId, owner, key, text, atMs });
  }
}

/** A trade that was not made here and that the owner has not decided on. */
export interface ForeignTrade {
  readonly sinceMs: number;
}

/** Returns the newest undecided foreign trade of each agent that has one and whose trading key is not revoked. */
export async function listForeignTrades(
  db: Db,
  agentIds: readonly AgentId[],
): Promise<ReadonlyMap<AgentId, ForeignTrade>> {
  const rows = await on(db).rows<{ agentId: string; at: Date }>`
    select agents.id as "agentId", flag.at
    from unnest(${agentIds}::text[]) as agents (id)
    cross join lateral (
      select at, detail from audit_log
      where action = 'custody_flagged' and object = agents.id and detail ->> 'kind' = ${FOREIGN_TRADE}
      order by seq desc limit 1) as flag
    where flag.detail ->> 'key' is distinct from (${sql.raw(
      LAST_FLAG_KEY("agents.id", "foreign_trade_accepted"),
    )})
      and not exists (${sql.raw(REVOCATION("agents.id"))})`;
  return new Map(rows.map(({ agentId, at }) => [parseAgentId(agentId), { sinceMs: at.getTime() }]));
}
