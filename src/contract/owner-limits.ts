import * as z from "zod/mini";
import { agent } from "./agent.ts";
import { ownAgent } from "./fields.ts";
import { ownerLimits } from "./owner-limit-fields.ts";
import { route } from "./route.ts";

/** Replaces the owner's limits of an agent; absent limits are removed. */
export const setOwnerLimits = route("PUT", "/api/agents/:botId/limits", {
  ...ownAgent,
  changes: ["agent"],
  confirms: "looser_limits",
  body: z.strictObject({ limits: ownerLimits }),
  response: agent,
});

/** Resumes an agent that one of its owner's limits paused until the owner confirms. */
export const resumeAgent = route("POST", "/api/agents/:botId/resume", {
  ...ownAgent,
  changes: ["agent"],
  confirms: "resume",
  response: agent,
});
