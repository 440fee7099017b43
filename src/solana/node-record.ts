import type { Clock } from "../domain/clock.ts";
import type { NodeTrouble } from "../domain/agent-health.ts";

/** State of an RPC node as shown to owners: named by its position in the setting, because addresses contain keys. */
export interface NodeState {
  readonly name: string;
  /** True for the node that is currently asked first. */
  readonly isUsed: boolean;
  readonly trouble: { readonly kind: NodeTrouble; readonly sinceMs: number } | null;
}

/** Tracks the fault of one node and its start. */
export type NodeRecord = ReturnType<typeof createNodeRecord>;

/** Longest pause of a repeatedly failing node, milliseconds. */
const LONGEST_REST_MS = 60_000;

/** Time for which a fault is kept that later successful answers do not clear, milliseconds. */
const LASTING_MS = 600_000;

/** Faults that a successful answer to another question does not clear. */
const LASTING: ReadonlySet<NodeTrouble> = new Set(["without_history"]);

/**
 * Creates the record of a node without a fault. `onChange` is called once per new fault, and with `null` when it ends.
 */
export function createNodeRecord(
  name: string,
  clock: Clock,
  onChange: (trouble: NodeTrouble | null) => void,
) {
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
    failed(kind: NodeTrouble) {
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
    /** Returns whether the node is pausing; it is then asked only when no other node is left. */
    isResting: () => clock.now() < restUntilMs,
    state: (isUsed: boolean): NodeState => ({ name, isUsed, trouble }),
  };
}
