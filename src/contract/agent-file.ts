import * as z from "zod/mini";
import { alertCondition } from "./condition.ts";
import { action, line, portion, text, venue } from "./fields.ts";
import { leverage, plan } from "./plan.ts";
import { OPEN, route } from "./route.ts";

/** Identifies the file format, so that any other JSON file is refused. */
export const AGENT_FILE_FORMAT = "wheelhouse-agent";

const alert = z.strictObject({
  name: line(1, 100),
  description: z.optional(text(1_000)),
  condition: z.optional(alertCondition),
});

const rule = z.strictObject({
  action,
  conditions: z
    .array(
      z.strictObject({
        alert: line(1, 100),
        times: z._default(z.int().check(z.minimum(1), z.maximum(60)), 1),
      }),
    )
    .check(z.minLength(1), z.maxLength(100)),
  portion: z.optional(portion),
});

/**
 * An agent's strategy as a portable file: what it trades, when and how much.
 *
 * Ids, owner, wallets, keys and tokens are not part of it; a file with any other field is refused.
 */
export const agentFile = z.strictObject({
  $schema: z.optional(z.string().check(z.maxLength(300))),
  format: z.literal(AGENT_FILE_FORMAT),
  version: z.literal(1),
  venue,
  market: z.string().check(z.regex(/^[A-Za-z0-9-]{1,40}$/)),
  /** Like 30m, 1h or 3d. */
  interval: z.string().check(z.regex(/^[1-9]\d{0,4}[mhdw]$/)),
  /** Percent, for instance 0.5. */
  slippagePercent: z.number().check(z.minimum(0), z.maximum(100)),
  positionSizePercent: z.int().check(z.minimum(1), z.maximum(100)),
  maxSignalAgeSeconds: z.int().check(z.minimum(1), z.maximum(300)),
  /** What is done with an open position; absent: nothing. */
  plan: z.optional(plan),
  /** Leverage of entries, 1 to 5, above 1 only with a stop; absent: 1. */
  leverage: z.optional(leverage),
  alerts: z.array(alert).check(z.maxLength(100)),
  rules: z.array(rule).check(z.maxLength(50)),
});

export type AgentFile = z.infer<typeof agentFile>;

/** The JSON schema of an agent file. */
export const getAgentFileSchema = route("GET", "/api/schemas/agent.json", {
  ...OPEN,
  access: { kind: "public", callsPerMinute: 120 },
  response: z.record(z.string(), z.unknown()),
});
