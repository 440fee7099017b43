import type * as z from "zod/mini";
import type { agentDraft } from "../../contract/agents.ts";

type WireDraft = z.infer<typeof agentDraft>;

/** What an owner may write of an agent, in the domain's words. */
export type AgentDraft = ReturnType<typeof readAgentDraft>;

/** Returns a draft as it was sent in the domain's words. */
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

/** Returns a call's body with its draft in the domain's words. */
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

/** Returns the path a draft's field was sent under. */
export const wireField = (field: string): string => WIRE_FIELDS.get(field) ?? field;
