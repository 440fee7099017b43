import * as z from "zod/mini";
import type { Agent } from "../contract/agent.ts";
import { CHATS_PAGE, listChats } from "../contract/chats.ts";
import { type AgentId, type ChatId, type OwnerAddress, parseChatId } from "../domain/ids.ts";
import type { Network } from "../domain/network.ts";
import { agentId } from "../contract/fields.ts";
import type { AssistantScope } from "../contract/read-tokens.ts";
import type { SimulationSource } from "./simulate-agent.ts";

/** What a tool is given: the owner it works for, and the contract's calls made for that owner. */
export interface ToolContext extends SimulationSource {
  readonly owner: OwnerAddress;
  /** Agent of the conversation; null outside one. */
  readonly agent: Agent | null;
  /** Network of market data when no agent is named. */
  readonly network: Network;
  readonly nowMs: number;
  /** Largest number of bars of one simulation. */
  readonly maxBars: number;
  /** Address of a chat on the page, where its agent is shown. */
  readonly pageOf: (chatId: ChatId) => string;
}

/** One thing an assistant can do; the page's chat and the protocol server offer the same. */
export interface Tool<Args, Data> {
  readonly name: string;
  /** For people, as a client lists it. */
  readonly title: string;
  /** For the model. */
  readonly description: string;
  readonly scope: AssistantScope;
  readonly args: z.ZodMiniType<Args>;
  /** Answers with data that has a JSON form; throws `ToolFault` where the model can do better. */
  readonly run: (args: Args, context: ToolContext) => Promise<Data>;
}

// oxlint-disable-next-line no-explicit-any -- a list holds tools of all arguments, each run with what it parsed itself
export type AnyTool = Tool<any, unknown>;

/** What a tool answers with. */
export type DataOf<T extends AnyTool> = Awaited<ReturnType<T["run"]>>;

export const tool = <Args, Data>(made: Tool<Args, Data>): Tool<Args, Data> => made;

/** Refusal that tells the model what to do instead. */
export class ToolFault extends Error {
  override readonly name = "ToolFault";
}

/** Parses a model's arguments and runs the tool. */
export async function runTool<Args, Data>(
  { args: schema, run }: Tool<Args, Data>,
  sent: unknown,
  context: ToolContext,
): Promise<Data> {
  const parsed = z.safeParse(schema, sent ?? {});
  if (parsed.success) return run(parsed.data, context);
  const faults = parsed.error.issues.slice(0, 5).map(({ path, message, ...issue }) => {
    const unknown =
      issue.code === "unrecognized_keys" ? ` ${issue.keys.slice(0, 5).join(", ")}` : "";
    return `${path.join(".") || "arguments"}: ${message}${unknown}`;
  });
  throw new ToolFault(`The arguments are not as the tool's schema says. ${faults.join("; ")}`);
}

/** Field that names an agent. */
export const agentField = {
  agent: z.optional(agentId),
};

/** Most pages of chats that are read to find an agent. */
const MAX_CHAT_PAGES = 25;

/** Returns a page of the owner's chats and the id that continues it. */
export async function chatsPage(
  { call, owner }: Pick<ToolContext, "call" | "owner">,
  before: string | undefined,
) {
  const query = before === undefined ? {} : { before: parseChatId(before) };
  const chats = await call(listChats, { params: { walletAddress: owner }, query });
  return { chats, next: chats.length < CHATS_PAGE ? undefined : chats.at(-1)?.id };
}

/** Returns the named agent, or the one that can be meant; throws `ToolFault` for none. */
export async function agentOf(context: ToolContext, id: AgentId | undefined): Promise<Agent> {
  if (context.agent !== null && (id === undefined || id === context.agent.id)) return context.agent;
  const found: Agent[] = [];
  let before: string | undefined;
  for (let page = 0; page < MAX_CHAT_PAGES; page += 1) {
    const { chats, next } = await chatsPage(context, before);
    for (const { agent } of chats) if (agent !== undefined) found.push(agent);
    const named = found.find((agent) => agent.id === id);
    if (named !== undefined) return named;
    if (next === undefined) break;
    before = next;
  }
  const [only, second] = found;
  if (id === undefined && only !== undefined && second === undefined) return only;
  throw new ToolFault(
    id === undefined
      ? "Name the agent by its id: list_agents has the ids."
      : "There is no agent with this id. list_agents has the ids.",
  );
}
