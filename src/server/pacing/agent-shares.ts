import type { AgentId } from "../../domain/ids.ts";

/** Which agents a server looks at when nothing happens, and whose entries it takes. */
export interface AgentShares {
  /** Name of the server among those of the database. */
  readonly name: string;
  /** Returns whether the agent is this server's to look at now. */
  owns(agentId: AgentId): boolean;
  /** How often the share changed: what was done for it before says nothing of the agents that came. */
  changes(): number;
}
