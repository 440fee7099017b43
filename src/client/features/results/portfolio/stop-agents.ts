import type { AgentId } from "../../../../domain/ids.ts";

/** Progress of stopping one agent. */
export interface Stop {
  readonly id: AgentId;
  readonly name: string;
  readonly state: "waiting" | "stopping" | "off" | "failed";
  /** Reason of the failure, one sentence. */
  readonly reason?: string;
}

interface Stopping {
  readonly stop: (id: AgentId) => Promise<"stopping" | "off">;
  readonly reasonOf: (error: unknown) => string;
  /** Called with all agents' progress on every change. */
  readonly onChange: (stops: readonly Stop[]) => void;
}

/** Stops all agents in parallel, so that a failing or hanging one does not block the others. */
export async function stopAll(
  agents: readonly Pick<Stop, "id" | "name">[],
  { stop, reasonOf, onChange }: Stopping,
): Promise<void> {
  let stops: readonly Stop[] = agents.map(({ id, name }) => ({
    id,
    name,
    state: "waiting",
  }));
  const note = (id: AgentId, change: Pick<Stop, "state" | "reason">) => {
    stops = stops.map((known) => (known.id === id ? { ...known, ...change } : known));
    onChange(stops);
  };
  onChange(stops);
  await Promise.all(
    stops.map(({ id }) =>
      stop(id).then(
        (state) => note(id, { state }),
        (error: unknown) => note(id, { state: "failed", reason: reasonOf(error) }),
      ),
    ),
  );
}
