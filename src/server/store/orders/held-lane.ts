/** A held lane; its fencing number differs from that of every later holder. */
export interface HeldLane {
  readonly agentId: string;
  readonly fence: bigint;
}
