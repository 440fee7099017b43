import type { ROUTES } from "../src/contract/routes.ts";
import type { WireCallOf } from "./wire-call.ts";

type CompleteDraft = WireCallOf<typeof ROUTES.createCompleteAgent>["body"];

interface DraftChanges {
  readonly agent?: Partial<CompleteDraft["agent"]>;
  readonly alerts?: CompleteDraft["alerts"];
  readonly rules?: CompleteDraft["rules"];
}

/** Returns an agent draft as the dialog sends it: two alerts, one opening and one closing rule. */
export function buildCompleteDraft(changes: DraftChanges = {}): CompleteDraft {
  return {
    agent: {
      agentName: "Agent ** SOL-1h",
      assetPair: "SOL-PERP",
      interval: "1h",
      venue: "drift",
      ...changes.agent,
    },
    alerts: changes.alerts ?? [{ name: "breakout" }, { name: "breakdown", description: "exit" }],
    rules: changes.rules ?? [
      { conditions: [{ alertName: "breakout", requiredCount: 2 }], action: "OPEN_LONG" },
      { conditions: [{ alertName: "breakdown" }], action: "CLOSE_LONG" },
    ],
  };
}
