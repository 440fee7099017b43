import * as z from "zod/mini";
import { renamed } from "./codec.ts";
import { serverId, text, ownChat } from "./fields.ts";
import { tradeLogEntry } from "./trade-log.ts";
import { READS, free, route } from "./route.ts";

const hypothesis = z.strictObject({
  _id: serverId,
  logId: serverId,
  hypothesis: z.string(),
});

const hypothesisNames = { _id: "id", logId: "entryId", hypothesis: "text" } as const;

const explainedTrade = renamed(z.extend(hypothesis, { entry: tradeLogEntry }), hypothesisNames);

/** A trade with its hypothesis. */
export type ExplainedTrade = z.infer<typeof explainedTrade>;

/** Creates a hypothesis: one per trade log entry, at most 20 a day per agent. */
export const createHypothesis = route("POST", "/api/hypothesis/create", {
  ...free("An explanation trades nothing."),
  access: { kind: "owner", of: "tradeLogEntry", id: "body.entryId" },
  changes: ["hypotheses"],
  body: renamed(
    z.strictObject({ logId: serverId, hypothesis: text(20_000).check(z.minLength(1)) }),
    { logId: "entryId", hypothesis: "text" },
  ),
  status: 201,
  response: renamed(hypothesis, hypothesisNames),
});

/** Largest number of hypotheses in one response; their texts are long. */
export const HYPOTHESES_PAGE = 50;

/**
 * A page of hypotheses with their trades, the newest trade first; failed trades are left out. Fewer than 50 are the
 * last page. `before` is the id of the previous page's last hypothesis.
 */
export const listHypotheses = route("GET", "/api/hypothesis/by-chat-id/:chatId", {
  ...READS,
  ...ownChat,
  staleOn: ["hypotheses", "trade-log"],
  query: z.strictObject({ before: z.optional(serverId) }),
  response: z.array(explainedTrade),
});

/** Number of filled trades without a hypothesis, and the oldest of them; counter resets are left out. */
export const getUnexplained = route("GET", "/api/hypothesis/unexplained/:chatId", {
  ...READS,
  ...ownChat,
  staleOn: ["hypotheses", "trade-log"],
  pollMs: 3_000,
  response: z.strictObject({ count: z.int(), oldest: z.optional(tradeLogEntry) }),
});
