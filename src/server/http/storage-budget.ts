import { ROUTES, type RouteName } from "../../contract/routes.ts";
import type { Route } from "../../contract/route.ts";
import { limitPerDay } from "../pacing/rate-limit.ts";
import type { Handlers } from "./handler.ts";

/** Bytes that the calls of one wallet have stored in 24 hours at most, over all tables; beyond it calls get 429. */
export const STORED_BYTES_PER_DAY = 16 * 2 ** 20;

/** Counted for each call beside what it was sent: the rows' own parts and the entry in the audit log. */
const ROW_BYTES = 1_024;

/** Calls that close, end, revoke, tighten or move the owner's money: counted, and never refused. */
const NEVER_REFUSED: ReadonlySet<string> = new Set<RouteName>([
  "signOutEverywhere",
  "deleteChat",
  "deleteMessage",
  "deleteAlert",
  "deleteRule",
  "deleteAgent",
  "setTradingStatus",
  "endExits",
  "closePosition",
  "setOwnerLimits",
  "rotateWebhook",
  "removeNoticeChannel",
  "revokeReadToken",
  "approveProposal",
  "declineProposal",
  "prepareTransaction",
  "renewTransaction",
  "reportSent",
  "submitSigned",
  "sendPracticeTransaction",
]);

const bytesOf = (body: unknown): number =>
  ROW_BYTES +
  Buffer.byteLength(
    JSON.stringify(body ?? null, (_, value: unknown) =>
      typeof value === "bigint" ? value.toString() : value,
    ),
  );

/** Returns handlers that ask a wallet's one budget before anything is stored, by whichever door the call came in. */
export function withStorageBudget(
  handlers: Handlers,
  bytesPerDay: number = STORED_BYTES_PER_DAY,
): Handlers {
  const spend = limitPerDay(bytesPerDay);
  const counted = Object.entries(handlers).map(([name, handle]) => {
    const { method, access }: Route = ROUTES[name as RouteName];
    if (method === "GET" || method === "HEAD" || access.kind === "public") return [name, handle];
    // The table's types bind each handler to its route; this treats all as one type
    const work = handle as (request: AnyRequest) => Promise<unknown>;
    return [
      name,
      async (request: AnyRequest) => {
        const spent = spend(request.session.wallet, bytesOf(request.body));
        await (NEVER_REFUSED.has(name) ? spent.catch(() => {}) : spent);
        return work(request);
      },
    ];
  });
  return Object.fromEntries(counted) as Handlers;
}

interface AnyRequest {
  readonly session: { readonly wallet: string };
  readonly body?: unknown;
}
