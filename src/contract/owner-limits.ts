import * as z from "zod/mini";
import { agent } from "./agent.ts";
import { ownAgent, ownerLimits } from "./fields.ts";
import { route } from "./route.ts";

/** Replaces the owner's limits of an agent; absent limits are removed. */
export const setOwnerLimits = route("PUT", "/api/agents/:botId/limits", {
  bearer: "looser_limits",
  ...ownAgent,
  changes: ["agent"],
  body: z.strictObject({ limits: ownerLimits }),
  response: agent,
});

/** Resumes an agent that one of its owner's limits paused until the owner confirms. */
export const resumeAgent = route("POST", "/api/agents/:botId/resume", {
  bearer: "resume",
  ...ownAgent,
  changes: ["agent"],
  response: agent,
});
