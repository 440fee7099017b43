/**
 * How a provider is spoken to: `chat` is Chat Completions with web search, `chat-tools` Chat Completions with tools and
 * no search, `responses` the Responses API with both.
 */
export type AiApi = "chat" | "chat-tools" | "responses";

export interface AiSettings {
  /** Base URL without a trailing path, for instance https://api.openai.com/v1. */
  readonly baseUrl: string;
  readonly model: string;
  readonly api: AiApi;
}

export interface AiMessage {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
  /** Picture that belongs to the text, as a data URL. */
  readonly image?: string | undefined;
}

/** Read-only tool the model may call; `parameters` is a JSON schema. */
export interface AiTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON text as the model wrote it. */
  readonly arguments: string;
  /** What the provider wants back with the call. */
  readonly extra: unknown;
}

/** A page an answer cites. */
export interface Source {
  readonly url: string;
  readonly title: string;
}

/** Model output of one request. `kept` is what the provider wants back with its message. */
export interface Turn {
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  readonly kept: Readonly<Record<string, unknown>>;
}

/** A turn with tool calls and their results. */
export interface AnsweredTurn {
  readonly turn: Turn;
  readonly outputs: readonly { readonly id: string; readonly output: string }[];
}

/** Callbacks of a running stream. */
export interface AnswerSink {
  readonly onText: (text: string) => void;
  readonly onSource: (source: Source) => void;
  readonly onSearch: () => void;
}

export interface AiRequest extends AnswerSink {
  readonly settings: AiSettings;
  readonly key: string;
  readonly messages: readonly AiMessage[];
  readonly tools: readonly AiTool[];
  readonly past: readonly AnsweredTurn[];
  readonly signal: AbortSignal;
}

/** How an answer ended: whole, at its greatest length, held back by a filter, or not at all. */
export type Ending = "complete" | "length" | "filtered" | "cut";

export interface ProviderError {
  readonly code: string;
  readonly message: string;
}
