import type * as z from "zod/mini";
import type { Route, Schema } from "../src/contract/route.ts";

/** A call of a route as it goes over the wire. */
export type WireCallOf<R extends Route> = {
  readonly [K in keyof R & ("params" | "query" | "body")]: R[K] extends Schema
    ? z.input<R[K]>
    : never;
};
