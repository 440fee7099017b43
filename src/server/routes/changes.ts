import { CHANGES_PAGE } from "../../contract/changes.ts";
import type { OwnerAddress } from "../../domain/ids.ts";
import { type AuditRow, listAgentAudit } from "../store/audit/audit.ts";
import type { Db } from "../store/postgres/db.ts";
import type { Handlers } from "../http/handler.ts";

/** Audit actions of operator commands; they are recorded under the agent's owner. */
const BY_OPERATOR: ReadonlySet<string> = new Set(["delegate_replaced", "delegate_withdrawn"]);

/** Answers the calls for an agent's change history: what changed, when and by whom. */
export function changeHandlers({ db }: { readonly db: Db }) {
  return {
    async listChanges({ params, query: { before = null } }) {
      const rows = await listAgentAudit(db, params.agentId, before, CHANGES_PAGE);
      return rows.map(present);
    },
  } satisfies Partial<Handlers>;
}

function present({ seq, at, wallet, action, detail }: AuditRow) {
  const { fields, text, intent } = detail ?? {};
  return {
    id: seq,
    at: at.toISOString(),
    what: action,
    by: byOf(action, wallet),
    ...(Array.isArray(fields) && { fields: fields.map(String) }),
    ...(typeof text === "string" && { text }),
    ...(typeof intent === "string" && { intent }),
  };
}

function byOf(action: string, wallet: OwnerAddress | null): "owner" | "operator" | "outside" {
  if (action === "custody_flagged") return "outside";
  return wallet === null || BY_OPERATOR.has(action) ? "operator" : "owner";
}
