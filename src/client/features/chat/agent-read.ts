import type { QueryClient } from "@tanstack/react-query";
import type { Agent } from "../../queries/agent.ts";
import type { Network } from "../../../domain/network.ts";
import type { AiTool } from "../../lib/ai/ai-provider.ts";
import type { ToolResult } from "./answer-text.ts";

export interface ReadContext {
  readonly queryClient: QueryClient;
  readonly owner: string;
  readonly agent: Agent | null;
  readonly network: Network;
  /** Ends what runs long when the answer is stopped. */
  readonly signal: AbortSignal;
}

/** What a read gave the model, and how the answer names it. */
export interface ReadResult {
  readonly label: string;
  readonly data: unknown;
  /** Figures the answer shows as they are, beside what the model makes of them. */
  readonly result?: ToolResult;
}

/** One thing the assistant can read. It changes nothing. */
export interface AgentRead {
  readonly tool: AiTool;
  readonly needsAgent: boolean;
  read(args: unknown, context: ReadContext): Promise<ReadResult>;
}

/** Returns the chat's agent; a read that needs one is not offered without. */
export function agentOf({ agent }: ReadContext): Agent {
  if (!agent) throw new Error("This chat has no agent.");
  return agent;
}
