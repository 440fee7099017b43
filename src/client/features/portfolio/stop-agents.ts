/** How far the stopping of one agent is. */
export interface Stop {
  readonly botId: string;
  readonly agentName: string;
  readonly state: "waiting" | "stopping" | "off" | "failed";
  /** Why it failed, one sentence. */
  readonly reason?: string;
}

interface Stopping {
  readonly stop: (botId: string) => Promise<"stopping" | "off">;
  readonly reasonOf: (error: unknown) => string;
  /** Hears of every step of all of them. */
  readonly onChange: (stops: readonly Stop[]) => void;
}

/** Stops agents all at once: one that fails, or hangs, keeps no other from being stopped. */
export async function stopAll(
  agents: readonly Pick<Stop, "botId" | "agentName">[],
  { stop, reasonOf, onChange }: Stopping,
): Promise<void> {
  let stops: readonly Stop[] = agents.map(({ botId, agentName }) => ({
    botId,
    agentName,
    state: "waiting",
  }));
  const note = (botId: string, change: Pick<Stop, "state" | "reason">) => {
    stops = stops.map((known) => (known.botId === botId ? { ...known, ...change } : known));
    onChange(stops);
  };
  onChange(stops);
  await Promise.all(
    stops.map(({ botId }) =>
      stop(botId).then(
        (state) => note(botId, { state }),
        (error: unknown) => note(botId, { state: "failed", reason: reasonOf(error) }),
      ),
    ),
  );
}
