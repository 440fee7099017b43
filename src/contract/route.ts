import type * as z from "zod/mini";

export type Schema = z.core.$ZodType;

/** Where in a request the id of a guarded object stands. */
export type IdSource = `params.${string}` | `query.${string}` | `body.${string}`;

/**
 * Who may call a route. `owner` routes name one object or wallet; the caller must own it, otherwise the answer is the
 * uniform 404 (objects) or 403 (wallet addresses).
 */
export type Access =
  | {
      readonly kind: "public";
      /** Counted per address, which a stranger may share: only where an answer may take a call to somebody else. */
      readonly isLimited?: true;
    }
  | { readonly kind: "session" }
  | {
      readonly kind: "owner";
      readonly of: "wallet" | "chat" | "agent" | "rule" | "tradeLogEntry" | "transaction";
      readonly id: IdSource;
    };

/** A kind of change that the owner's wallet has to sign for: whoever has the bearer token alone cannot make it. */
export type ConfirmedChange =
  | "turn_on"
  | "looser_limits"
  | "resume"
  | "wider_limits"
  | "new_condition"
  | "new_webhook_token"
  | "new_read_token"
  | "new_notice_channel";

/** One call across the wire: what it takes, what it answers and who may make it. */
export interface Route {
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path with `:name` parameters. */
  readonly path: string;
  readonly access: Access;
  /** What of this call has to be confirmed; calls of the route that change nothing of the kind need no signature. */
  readonly confirms?: ConfirmedChange;
  readonly params?: Schema;
  readonly query?: Schema;
  readonly body?: Schema;
  /** Success status. 204 answers no body. */
  readonly status: 200 | 201 | 202 | 204;
  readonly response?: Schema;
  /** The answer holds a secret, so it is never compressed: its length would tell of the secret. */
  readonly holdsSecret?: true;
  /** A personal read token may make this call. */
  readonly readToken?: true;
}

/** Returns the route unchanged, with its literal types kept for the client and the server. */
export function defineRoute<const R extends Route>(route: R): R {
  return route;
}

type Inferred<S, Fallback> = S extends Schema ? z.infer<S> : Fallback;
type Accepted<S, Fallback> = S extends Schema ? z.input<S> : Fallback;

/** What a handler receives after parsing. */
export interface RequestOf<R extends Route> {
  readonly params: Inferred<R["params"], undefined>;
  readonly query: Inferred<R["query"], undefined>;
  readonly body: Inferred<R["body"], undefined>;
}

/** What a caller hands over before parsing; parts the route does not take are left out. */
export type CallOf<R extends Route> = (R extends { params: Schema }
  ? { readonly params: Accepted<R["params"], never> }
  : object) &
  (R extends { query: Schema } ? { readonly query: Accepted<R["query"], never> } : object) &
  (R extends { body: Schema } ? { readonly body: Accepted<R["body"], never> } : object);

/** What the route answers on success. */
export type ResponseOf<R extends Route> = Inferred<R["response"], null>;
