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

/** Returns the error of an answer or an event, which some send as a list of one; null without one. */
export function errorIn(value: unknown): ProviderError | null {
  const { error } = asObject(Array.isArray(value) ? value[0] : value);
  if (error === undefined || error === null) return null;
  const { code, status, type, message } = asObject(error);
  return {
    code: asText(code) || asText(status) || asText(type),
    message: asText(message) || asText(error),
  };
}
