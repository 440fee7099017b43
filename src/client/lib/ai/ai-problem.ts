import type { Ending, ProviderError } from "./ai-provider.ts";

export type AiProblemKind =
  | "no-key"
  | "bad-key"
  | "quota"
  | "rate-limit"
  | "model"
  | "refused"
  | "provider-down"
  | "offline"
  | "unreachable"
  | "cors"
  | "timeout"
  | "malformed"
  | "endless"
  | Exclude<Ending, "complete">;

/** Title of a failed web search whose provider answered with an error. */
const SEARCH_ANSWERED = "Failed to fetch web search results from OpenAI";
const SEARCH_NOT_ANSWERED = "Failed to fetch web search results";

/** Failure of a question to the AI; its message says what to do. */
export class AiProblem extends Error {
  override readonly name = "AiProblem";
  readonly kind: AiProblemKind;
  readonly title: string;
  /** True when one automatic retry makes sense, provided that no part of the answer has arrived. */
  readonly isRetryable: boolean;
  readonly #host: string;
  readonly #detail: string;

  constructor(kind: AiProblemKind, host: string, detail = "", isSearch = isAboutSearch(detail)) {
    super(messageOf(kind, host, detail));
    this.kind = kind;
    this.title = isSearch ? searchTitleOf(kind, host) : TITLES[kind];
    this.isRetryable = ["rate-limit", "provider-down", "unreachable"].includes(kind);
    this.#host = host;
    this.#detail = detail;
  }

  /** Returns the same failure as one of a web search, because it came while the provider was searching. */
  whileSearching(): AiProblem {
    return new AiProblem(this.kind, this.#host, this.#detail, true);
  }
}

const isAboutSearch = (detail: string): boolean => /web[ _-]?search/i.test(detail);

const TITLES: Readonly<Record<AiProblemKind, string>> = {
  "no-key": "API Key Required",
  "bad-key": "API key not accepted",
  quota: "No credit left",
  "rate-limit": "Too many requests",
  model: "Model not available",
  refused: "Question refused",
  "provider-down": "AI provider has a problem",
  offline: "You are offline",
  unreachable: "AI provider not reached",
  cors: "AI provider does not allow this page",
  timeout: "AI provider stopped answering",
  cut: "Answer cut off",
  length: "Answer cut off",
  filtered: "Answer held back",
  malformed: "Answer not understood",
  endless: "Answer ended",
};

function searchTitleOf(kind: AiProblemKind, host: string): string {
  const hasAnswered = ["bad-key", "quota", "rate-limit", "model", "refused", "provider-down"];
  if (!hasAnswered.includes(kind)) return SEARCH_NOT_ANSWERED;
  return host === "api.openai.com" ? SEARCH_ANSWERED : `${SEARCH_NOT_ANSWERED} from ${host}`;
}

function messageOf(kind: AiProblemKind, host: string, detail: string): string {
  const said = detail === "" ? "" : ` It says: ${detail}`;
  switch (kind) {
    case "no-key":
      return "OpenAI API key not found. Please set your API key.";
    case "bad-key":
      return `${host} does not accept this API key. Check it under API Key in the sidebar.`;
    case "quota":
      return `The account of this API key has no credit left at ${host}. Add credit there, then ask again.${said}`;
    case "rate-limit":
      return `${host} takes no more requests for the moment. Wait a minute, then ask again.${said}`;
    case "model":
      return `${host} does not offer this model. Choose another under API Key in the sidebar.${said}`;
    case "refused":
      return `${host} refused the request.${said}`;
    case "provider-down":
      return `${host} has a problem of its own. Try again in a moment.${said}`;
    case "offline":
      return "You are offline. Ask again when the connection is back.";
    case "unreachable":
      return `${host} cannot be reached. Check the address under API Key in the sidebar.`;
    case "cors":
      return `${host} is there but does not allow calls from a web page (CORS). Allow this page's address there, or use another server.`;
    case "timeout":
      return `${host} stopped answering.`;
    case "cut":
      return "The connection broke before the answer was complete.";
    case "length":
      return "The answer reached the greatest length that the model writes, so its end is missing.";
    case "filtered":
      return `A filter of ${host} ended the answer. Ask in other words, or choose another model.`;
    case "malformed":
      return `${host} answered in a format that is not understood. Check the kind of API under API Key in the sidebar.`;
    case "endless":
      return `The answer of ${host} was ended, because it would use your key without end: ${detail}`;
  }
}

/** Returns the problem for an error that the provider told, with its HTTP status unless it came within an answer. */
export function problemOfError(error: ProviderError, host: string, status = 0): AiProblem {
  const text = `${error.code} ${error.message}`.toLowerCase();
  return new AiProblem(kindOf(status, text), host, error.message.slice(0, 300));
}

function kindOf(status: number, text: string): AiProblemKind {
  if (status === 402 || /insufficient_quota|credit balance/.test(text)) return "quota";
  if (status === 401 || /api[ _]key.*(valid|expired)/.test(text)) return "bad-key";
  if (status === 429) return "rate-limit";
  if (status >= 500) return "provider-down";
  return status === 404 || text.includes("model_not_found") ? "model" : "refused";
}
