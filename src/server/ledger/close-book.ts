import { AppError } from "../../contract/errors.ts";
import { ChainUnavailableError } from "../../solana/chain.ts";
import { findCustodyAgent } from "../store/custody/multisigs.ts";
import { bookAgent } from "./book-agent.ts";
import type { BookDeps } from "./book-deps.ts";

/**
 * Reads an agent's ledger a last time before its records are deleted: confirmed transactions count as final, because no
 * later read follows. Throws `unavailable` while the chain cannot be read, so that the ledger is complete.
 */
export async function closeBook(deps: BookDeps, agentId: string): Promise<void> {
  const agent = await findCustodyAgent(deps.db, agentId);
  if (agent === null) return;
  try {
    await bookAgent(deps, agent, { isLast: true });
  } catch (error) {
    if (error instanceof ChainUnavailableError) throw new AppError("unavailable");
    throw error;
  }
}
