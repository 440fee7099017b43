import type { Clock } from "../domain/clock.ts";
import type { NodeTrouble } from "../domain/node-trouble.ts";
import type { NodeState } from "./node-state.ts";

/** Remembers what is wrong with one node, and since when. */
export interface NodeRecord {
  answered(): void;
  failed(trouble: NodeTrouble): void;
  /** It is asked only when no other node is left. */
  isResting(): boolean;
  state(isUsed: boolean): NodeState;
}

/** Longest rest of a node that fails again and again. */
const LONGEST_REST_MS = 60_000;

/** How long a node stays known for something that its other answers do not take back. */
const LASTING_MS = 600_000;

/** What an answer to another question says nothing about. */
const LASTING: ReadonlySet<NodeTrouble> = new Set(["without_history"]);

/** Makes the record of a node that is well. `onChange` hears each new trouble once, and `null` at its end. */
export function createNodeRecord(
  name: string,
  clock: Clock,
  onChange: (trouble: NodeTrouble | null) => void,
): NodeRecord {
  let trouble: NodeState["trouble"] = null;
  let lastAtMs = 0;
  let failures = 0;
  let restUntilMs = 0;

  return {
    answered() {
      failures = 0;
      restUntilMs = 0;
      if (trouble === null) return;
      if (LASTING.has(trouble.kind) && clock.now() - lastAtMs < LASTING_MS) return;
      trouble = null;
      onChange(null);
    },
    failed(kind) {
      const nowMs = clock.now();
      lastAtMs = nowMs;
      if (!LASTING.has(kind)) {
        failures += 1;
        restUntilMs = nowMs + Math.min(LONGEST_REST_MS, 500 * 2 ** Math.min(failures, 7));
      }
      if (trouble?.kind === kind) return;
      trouble = { kind, sinceMs: trouble?.sinceMs ?? nowMs };
      onChange(kind);
    },
    isResting: () => clock.now() < restUntilMs,
    state: (isUsed) => ({ name, isUsed, trouble }),
  };
}
