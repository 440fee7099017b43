import * as z from "zod/mini";
import { createStore } from "zustand/vanilla";
import { storedValue } from "../stored.ts";
import { forgetAiKey } from "./ai-key.ts";
import type { AiSettings } from "./ai-provider.ts";

/** Alias of the default model; the model it stands for depends on the provider. */
export const DEFAULT_MODEL = "gpt";

/** Models behind the alias `gpt`; those newer than GPT-5.5 take no tools in Chat Completions. */
const LAST_RESORT: Readonly<Record<AiSettings["api"], string>> = {
  chat: "gpt-5-search-api",
  "chat-tools": "gpt-5.5",
  responses: "gpt-6.1-sol",
};

/** A provider that can be chosen by name; its model is empty until its list was read. */
interface AiPreset extends AiChoice {
  readonly label: string;
  /** Where keys are made; null for a program on this computer, which takes any key. */
  readonly keyPage: string | null;
  /** The models that cost and know about as much as this work needs. */
  readonly family?: RegExp;
}

export const OPENAI: AiPreset = {
  label: "OpenAI",
  baseUrl: "https://api.openai.com/v1",
  currentModel: DEFAULT_MODEL,
  api: "chat",
  keyPage: "https://platform.openai.com/api-keys",
  family: /^gpt-[\d.]+(-[a-z]+)?$/,
};

const WITH_TOOLS = { currentModel: "", api: "chat-tools" } as const;

export const ANTHROPIC: AiPreset = {
  ...WITH_TOOLS,
  label: "Anthropic",
  baseUrl: "https://api.anthropic.com/v1",
  keyPage: "https://console.anthropic.com/settings/keys",
  family: /sonnet/,
};

/** Providers with an address that speaks OpenAI's formats; AI_ORIGINS allows them unless it names others. */
export const AI_PRESETS: readonly AiPreset[] = [
  OPENAI,
  ANTHROPIC,
  {
    ...WITH_TOOLS,
    label: "Google",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai",
    keyPage: "https://aistudio.google.com/apikey",
    family: /^gemini-[\d.]+-flash$/,
  },
  { ...WITH_TOOLS, label: "Ollama", baseUrl: "http://localhost:11434/v1", keyPage: null },
  { ...WITH_TOOLS, label: "LM Studio", baseUrl: "http://localhost:1234/v1", keyPage: null },
];

/** Returns the provider of an address; undefined for an address of the user's own. */
export const presetOf = ({ baseUrl }: { readonly baseUrl: string }): AiPreset | undefined =>
  AI_PRESETS.find((preset) => preset.baseUrl === baseUrl.replace(/\/+$/, ""));

const choice = z.object({
  currentModel: z.string().check(z.minLength(1), z.maxLength(200)),
  baseUrl: z.string().check(z.maxLength(500)),
  api: z.enum(["chat", "chat-tools", "responses"]),
});

/** Stored AI settings of the user. */
export type AiChoice = z.infer<typeof choice>;

const storedAiModel = storedValue(
  "ai-model",
  1,
  z.extend(choice, { keysHaveOrigins: z._default(z.boolean(), false) }),
);

/** Returns what choosing a provider by name chooses. */
export const choiceOf = ({ baseUrl, currentModel, api }: AiPreset): AiChoice => ({
  baseUrl,
  currentModel,
  api,
});

export const DEFAULT_CHOICE = choiceOf(OPENAI);

/** Store of the user's AI settings. */
export const aiChoice = createStore<AiChoice>(readAiChoice);

export function readAiChoice(): AiChoice {
  const stored = storedAiModel.read();
  if (stored === null) return DEFAULT_CHOICE;
  const { keysHaveOrigins, ...chosen } = stored;
  if (!keysHaveOrigins) {
    // Until 0.2 there was one key for all providers, and nobody knows whose it is: it is asked for again
    if (presetOf(chosen) !== OPENAI) forgetAiKey(OPENAI);
    storedAiModel.write({ ...chosen, keysHaveOrigins: true });
  }
  return chosen;
}

export function writeAiChoice(chosen: AiChoice): void {
  storedAiModel.write({ ...chosen, keysHaveOrigins: true });
  aiChoice.setState(chosen, true);
}

/** Returns the host that receives the key, port included. */
export function hostOf({ baseUrl }: { readonly baseUrl: string }): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl;
}

/**
 * Returns the headers that carry the key. Anthropic wants a page to say that it calls from a browser, and takes a bearer
 * token for another login in its own calls, of which the list of models is one.
 */
export function headersOf(
  settings: Pick<AiSettings, "baseUrl">,
  key: string,
  path: string,
): Readonly<Record<string, string>> {
  const bearer = { Authorization: `Bearer ${key}` };
  if (hostOf(settings) !== "api.anthropic.com") return bearer;
  return {
    ...(path.startsWith("/models") ? {} : bearer),
    "x-api-key": key,
    "anthropic-version": "2023-06-01",
    "anthropic-dangerous-direct-browser-access": "true",
  };
}

/** Returns the request settings for the user's choice. */
export function settingsOf({ currentModel, baseUrl, api }: AiChoice): AiSettings {
  const model = currentModel === DEFAULT_MODEL ? LAST_RESORT[api] : currentModel;
  return { baseUrl, model, api };
}

const isLoopback = (hostname: string) =>
  ["localhost", "127.0.0.1", "[::1]"].includes(hostname) || hostname.endsWith(".localhost");

/** Returns the fault of a base URL; null when sending keys to it is allowed. */
export function findAddressFault(
  baseUrl: string,
  allowedOrigins: readonly string[],
): string | null {
  if (!URL.canParse(baseUrl)) return "Enter an address like https://api.openai.com/v1.";
  const { protocol, hostname, origin, username, password } = new URL(baseUrl);
  if (username !== "" || password !== "") return "The address must not hold a user name.";
  if (protocol !== "https:" && !(protocol === "http:" && isLoopback(hostname))) {
    return "The address must start with https, or be this computer.";
  }
  if (!allowedOrigins.includes(origin)) {
    return `This deployment allows calls to ${allowedOrigins.join(", ") || "no AI provider"} only. Whoever runs it can add ${origin} to AI_ORIGINS.`;
  }
  return null;
}
