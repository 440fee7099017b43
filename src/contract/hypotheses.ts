import * as z from "zod/mini";
import { chatId, serverId, text } from "./fields.ts";
import { defineRoute } from "./route.ts";

export const hypothesis = z.strictObject({
  _id: serverId,
  logId: serverId,
  hypothesis: z.string(),
});

/** Creates a hypothesis: one per trade log entry, at most 20 a day per agent. */
export const createHypothesis = defineRoute({
  method: "POST",
  path: "/api/hypothesis/create",
  access: { kind: "owner", of: "tradeLogEntry", id: "body.logId" },
  body: z.strictObject({ logId: serverId, hypothesis: text(20_000).check(z.minLength(1)) }),
  status: 201,
  response: hypothesis,
});

export const listHypotheses = defineRoute({
  method: "GET",
  path: "/api/hypothesis/by-chat-id/:chatId",
  access: { kind: "owner", of: "chat", id: "params.chatId" },
  params: z.strictObject({ chatId }),
  status: 200,
  response: z.array(hypothesis),
});
