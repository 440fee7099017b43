import * as z from "zod/mini";
import type { QueryClient } from "@tanstack/react-query";
import type { Agent } from "../../../../contract/agent.ts";
import type { CallRoute } from "../../../../assistant/simulate-agent.ts";
import { type AnyTool, runTool, type ToolContext, ToolFault } from "../../../../assistant/tool.ts";
import type { OwnerAddress } from "../../../../domain/ids.ts";
import type { Network } from "../../../../domain/network.ts";
import type { AiTool } from "../../../lib/ai/ai-provider.ts";
import { clock } from "../../../lib/clock.ts";
import { type Asked, read } from "../../../queries/read.ts";
import { simulationSource } from "../../../workers/simulate-agent.ts";
import type { ToolResult } from "./answer-text.ts";

export interface ReadContext {
  readonly queryClient: QueryClient;
  readonly owner: OwnerAddress;
  readonly agent: Agent | null;
  readonly network: Network;
  /** Aborts long-running reads when the answer is stopped. */
  readonly signal: AbortSignal;
}

/** Returns what the shared tools are given; every figure is read anew, so that a model gets no outdated one. */
function toolContext({ queryClient, owner, agent, network, signal }: ReadContext): ToolContext {
  const call: CallRoute = (route, request) =>
    queryClient.fetchQuery({
      ...read(owner, route, request as Asked<typeof route>),
      staleTime: 0,
    });
  return {
    ...simulationSource(queryClient, owner, signal),
    call,
    owner,
    agent,
    network,
    nowMs: clock.now(),
    maxBars: Infinity,
    pageOf: (chatId) => `${location.origin}/chat/${chatId}`,
  };
}

/** Returns all tools; the evaluator and its indicators are large and load with the first question. */
async function allTools() {
  const [{ TOOLS }, { toldOf }] = await Promise.all([
    import("../../../../assistant/tools.ts"),
    import("./tool-cards.ts"),
  ]);
  return { tools: TOOLS, toldOf };
}

const offered = ({ name, description, args }: AnyTool): AiTool => {
  const { $schema: _dialect, ...parameters } = z.toJSONSchema(args, { io: "input" });
  return { name, description, parameters };
};

/** Returns the tools offered to a model. */
export const readTools = async (): Promise<readonly AiTool[]> =>
  (await allTools()).tools.map(offered);

/** Outcome of one read. */
interface ReadAnswer {
  readonly label: string | null;
  readonly output: string;
  readonly result?: ToolResult | undefined;
}

/** Maximum length of one tool result for the model, in characters. */
const MAX_OUTPUT = 40_000;

const refused = (error: string): ReadAnswer => ({ label: null, output: JSON.stringify({ error }) });

/** Runs a tool call of the model. Invalid and failed calls return their error to the model. */
export async function runRead(
  name: string,
  args: string,
  context: ReadContext,
): Promise<ReadAnswer> {
  const { tools, toldOf } = await allTools();
  const found = tools.find((tool) => tool.name === name);
  if (!found) return refused("There is no such read.");
  try {
    const sent = JSON.parse(args === "" ? "{}" : args) as Readonly<Record<string, unknown>>;
    const data = await runTool(found, sent, toolContext(context));
    const output = JSON.stringify(data);
    if (output.length > MAX_OUTPUT) return refused("It is too long.");
    return { ...toldOf(found, data, sent), output };
  } catch (error) {
    if (error instanceof ToolFault) return refused(error.message);
    return refused("This could not be read. Do not guess its figures.");
  }
}

const AGENT_NAMES = [
  "read_agent",
  "read_position",
  "read_trades",
  "read_signals",
  "read_performance",
];

/** Reads all data about agent and wallet at once, for models without tool calls. */
export async function readAll(
  context: ReadContext,
): Promise<{ readonly labels: readonly string[]; readonly data: string }> {
  const names = [...(context.agent === null ? [] : AGENT_NAMES), "read_portfolio"];
  const results = await Promise.all(names.map((name) => runRead(name, "{}", context)));
  return {
    labels: results.flatMap(({ label }) => (label === null ? [] : [label])),
    data: results.map(({ output }, at) => `${names[at] ?? ""}: ${output}`).join("\n"),
  };
}
