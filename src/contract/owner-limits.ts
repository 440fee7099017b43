import * as z from "zod/mini";
import { agent } from "./agent.ts";
import { agentId } from "./fields.ts";
import { ownerLimits } from "./owner-limit-fields.ts";
import { defineRoute } from "./route.ts";

const botParams = z.strictObject({ botId: agentId });
const ownAgent = { kind: "owner", of: "agent", id: "params.botId" } as const;

/** Replaces the owner's limits of an agent; absent limits are removed. */
export const setOwnerLimits = defineRoute({
  method: "PUT",
  path: "/api/agents/:botId/limits",
  access: ownAgent,
  confirms: "looser_limits",
  params: botParams,
  body: z.strictObject({ limits: ownerLimits }),
  status: 200,
  response: agent,
});

/** Resumes an agent that one of its owner's limits paused until the owner confirms. */
export const resumeAgent = defineRoute({
  method: "POST",
  path: "/api/agents/:botId/resume",
  access: ownAgent,
  confirms: "resume",
  params: botParams,
  status: 200,
  response: agent,
});
