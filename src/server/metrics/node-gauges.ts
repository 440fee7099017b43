import { Gauge, type Registry } from "prom-client";
import { NODE_TROUBLES } from "../../domain/node-trouble.ts";
import type { Networks } from "../networks.ts";

/** Adds gauges for the faults of each node, and for the node in use. */
export function addNodeGauges(registry: Registry, networks: Networks): void {
  const nodes = () =>
    [...networks.values()].flatMap((runtime) =>
      (runtime.nodes?.() ?? []).map((node) => ({ network: runtime.network, ...node })),
    );
  const trouble = new Gauge({
    name: "node_trouble",
    help: "1 while this is wrong with the node.",
    labelNames: ["network", "node", "kind"],
    registers: [registry],
    collect() {
      for (const { network, name, trouble: wrong } of nodes()) {
        for (const kind of NODE_TROUBLES) {
          trouble.set({ network, node: name, kind }, wrong?.kind === kind ? 1 : 0);
        }
      }
    },
  });
  const used = new Gauge({
    name: "node_used",
    help: "1 for the node that answered last.",
    labelNames: ["network", "node"],
    registers: [registry],
    collect() {
      for (const { network, name, isUsed } of nodes()) {
        used.set({ network, node: name }, isUsed ? 1 : 0);
      }
    },
  });
}
