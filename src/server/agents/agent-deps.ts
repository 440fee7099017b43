import type { AgentId } from "../../domain/ids.ts";
import type { RandomBytes } from "../crypto/new-id.ts";
import type { StalePublisher } from "../stale-publisher.ts";
import type { ShowDeps } from "./show-agents.ts";

/** Dependencies of the use cases that change chats and agents. */
export interface AgentDeps extends ShowDeps {
  readonly random: RandomBytes;
  readonly publisher: StalePublisher;
  /**
   * Verifies on chain that no funds are reachable only through the agent's records; throws the remaining step. When
   * absent, an agent with custody cannot be deleted.
   */
  readonly closeCustody?: (agentId: AgentId) => Promise<void>;
}
