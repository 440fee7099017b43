import type { RandomBytes } from "../new-id.ts";
import type { StalePublisher } from "../stale-publisher.ts";
import type { PresentDeps } from "./present-agents.ts";

/** What the use cases that change chats and agents need. */
export interface AgentDeps extends PresentDeps {
  readonly random: RandomBytes;
  readonly publisher: StalePublisher;
  /**
   * Makes sure on chain that nothing is reachable only through the agent's records; throws what is left to do.
   * Without it an agent with custody is never deleted.
   */
  readonly closeCustody?: (agentId: string) => Promise<void>;
}
