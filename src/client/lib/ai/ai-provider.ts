/**
 * How a provider is spoken to: `chat` is Chat Completions with web search, `chat-tools` Chat Completions with tools and
 * no search, `responses` the Responses API with both.
 */
export type AiApi = "chat" | "chat-tools" | "responses";

export interface AiSettings {
  /** Address the paths are added to, for instance https://api.openai.com/v1. */
  readonly baseUrl: string;
  readonly model: string;
  readonly api: AiApi;
}

export interface AiMessage {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

/** A read the model may ask for; `parameters` is a JSON schema. */
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
}

/** A page an answer cites. */
export interface Source {
  readonly url: string;
  readonly title: string;
}

/** What the model said in one request. `items` is the same in the wire's words, for the request that goes on. */
export interface Turn {
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  readonly items: readonly unknown[];
}

/** A turn that asked for reads and what they gave. */
export interface AnsweredTurn {
  readonly turn: Turn;
  readonly outputs: readonly { readonly id: string; readonly output: string }[];
}

export interface WireInput {
  readonly model: string;
  readonly messages: readonly AiMessage[];
  readonly tools: readonly AiTool[];
  readonly past: readonly AnsweredTurn[];
  readonly canSearch: boolean;
}

/** What a stream reports while it runs. */
export interface AnswerSink {
  readonly onText: (text: string) => void;
  readonly onSource: (source: Source) => void;
  readonly onSearch: () => void;
}

/** Reads the events of one stream. */
export interface WireReader {
  read(event: unknown): void;
  /** Reads an answer that came as one JSON document. */
  readWhole(answer: unknown): void;
  /** The finished turn; null when the provider did not say that it finished. */
  finish(): Turn | null;
}

/** One of the two formats providers speak. */
export interface AiWire {
  readonly path: string;
  body(input: WireInput): unknown;
  /** `onError` gets the provider's own words of an error within the stream. */
  createReader(sink: AnswerSink, onError: (detail: ProviderError) => void): WireReader;
}

export interface ProviderError {
  readonly code: string;
  readonly message: string;
}
