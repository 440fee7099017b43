import type { updateCompleteAgent } from "../../contract/save-agent.ts";
import type { CallOf } from "../../contract/route.ts";

type WireDraft = CallOf<typeof updateCompleteAgent>["body"];
type WireAgentDraft = WireDraft["agent"];

/** Draft saved by the agent dialog: agent, alerts and rules together. */
export interface CompleteDraft extends Pick<WireDraft, "alerts" | "rules"> {
  readonly agent: Pick<
    WireAgentDraft,
    "chatId" | "interval" | "venue" | "network" | "positionSizePercent" | "maxSignalAgeSeconds"
  > & {
    readonly name: string;
    readonly marketId: string;
    readonly slippagePercent?: WireAgentDraft["slippageTolerance"];
  };
}

/** Converts a draft to wire format. */
export const toWireDraft = ({
  agent: { name, marketId, slippagePercent, ...alike },
  ...parts
}: CompleteDraft) => ({
  ...parts,
  agent: {
    ...alike,
    agentName: name,
    assetPair: marketId,
    slippageTolerance: slippagePercent,
  },
});
