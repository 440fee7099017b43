import { AiProblem } from "./ai-problem.ts";
import type { AiSettings } from "./ai-provider.ts";
import { type AiChoice, ANTHROPIC, hostOf, OPENAI, presetOf, settingsOf } from "./ai-settings.ts";
import { type AiDeps, callProvider, readJson } from "./ask-ai.ts";
import { BROWSER_AI } from "./browser-ai.ts";
import { asList, asObject, asText } from "./wire-value.ts";

/** A model as its provider lists it. */
export interface Model {
  readonly id: string;
  /** When it came out, Unix milliseconds; 0 where the list does not say. */
  readonly createdMs: number;
  /** When it is switched off, Unix milliseconds; null where the list names no date. */
  readonly endsMs: number | null;
}

/** Network and limits for reading a list of models. */
export const LIST_LIMITS = { ...BROWSER_AI, silenceMs: 20_000, mostBytes: 8 * 1024 ** 2 };

const MOST_MODELS = 10_000;
const LONGEST_ID = 200;

function readModel(entry: unknown): readonly Model[] {
  const { id, created, created_at: createdAt, ...ends } = asObject(entry);
  const name = asText(id).replace(/^models\//, "");
  if (name === "" || name.length > LONGEST_ID) return [];
  const createdMs = typeof created === "number" ? created * 1000 : Date.parse(asText(createdAt));
  // OpenAI, OpenRouter and Mistral each have a name for it; Anthropic and Google list no date
  const end = ends["shutdown_date"] ?? ends["expiration_date"] ?? ends["deprecation"];
  const endsMs = Date.parse(asText(end));
  return [{ id: name, createdMs: createdMs || 0, endsMs: Number.isNaN(endsMs) ? null : endsMs }];
}

/**
 * Asks the provider for its models with the key of its origin, which costs nothing. Returns none where the provider has
 * no list; throws AiProblem, or the signal's reason when stopped.
 */
export async function readModels(
  settings: Pick<AiSettings, "baseUrl">,
  key: string,
  deps: Pick<AiDeps, "fetch" | "isOnline" | "mostBytes" | "silenceMs">,
  outer: AbortSignal,
): Promise<readonly Model[]> {
  const host = hostOf(settings);
  const signal = AbortSignal.any([outer, AbortSignal.timeout(deps.silenceMs)]);
  // Anthropic lists twenty at a time unless it is asked for more
  const path = presetOf(settings) === ANTHROPIC ? "/models?limit=1000" : "/models";
  try {
    const response = await callProvider({ settings, key, path }, deps, signal);
    const listed = asList(asObject(await readJson(response, { host, ...deps }))["data"]);
    const models = listed.slice(0, MOST_MODELS).flatMap(readModel);
    return [...new Map(models.map((model) => [model.id, model])).values()];
  } catch (error) {
    outer.throwIfAborted();
    if (error instanceof AiProblem && error.kind === "model") return [];
    if (error instanceof AiProblem) throw error;
    if (signal.aborted) throw new AiProblem("timeout", host);
    throw new AiProblem(error instanceof SyntaxError ? "malformed" : "unreachable", host);
  }
}

const NOTICE_MS = 30 * 24 * 3600_000;

const isEnding = ({ endsMs }: Model, nowMs: number) =>
  endsMs !== null && endsMs - nowMs < NOTICE_MS;

/** Returns a day in words, like 11 December 2026. */
export const dayOf = (ms: number): string =>
  new Date(ms).toLocaleDateString("en-GB", { dateStyle: "long", timeZone: "UTC" });

/** Returns what speaks against the chosen model, in a sentence; null when nothing does or nothing is known. */
export function findModelFault(
  models: readonly Model[],
  choice: AiChoice,
  nowMs: number,
): string | null {
  if (models.length === 0 || choice.currentModel === "") return null;
  const { model } = settingsOf(choice);
  // Ollama lists a model with the tag that it has anyway
  const found = models.find(({ id }) => id === model || id === `${model}:latest`);
  if (found === undefined) return `${hostOf(choice)} does not offer ${model}. Choose another.`;
  if (!isEnding(found, nowMs)) return null;
  const endsMs = found.endsMs ?? 0;
  const day = dayOf(endsMs).replace(/ \d{4}$/, "");
  return `This model ${endsMs > nowMs ? "ends" : "ended"} on ${day}. Choose another.`;
}

/** Names of models that write no answers. */
const NO_CHAT =
  /embed|image|audio|tts|speech|whisper|transcri|realtime|live|moderation|dall|sora|veo|video|lyria|aqa|gpt-.*instruct|davinci|babbage|codex|research|computer|robot|banana|rerank|guard|ocr/;
const SEARCHES = /(^|-)search/;

const byName = new Intl.Collator("en", { numeric: true });

/** Returns the models with those first that suit the choice: alive, of the provider's middle family, and new. */
export function sortModels(
  models: readonly Model[],
  choice: Pick<AiChoice, "baseUrl" | "api">,
  nowMs: number,
): readonly Model[] {
  const family = choice.api === "chat" ? SEARCHES : (presetOf(choice)?.family ?? /^/);
  const ranked = models.map((model) => ({
    ...model,
    rank:
      (isEnding(model, nowMs) ? 8 : 0) +
      (NO_CHAT.test(model.id) ? 4 : 0) +
      (family.test(model.id) ? 0 : 2),
  }));
  return ranked.sort(
    (a, b) => a.rank - b.rank || b.createdMs - a.createdMs || byName.compare(b.id, a.id),
  );
}

/**
 * Returns the choice of a model by its name. At OpenAI the specified call goes to a model that searches in it, and any
 * other searches in the Responses API.
 */
export function chooseModel(choice: AiChoice, id: string): AiChoice {
  const api = SEARCHES.test(id) ? "chat" : "responses";
  return { ...choice, currentModel: id, api: presetOf(choice) === OPENAI ? api : choice.api };
}

/** Returns the choice of the model that suits best; null when none is listed that lives. */
export function proposeChoice(
  models: readonly Model[],
  choice: AiChoice,
  nowMs: number,
): AiChoice | null {
  const [best] = sortModels(models, choice, nowMs);
  if (best === undefined || isEnding(best, nowMs) || NO_CHAT.test(best.id)) return null;
  return chooseModel(choice, best.id);
}
