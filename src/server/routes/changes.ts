import { CHANGES_PAGE } from "../../contract/changes.ts";
import { FACTS_PAGE, type OwnerFact } from "../../contract/owner-facts.ts";
import { encodeBase58 } from "../../domain/base58.ts";
import type { OwnerAddress } from "../../domain/ids.ts";
import { type AuditRow, listAgentAudit } from "../store/audit/audit.ts";
import { listOwnerFacts, type OwnerFactRecord } from "../store/agents/owner-facts.ts";
import type { Db } from "../store/postgres/db.ts";
import type { Handlers } from "../http/handler.ts";

/** Audit actions of operator commands; they are recorded under the agent's owner. */
const BY_OPERATOR: ReadonlySet<string> = new Set(["delegate_replaced", "delegate_withdrawn"]);

/** Answers the calls for an agent's change history and for what its owner signed: what, when and by whom. */
export function changeHandlers({ db }: { readonly db: Db }) {
  return {
    async listChanges({ params, query: { before = null } }) {
      const rows = await listAgentAudit(db, params.agentId, before, CHANGES_PAGE);
      return rows.map(present);
    },
    async listOwnerFacts({ params }) {
      const facts = await listOwnerFacts(db, params.agentId, FACTS_PAGE);
      return facts.map(presentFact);
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

function presentFact({ at: time, ...fact }: OwnerFactRecord): OwnerFact {
  const at = time.toISOString();
  switch (fact.kind) {
    case "signed": {
      const { kind, wallet, text, parts } = fact;
      return { kind, at, wallet, text, signature: encodeBase58(fact.signature), parts };
    }
    case "off":
      return { kind: fact.kind, at };
    case "key_withdrawn":
      return { kind: fact.kind, at, tradingKey: fact.tradingKey };
  }
}

function byOf(action: string, wallet: OwnerAddress | null): "owner" | "operator" | "outside" {
  if (action === "custody_flagged") return "outside";
  return wallet === null || BY_OPERATOR.has(action) ? "operator" : "owner";
}
