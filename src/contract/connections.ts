import * as z from "zod/mini";
import { isoTime, line, serverId } from "./fields.ts";
import { ASSISTANT_SCOPES } from "./read-tokens.ts";
import { free, route } from "./route.ts";

/** Path of the page on which an owner lets an assistant in. */
export const CONNECT_PATH = "/connect";

const scopes = z.array(z.enum(ASSISTANT_SCOPES)).check(z.minLength(1), z.maxLength(3));

/** What an assistant asked for when it sent its owner here, checked; nothing is granted by it. */
const connectionRequest = z.strictObject({
  id: serverId,
  /** Name that the program gave itself. */
  name: z.string(),
  /** Host or scheme that the owner is sent back to. */
  returnsTo: z.string(),
  /** Address of the program's own description; absent for a program that registered here. */
  describedBy: z.optional(z.string()),
  scopes,
  expiresAt: isoTime,
  /** Address that tells the program that its owner declined. */
  declineTo: z.string(),
});

const parameter = z.optional(line(0, 2_000));

/** Checks what an assistant asks for, with the parameters of RFC 6749 and 7636 as they came. */
export const askConnection = route("POST", "/api/connections", {
  ...free("It only prepares what the wallet signs."),
  access: { kind: "session" },
  body: z.strictObject({
    clientId: parameter,
    redirectUri: parameter,
    responseType: parameter,
    codeChallenge: parameter,
    codeChallengeMethod: parameter,
    scope: parameter,
    state: parameter,
    resource: parameter,
  }),
  status: 201,
  response: connectionRequest,
});

/** Lets the assistant in with these scopes, of those it asked for; answers where to send the owner back to. */
export const approveConnection = route("POST", "/api/connections/:id/approve", {
  bearer: "connected_assistant",
  access: { kind: "session" },
  changes: ["read-tokens"],
  params: z.strictObject({ id: serverId }),
  body: z.strictObject({ scopes }),
  response: z.strictObject({ redirectTo: z.string() }),
  holdsSecret: true,
});
