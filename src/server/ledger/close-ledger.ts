import { AppError } from "../../contract/errors.ts";
import type { AgentId } from "../../domain/ids.ts";
import { ChainUnavailableError } from "../../solana/chain.ts";
import { findCustodyAgent } from "../store/custody/multisigs.ts";
import { updateAgentLedger } from "./update-agent-ledger.ts";
import type { LedgerDeps } from "./ledger-deps.ts";

/**
 * Reads an agent's ledger a last time before its records are deleted: confirmed transactions count as final, because no
 * later read follows. Throws `unavailable` while the chain cannot be read, so that the ledger is complete.
 */
export async function closeLedger(deps: LedgerDeps, agentId: AgentId): Promise<void> {
  const agent = await findCustodyAgent(deps.db, agentId);
  if (agent === null) return;
  try {
    await updateAgentLedger(deps, agent, { isLast: true });
  } catch (error) {
    if (error instanceof ChainUnavailableError) throw new AppError("unavailable");
    throw error;
  }
}
