import type { QueryClient } from "@tanstack/react-query";
import type { Agent } from "../../../../contract/agent.ts";
import type { Network } from "../../../../domain/network.ts";
import type { AiTool } from "../../../lib/ai/ai-provider.ts";
import type { ToolResult } from "./answer-text.ts";
import type { SignedInWallet } from "../../../lib/session.ts";

export interface ReadContext {
  readonly queryClient: QueryClient;
  readonly owner: SignedInWallet;
  readonly agent: Agent | null;
  readonly network: Network;
  /** Aborts long-running reads when the answer is stopped. */
  readonly signal: AbortSignal;
}

/** Result of a read for the model, and its name in the answer. */
export interface ReadResult {
  readonly label: string;
  readonly data: unknown;
  /** Computed figures that the answer shows verbatim, beside the model's text. */
  readonly result?: ToolResult;
}

/** Read-only tool of the assistant. */
export interface AgentRead {
  readonly tool: AiTool;
  readonly needsAgent: boolean;
  read(args: unknown, context: ReadContext): Promise<ReadResult>;
}

/** Returns the chat's agent; reads that need one are only offered when it exists. */
export function agentOf({ agent }: ReadContext): Agent {
  if (!agent) throw new Error("This chat has no agent.");
  return agent;
}
