import type * as z from "zod/mini";

export type Schema = z.core.$ZodType;

/** Field of a decoded request that is the id of a guarded object. */
export type IdSource = `params.${string}` | `query.${string}` | `body.${string}`;

/**
 * Who may call a route. `owner` routes name one object or wallet; the caller must own it, otherwise the answer is the
 * uniform 404 (objects) or 403 (wallet addresses).
 */
export type Access =
  | {
      readonly kind: "public";
      /**
       * Maximum calls per minute of one session, or of one address without a session. Null for calls that other
       * callers must not be able to block and that are limited otherwise: the webhook by its token, sign-in by the
       * wallet's proof.
       */
      readonly callsPerMinute: number | null;
    }
  | { readonly kind: "session" }
  | {
      readonly kind: "owner";
      readonly of: "wallet" | "chat" | "agent" | "rule" | "tradeLogEntry" | "transaction";
      readonly id: IdSource;
    };

/** A kind of call that a bearer token cannot make alone: the owner's wallet signs what it does, in words. */
export type SignedChange =
  | "turn_on"
  | "trading_custody"
  | "looser_limits"
  | "resume"
  | "ended_exits"
  | "changed_agent"
  | "changed_alert"
  | "deleted_alert"
  | "changed_rule"
  | "webhook_token"
  | "new_webhook_token"
  | "test_alert"
  | "replaced_tokens"
  | "new_read_token"
  | "connected_assistant"
  | "approved_proposal"
  | "live_below_bar"
  | "new_notice_channel"
  | "muted_notice_channel"
  | "removed_notice_channel";

/** Every route says why a bearer token alone may call it, or which signature it wants; one without either is an error. */
export type Bearer =
  | { readonly bearer: "free"; readonly because: string }
  | { readonly bearer: SignedChange };

export const free = (because: string) => ({ bearer: "free", because }) as const;
export const OPEN = free("It needs no session at all.");
export const READS = free("It reads what the owner's page shows; it holds no secret.");
export const WALLET = free("What it hands over does nothing before the wallet has signed it.");

/** What a push notice can name: topics of a chat, of an agent, and the wallet's chats. */
export const CHAT_TOPICS = ["messages", "trade-log", "hypotheses"] as const;
export const AGENT_TOPICS = ["agent", "signals", "position", "custody", "ledger"] as const;
export const STALE_TOPICS = ["chats", ...CHAT_TOPICS, ...AGENT_TOPICS] as const;

/** What a change can touch; the last four are changed by nobody but the wallet's owner, so no notice names them. */
export type Topic =
  | (typeof STALE_TOPICS)[number]
  | "balances"
  | "notices"
  | "read-tokens"
  | "proposals";

/** One route: its request, its response and its access rule. */
export interface Route {
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path with `:name` parameters. */
  readonly path: string;
  readonly access: Access;
  /** The change that the wallet signs; calls of the route without such a change need no signature. */
  readonly bearer: Bearer["bearer"];
  readonly because?: string;
  readonly params?: Schema;
  readonly query?: Schema;
  readonly body?: Schema;
  /** A second success status with the same response schema. */
  readonly otherStatus?: 200;
  /** Success status. 204 has no body. */
  readonly status: 200 | 201 | 202 | 204;
  readonly response?: Schema;
  /** The response contains a secret and is never compressed: the compressed length would leak information about it. */
  readonly holdsSecret?: true;
  /** Reads much: few such calls run at a time, and each caller has few of them waiting. */
  readonly isBig?: true;
  /** Personal read tokens may call this route. */
  readonly readToken?: true;
  /** Changes and push notices after which an answer is stale; those of another agent or chat leave it as it is. */
  readonly staleOn?: readonly Topic[];
  /** What a call changes, so that answers of other routes become stale. */
  readonly changes?: readonly Topic[];
  /** Time for which an answer counts as fresh, in milliseconds. */
  readonly freshMs?: number;
  /** Interval at which the page reads a shown answer again, in milliseconds; without push only, unless the next says so. */
  readonly pollMs?: number;
  /** Reads again while push is connected too: prices and ages change without a notice. */
  readonly pollsWhilePushed?: true;
}

type Called = "method" | "path" | "status";
type Derived = Called | "bearer" | "because";

/** Returns a route; its success status is 200 with a response and 204 without, unless it names another. */
export function route<
  const R extends Omit<Route, Derived> & Partial<Pick<Route, "status">> & Bearer,
>(method: Route["method"], path: string, parts: R): Pick<Route, Called> & Omit<R, "status"> {
  return { method, path, status: parts.response ? 200 : 204, ...parts };
}

type Inferred<S, Fallback> = S extends Schema ? z.infer<S> : Fallback;

/** Decoded request a handler receives. */
export interface RequestOf<R extends Route> {
  readonly params: Inferred<R["params"], undefined>;
  readonly query: Inferred<R["query"], undefined>;
  readonly body: Inferred<R["body"], undefined>;
}

/** Request before encoding, as a caller passes it; parts the route does not have are left out. */
export type CallOf<R extends Route> = {
  readonly [K in keyof R & keyof RequestOf<R>]: RequestOf<R>[K];
};

/** Response of the route on success. */
export type ResponseOf<R extends Route> = Inferred<R["response"], null>;

/** Header with a nonce and the wallet's base58 signature over its message, separated by a space. */
export const CONFIRMATION_HEADER = "x-wheelhouse-confirmation";

/** What the wallet must sign before a call is repeated with `CONFIRMATION_HEADER`. */
export interface Confirmation {
  readonly nonce: string;
  readonly message: string;
}
