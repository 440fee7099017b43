import type { NodeTrouble } from "../domain/node-trouble.ts";

/** State of an RPC node as shown to owners: named by its position in the setting, because addresses contain keys. */
export interface NodeState {
  readonly name: string;
  /** True for the node that is currently asked first. */
  readonly isUsed: boolean;
  readonly trouble: { readonly kind: NodeTrouble; readonly sinceMs: number } | null;
}
