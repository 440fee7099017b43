import { ServerOff } from "lucide-react";
import { useTimes } from "../../lib/time-zone.ts";
import type { Node } from "../../queries/deployment.ts";
import { Badge } from "../../ui/badge.tsx";
import { HealthParts } from "./health-card.tsx";
import { nodeParts } from "./health-words.ts";

/** Line that tells which of a network's nodes have a fault. */
export const NodeTrouble = ({ nodes }: { readonly nodes: readonly Node[] }) => (
  <div role="status" className="flex flex-wrap items-center gap-x-2 gap-y-1">
    <Badge tone="warn">
      <ServerOff aria-hidden />
      Node trouble
    </Badge>
    <HealthParts parts={nodeParts(nodes, useTimes())} />
  </div>
);
