import * as z from "zod/mini";
import { AGENT_FILE_FORMAT, type agentFile } from "../../../../contract/agent-file.ts";
import { plan } from "../../../../contract/plan.ts";
import type { Agent } from "../../../../contract/agent.ts";
import type { Alert } from "../../../../contract/alerts.ts";
import type { Rule } from "../../../../contract/rules.ts";

/** Path of the published agent file schema. */
const SCHEMA_PATH = "/api/schemas/agent.json";

/** Returns the strategy part of an agent as a file. */
export function agentFileOf(
  agent: Agent,
  alerts: readonly Alert[],
  rules: readonly Rule[],
): z.input<typeof agentFile> {
  return {
    $schema: new URL(SCHEMA_PATH, location.href).href,
    format: AGENT_FILE_FORMAT,
    version: 1,
    venue: agent.venue,
    market: agent.marketId,
    interval: agent.interval,
    slippagePercent: agent.slippagePercent,
    positionSizePercent: agent.positionSizePercent,
    maxSignalAgeSeconds: agent.maxSignalAgeSeconds,
    ...(agent.plan && { plan: z.encode(plan, agent.plan) }),
    ...(agent.leverage && { leverage: agent.leverage }),
    alerts: alerts.map(({ name, description, condition }) => ({
      name,
      ...(description === "" ? {} : { description }),
      ...(condition === undefined ? {} : { condition }),
    })),
    rules: rules.map(({ action, portion, conditions }) => ({
      action,
      ...(portion === undefined ? {} : { portion }),
      conditions: conditions.map(({ alertName, requiredCount }) => ({
        alert: alertName,
        times: requiredCount,
      })),
    })),
  };
}

/** Maximum line length for an object or list on one line, in characters. */
const LINE_LENGTH = 76;

const partsOf = (value: object, textOf: (each: unknown) => string): readonly string[] =>
  Array.isArray(value)
    ? value.map(textOf)
    : Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${textOf(each)}`);

function shortText(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const parts = partsOf(value, shortText).join(", ");
  if (Array.isArray(value)) return `[${parts}]`;
  return parts === "" ? "{}" : `{ ${parts} }`;
}

/** Returns JSON with short objects and lists on one line, for readable comparisons. */
export function jsonText(value: unknown, indent = ""): string {
  const short = shortText(value);
  const isShort = indent !== "" && indent.length + short.length <= LINE_LENGTH;
  if (isShort || typeof value !== "object" || value === null) return short;
  const inner = `${indent}  `;
  const lines = partsOf(value, (each) => jsonText(each, inner)).map((part) => inner + part);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return lines.length === 0 ? short : `${open}\n${lines.join(",\n")}\n${indent}${close}`;
}
