import { AiProblem, problemOfStatus } from "./ai-problem.ts";
import type { AiSettings } from "./ai-provider.ts";
import { addressOf, type AiDeps, problemOfSilence } from "./ask-ai.ts";
import { headersOf, hostOf } from "./ai-settings.ts";
import { asList, asObject, asText, readProviderError } from "./wire-value.ts";

const DAY_MS = 24 * 3600_000;

/** Asks the provider for its models with the key, which costs nothing. Returns one sentence; throws AiProblem. */
export async function testAiKey(
  settings: AiSettings,
  key: string,
  deps: Pick<AiDeps, "fetch" | "isOnline"> & { readonly now: () => number },
): Promise<string> {
  const host = hostOf(settings);
  let response: Response;
  try {
    response = await deps.fetch(addressOf(settings, "/models"), {
      headers: headersOf(settings, key),
      credentials: "omit",
      referrerPolicy: "no-referrer",
    });
  } catch {
    throw await problemOfSilence(settings, deps);
  }
  const answer: unknown = await response.json().catch(() => null);
  if (!response.ok) throw problemOfStatus(response.status, host, readProviderError(answer));
  const models = asList(asObject(answer)["data"]).map(asObject);
  if (models.length === 0) return `${host} accepts the key.`;
  const model = models.find(({ id }) => id === settings.model);
  if (!model) {
    throw new AiProblem("model", host, `The model ${settings.model} is not among its models.`);
  }
  const shutdown = Date.parse(asText(model["shutdown_date"]));
  if (Number.isNaN(shutdown)) return `${host} accepts the key and offers ${settings.model}.`;
  const days = Math.floor((shutdown - deps.now()) / DAY_MS);
  return `${host} accepts the key. ${settings.model} is switched off in ${days} days: choose another in time.`;
}
