import * as z from "zod/mini";
import { agent } from "./agent.ts";
import { agentParams, ownAgent } from "./fields.ts";
import { ownerLimits } from "./owner-limit-fields.ts";
import { defineRoute } from "./route.ts";

/** Replaces the owner's limits of an agent; absent limits are removed. */
export const setOwnerLimits = defineRoute({
  method: "PUT",
  path: "/api/agents/:botId/limits",
  access: ownAgent,
  changes: ["agent"],
  confirms: "looser_limits",
  params: agentParams,
  body: z.strictObject({ limits: ownerLimits }),
  status: 200,
  response: agent,
});

/** Resumes an agent that one of its owner's limits paused until the owner confirms. */
export const resumeAgent = defineRoute({
  method: "POST",
  path: "/api/agents/:botId/resume",
  access: ownAgent,
  changes: ["agent"],
  confirms: "resume",
  params: agentParams,
  status: 200,
  response: agent,
});
