import * as z from "zod/mini";
import { MAX_AGENT_NAME } from "../domain/name-key.ts";
import { agent } from "./agent.ts";
import { alert } from "./alerts.ts";
import { renamed } from "./codec.ts";
import { conditionDraft } from "./condition.ts";
import {
  action,
  chatId,
  decimalText,
  isoTime,
  line,
  name,
  network,
  onOff,
  ownAgent,
  portion,
  serverId,
  text,
  venue,
} from "./fields.ts";
import { leverage, plan } from "./plan.ts";
import { rule } from "./rules.ts";
import { free, route } from "./route.ts";

/** Fields of a draft by their name on the wire, as refusals name them. */
export const DRAFT_NAMES = {
  botId: "id",
  agentName: "name",
  assetPair: "marketId",
  slippageTolerance: "slippagePercent",
} as const;

/**
 * Writable fields of an agent. The shape allows blank fields so that the validations can report them in order; owner,
 * custody, sub-account and trading status are not writable here.
 */
const agentDraft = renamed(
  z.strictObject({
    botId: z.optional(z.string().check(z.maxLength(64))),
    chatId: z.optional(chatId),
    agentName: name(0, MAX_AGENT_NAME),
    assetPair: line(0, 40),
    interval: z.optional(line(0, 12)),
    venue: z.union([venue, z.literal("")]),
    network: z.optional(network),
    /** Percent, as a number or as decimal text. */
    slippageTolerance: z.optional(z.union([z.number(), decimalText])),
    positionSizePercent: z.optional(z.int().check(z.minimum(1), z.maximum(100))),
    maxSignalAgeSeconds: z.optional(z.int().check(z.minimum(1), z.maximum(300))),
    /** Null removes the plan; absent keeps it. */
    plan: z.optional(z.nullable(plan)),
    leverage: z.optional(leverage),
    hypothesisStatus: z.optional(onOff),
    buyReportPrompt: z.optional(text(10_000)),
    sellReportPrompt: z.optional(text(10_000)),
  }),
  DRAFT_NAMES,
);

export type AgentDraft = z.infer<typeof agentDraft>;

/** Alerts with a blank name are dropped on save and listed in the response. */
export const alertDraft = z.strictObject({
  id: z.optional(serverId),
  name: line(0, 100),
  description: z.optional(text(1_000)),
  condition: conditionDraft,
});

/** Rules without conditions or action are dropped on save and listed in the response. */
export const ruleDraft = z.strictObject({
  id: z.optional(serverId),
  conditions: z
    .array(
      z.strictObject({
        alertName: line(0, 100),
        requiredCount: z._default(z.int().check(z.minimum(1), z.maximum(60)), 1),
      }),
    )
    .check(z.maxLength(100)),
  action: z.union([action, z.literal("")]),
  portion: z.optional(portion),
});

export const completeDraft = z.strictObject({
  agent: agentDraft,
  alerts: z.array(alertDraft).check(z.maxLength(100)),
  rules: z.array(ruleDraft).check(z.maxLength(50)),
});

/**
 * The agent's `updatedAt` when its form was opened; a save that would overwrite a later change is refused with
 * `agent_changed`.
 */
const openedAs = { updatedAt: z.optional(isoTime) };

/** Parts that a save dropped, for the dialog to report. */
export const dropped = z.strictObject({
  alerts: z.int(),
  rules: z.array(
    z.strictObject({ index: z.int(), reason: z.enum(["no_conditions", "no_action"]) }),
  ),
});

const completeAgent = z.strictObject({
  agent,
  alerts: z.array(alert),
  rules: z.array(rule),
  dropped,
});

export type SavedAgent = z.infer<typeof completeAgent>;

export const createCompleteAgent = route("POST", "/api/agents/create-complete-agent", {
  ...free("A new agent is off and has no money; turning it on is signed with its whole set-up."),
  access: { kind: "session" },
  changes: ["agent"],
  body: completeDraft,
  status: 201,
  response: completeAgent,
});

export type CompleteDraft = z.infer<typeof completeDraft>;

export const updateCompleteAgent = route("PUT", "/api/agents/update-complete-agent/:botId", {
  bearer: "changed_agent",
  ...ownAgent,
  changes: ["agent"],
  body: z.extend(completeDraft, openedAs),
  response: completeAgent,
});

/** Updates the agent's own fields; alerts and rules are unchanged. New agents are created by `createCompleteAgent`. */
export const saveAgent = route("PUT", "/api/agents/save-or-update-agent/:botId", {
  bearer: "changed_agent",
  ...ownAgent,
  changes: ["agent"],
  body: z.strictObject({ agent: agentDraft, ...openedAs }),
  response: agent,
});
