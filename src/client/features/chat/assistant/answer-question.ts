import type { Agent } from "../../../../contract/agent.ts";
import type { CallRoute } from "../../../../assistant/simulate-agent.ts";
import { runTool, type ToolContext, ToolFault } from "../../../../assistant/tool.ts";
import type { Network } from "../../../../domain/network.ts";
import { clock } from "../../../lib/clock.ts";
import { simulationSource } from "../../../workers/simulate-agent.ts";
import { getAgentByChat } from "../../../../contract/agents.ts";
import { type Asked, callRoute, read, markChanged } from "../../../queries/read.ts";
import type { QueryClient } from "@tanstack/react-query";
import type { ChatId, OwnerAddress } from "../../../../domain/ids.ts";
import { readNotes } from "../../../lib/ai/agent-notes.ts";
import { readAiKey } from "../../../lib/ai/ai-key.ts";
import { AiProblem } from "../../../lib/ai/ai-problem.ts";
import type { AiSettings, AiTool, AnsweredTurn, Source } from "../../../lib/ai/ai-provider.ts";
import { findAddressFault, hostOf, readAiChoice, settingsOf } from "../../../lib/ai/ai-settings.ts";
import { askAi } from "../../../lib/ai/ask-ai.ts";
import { withLock } from "../../../lib/locks.ts";
import { newId } from "../../../lib/new-id.ts";
import { describeProblem } from "../../../lib/problem.ts";
import { defaultNetwork, deploymentQuery } from "../../../queries/deployment.ts";
import type { Message } from "../../../../contract/chats.ts";
import { messagesQuery } from "../../../queries/messages.ts";
import { answerLock, finishAnswer } from "./finish-answer.ts";
import {
  answers,
  type AnswerProblem,
  beginAnswer,
  changeAnswer,
  type LiveAnswer,
  forgetProblem,
  tellProblem,
} from "./live-answers.ts";
import { outbox } from "../outbox.ts";
import { imageOf } from "../question-images.tsx";
import { plainAnswerOf, plainText } from "./plain-answer.ts";
import { buildPrompt } from "./prompt.ts";
import type { Answer, ToolResult } from "./answer-text.ts";
import { BROWSER_AI } from "../../../lib/ai/browser-ai.ts";

interface Question {
  readonly owner: OwnerAddress;
  readonly chatId: ChatId;
  /** The question, or the answer that is continued. */
  readonly messageId: string;
  readonly isContinued: boolean;
  readonly queryClient: QueryClient;
}

/** Maximum rounds of tool calls per answer, and calls per round; each round is billed to the user's key. */
const MAX_ROUNDS = 6;
const MAX_READS_PER_ROUND = 8;

const TOO_MANY_READS = `Not read: at most ${MAX_READS_PER_ROUND} reads at a time.`;

/** Minimum render interval of a streamed answer, in milliseconds; longer answers render less often. */
const SHOW_MS = 60;
const SHOW_MS_PER_CHARACTER = 1 / 400;
const LONGEST_SHOW_MS = 150;
const pauseOf = (length: number) =>
  Math.min(LONGEST_SHOW_MS, Math.max(SHOW_MS, length * SHOW_MS_PER_CHARACTER));

async function readMessages({ owner, chatId, queryClient }: Question): Promise<readonly Message[]> {
  const { messages: stored } = await queryClient.fetchQuery(messagesQuery(owner, chatId));
  const ids = new Set(stored.map(({ id }) => id));
  const waiting = outbox
    .getState()
    .entries.filter((entry) => entry.chatId === chatId && !ids.has(entry.message.id));
  return [...stored, ...waiting.map(({ message }) => message)];
}

interface ReadContext {
  readonly queryClient: QueryClient;
  readonly owner: OwnerAddress;
  readonly agent: Agent | null;
  readonly network: Network;
  /** Aborts long-running reads when the answer is stopped. */
  readonly signal: AbortSignal;
}

/** Returns what the shared tools are given; every figure is read anew, so that a model gets no outdated one. */
function toolContext({ queryClient, owner, agent, network, signal }: ReadContext): ToolContext {
  const call: CallRoute = async (route, request) => {
    if (route.method === "GET") return fetched(route, request);
    const answer = await callRoute(route, request);
    await markChanged(queryClient, owner, route, request);
    return answer;
  };
  const fetched: CallRoute = (route, request) =>
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
  const [{ TOOLS, schemaOf }, { toldOf }] = await Promise.all([
    import("../../../../assistant/tools.ts"),
    import("./tool-cards.ts"),
  ]);
  return { tools: TOOLS, schemaOf, toldOf };
}

