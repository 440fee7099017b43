import type { ProviderError, Source } from "./ai-provider.ts";

/** Unvalidated object from the wire. */
export type UnvalidatedObject = Readonly<Record<string, unknown>>;

export function asObject(value: unknown): UnvalidatedObject {
  return typeof value === "object" && value !== null ? (value as UnvalidatedObject) : {};
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Returns the cited page; null unless its address is https, since only https is linked. */
export function readSource(citation: unknown): Source | null {
  const { url, title } = asObject(citation);
  const address = asText(url);
  if (!URL.canParse(address) || new URL(address).protocol !== "https:") return null;
  return { url: address, title: asText(title) || new URL(address).host };
}

/** Reads `{error: {code, message}}`, or an error object itself. */
export function readProviderError(value: unknown): ProviderError {
  const outer = asObject(value);
  const error = outer["error"] === undefined ? outer : asObject(outer["error"]);
  return {
    code: asText(error["code"]) || asText(error["type"]),
    message: asText(error["message"]) || asText(outer["error"]),
  };
}
