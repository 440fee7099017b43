import type * as z from "zod/mini";
import type { agentDraft } from "../../contract/save-agent.ts";

type WireDraft = z.infer<typeof agentDraft>;

/** An owner's editable agent data in domain terms. */
export type AgentDraft = ReturnType<typeof readAgentDraft>;

/** Returns a received draft in domain terms. */
export const readAgentDraft = ({
  botId,
  agentName,
  assetPair,
  slippageTolerance,
  ...alike
}: WireDraft) => ({
  ...alike,
  id: botId,
  name: agentName,
  marketId: assetPair,
  slippagePercent: slippageTolerance,
});

/** Returns a request body with its draft in domain terms. */
export const readDraftIn = <Body extends { readonly agent: WireDraft }>(body: Body) => ({
  ...body,
  agent: readAgentDraft(body.agent),
});

const WIRE_FIELDS = new Map([
  ["agent.id", "agent.botId"],
  ["agent.name", "agent.agentName"],
  ["agent.marketId", "agent.assetPair"],
  ["agent.slippagePercent", "agent.slippageTolerance"],
]);

/** Returns the wire path of a draft's field. */
export const wireField = (field: string): string => WIRE_FIELDS.get(field) ?? field;
