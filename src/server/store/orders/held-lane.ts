/** A lane somebody works on; the fence tells every later holder apart. */
export interface HeldLane {
  readonly agentId: string;
  readonly fence: bigint;
}