/** Returns the tools offered to a model. */
async function readTools(): Promise<readonly AiTool[]> {
  const { tools, schemaOf } = await allTools();
  return tools.map((tool) => ({
    name: tool.name,
    description: tool.description,
    parameters: schemaOf(tool),
  }));
}

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
async function runRead(name: string, args: string, context: ReadContext): Promise<ReadAnswer> {
  const { tools, toldOf } = await allTools();
  const found = tools.find((tool) => tool.name === name);
  if (!found) return refused("There is no such read.");
  try {
    const sent = JSON.parse(args) as Readonly<Record<string, unknown>>;
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
async function readAll(
  context: ReadContext,
): Promise<{ readonly labels: readonly string[]; readonly data: string }> {
  const names = [...(context.agent === null ? [] : AGENT_NAMES), "read_portfolio"];
  const results = await Promise.all(names.map((name) => runRead(name, "{}", context)));
  return {
    labels: results.flatMap(({ label }) => (label === null ? [] : [label])),
    data: results.map(({ output }, at) => `${names[at] ?? ""}: ${output}`).join("\n"),
  };
}

/** Buffers streamed text and renders it in intervals. */
function createWriter(id: string) {
  let text = "";
  let activity = "Thinking…";
  let sources: readonly Source[] = [];
  let reads: readonly string[] = [];
  let results: readonly ToolResult[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  function show(): void {
    clearTimeout(timer);
    timer = undefined;
    changeAnswer(id, {
      text,
      activity,
      sources: [...sources],
      reads: [...reads],
      results: [...results],
    });
  }
  return {
    show,
    say(words: string) {
      activity = words;
      show();
    },
    addText(piece: string) {
      text += piece;
      activity = "";
      timer ??= setTimeout(show, pauseOf(text.length));
    },
    /** Returns whether any part of the answer has come. */
    hasBegun: () => text !== "" || reads.length > 0,
    addBreak() {
      if (text !== "" && !text.endsWith("\n")) text += "\n\n";
    },
    addSource(source: Source) {
      if (!sources.some(({ url }) => url === source.url)) sources = [...sources, source];
    },
    addResult(result: ToolResult) {
      results = [...results.filter(({ title }) => title !== result.title), result];
    },
    addReads(labels: readonly string[]) {
      reads = [...new Set([...reads, ...labels])];
    },
  };
}

type Writer = ReturnType<typeof createWriter>;

/** What an answer is made of. */
interface Conversation {
  readonly question: Question;
  readonly writer: Writer;
  readonly context: ReadContext;
  readonly settings: AiSettings;
}

/** Providers and models that refused tools in this tab; their questions carry all figures instead. */
const withoutTools = new Set<string>();

async function write(question: Question, writer: Writer, signal: AbortSignal): Promise<void> {
  const { owner, chatId, queryClient } = question;
  const settings = settingsOf(readAiChoice());
  const deployment = await queryClient.fetchQuery(deploymentQuery);
  const hasKey = readAiKey(settings) !== null;
  if (hasKey && findAddressFault(settings.baseUrl, deployment.aiOrigins) !== null) {
    throw new AiProblem("unreachable", hostOf(settings));
  }
  const agent = await queryClient.fetchQuery(read(owner, getAgentByChat, { params: { chatId } }));
  const network = agent?.network ?? defaultNetwork(deployment);
  const context: ReadContext = { queryClient, owner, agent, network, signal };
  if (!hasKey) return answerPlainly(question, writer, context);
  const conversation: Conversation = { question, writer, context, settings };
  const model = `${settings.baseUrl} ${settings.model}`;
  if (!withoutTools.has(model)) {
    try {
      return await converse(conversation, await readTools());
    } catch (error) {
      if (!mayRefuseTools(error, settings) || writer.hasBegun()) throw error;
    }
  }
  await converse(conversation, []);
  withoutTools.add(model);
}

/** Answers what one read knows, in fixed sentences, where there is no key of a model. */
async function answerPlainly(
  question: Question,
  writer: Writer,
  context: ReadContext,
): Promise<void> {
  const asked = (await readMessages(question)).findLast(({ type }) => type === "user");
  const plain = plainAnswerOf(asked?.content ?? "");
  if (asked === undefined || plain === null) throw new AiProblem("no-key", "");
  const args = JSON.stringify(plain.args(asked.content));
  const { label, output, result } = await runRead(plain.tool, args, context);
  if (label !== null) writer.addReads([label]);
  if (result !== undefined) writer.addResult(result);
  const data = JSON.parse(output) as { readonly error?: string };
  writer.addText(plainText(asked.content, data, clock.now()));
}

/** Returns whether a failure may be a search model's, of which some take no tools. */
const mayRefuseTools = (error: unknown, { api }: AiSettings): boolean =>
  api === "chat" &&
  error instanceof AiProblem &&
  (error.kind === "refused" || (error.kind === "model" && /tool|function/i.test(error.message)));

/** Asks until the model has no more reads; without tools the question carries all figures. */
async function converse(
  { question, writer, context, settings }: Conversation,
  tools: readonly AiTool[],
): Promise<void> {
  const { signal } = context;
  let data: string | null = null;
  if (tools.length === 0) {
    writer.say("Reading your agent…");
    const all = await readAll(context);
    writer.addReads(all.labels);
    ({ data } = all);
  }
  const { isContinued } = question;
  const asked = (await readMessages(question)).map((message) => ({
    ...message,
    image: imageOf(message.id),
  }));
  const notes = readNotes(question.chatId);
  const messages = buildPrompt({ messages: asked, notes, data, isContinued });
  const past: AnsweredTurn[] = [];
  for (let round = 0; ; round += 1) {
    const turn = await askAi(
      {
        settings,
        key: readAiKey(settings) ?? "",
        messages,
        tools: round < MAX_ROUNDS ? tools : [],
        past,
        signal,
        onText: writer.addText,
        onSource: writer.addSource,
        onSearch: () => writer.say("Searching the web…"),
      },
      BROWSER_AI,
    );
    if (turn.toolCalls.length === 0) return;
    if (round === MAX_ROUNDS) {
      throw new AiProblem(
        "endless",
        hostOf(settings),
        `it asked for more than ${MAX_ROUNDS} rounds of reads.`,
      );
    }
    writer.say("Reading your agent…");
    const outputs = await Promise.all(
      turn.toolCalls.map(async ({ id, name, arguments: args }, at) => {
        if (at >= MAX_READS_PER_ROUND) return { id, output: TOO_MANY_READS };
        const { label, output, result } = await runRead(name, args, context);
        if (result !== undefined) writer.addResult(result);
        if (label !== null) writer.addReads([label]);
        return { id, output };
      }),
    );
    signal.throwIfAborted();
    writer.addBreak();
    past.push({ turn, outputs });
  }
}

function problemOf(error: unknown) {
  const isAboutKey =
    error instanceof AiProblem &&
    ["no-key", "bad-key", "quota", "model", "unreachable", "cors"].includes(error.kind);
  return { ...describeProblem(error), isAboutKey };
}

function endingOf(error: unknown): Answer["ending"] {
  const kind = error instanceof AiProblem ? error.kind : "cut";
  return kind === "length" || kind === "filtered" ? kind : "interrupted";
}

/** Answers the chat's last question and stores partial text on the way. Never throws. */
export async function answerQuestion(question: Question): Promise<void> {
  const { owner, chatId, messageId, queryClient } = question;
  if (answers.getState().live.some((answer) => answer.chatId === chatId)) return;
  const stop = new AbortController();
  const id = newId();
  const begun: LiveAnswer = {
    id,
    owner,
    chatId,
    activity: "Thinking…",
    text: "",
    sources: [],
    reads: [],
    results: [],
  };
  forgetProblem(messageId);
  beginAnswer(begun, () => stop.abort());
  await withLock(answerLock(id), async () => {
    const writer = createWriter(id);
    let ending: Answer["ending"] = "complete";
    let problem: AnswerProblem | null = null;
    try {
      await write(question, writer, stop.signal);
    } catch (error) {
      ending = stop.signal.aborted ? "stopped" : endingOf(error);
      if (!stop.signal.aborted) problem = problemOf(error);
    }
    writer.show();
    const written = answers.getState().live.find((answer) => answer.id === id) ?? begun;
    // What was not written at all is no message that could carry it
    if (problem !== null) tellProblem(written.text.trim() === "" ? messageId : id, problem);
    await finishAnswer(written, ending, queryClient);
  });
}
