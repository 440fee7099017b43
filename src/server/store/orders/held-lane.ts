import type { AgentId } from "../../../domain/ids.ts";
/** A held lane; its fencing number differs from that of every later holder. */
export interface HeldLane {
  readonly agentId: AgentId;
  readonly fence: bigint;
}
