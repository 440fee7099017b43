import type { RouteName } from "../../contract/routes.ts";
import recorded from "./examples.json" with { type: "json" };

/** A recorded request with its response. */
export interface Example {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly response?: unknown;
}

/** Requests recorded by `openapi.db.test.ts` against the real server, one of each kind. */
export const EXAMPLES: Readonly<Partial<Record<RouteName, Example>>> = recorded;
