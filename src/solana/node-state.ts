import type { NodeTrouble } from "../domain/node-trouble.ts";

/** One of a network's nodes as owners may read of it: named by its place in the setting, since addresses carry keys. */
export interface NodeState {
  readonly name: string;
  /** Asked first at the moment. */
  readonly isUsed: boolean;
  readonly trouble: { readonly kind: NodeTrouble; readonly sinceMs: number } | null;
}
