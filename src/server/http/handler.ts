import type { RequestOf, ResponseOf, Route, Schema } from "../../contract/route.ts";
import type { ROUTES, RouteName } from "../../contract/routes.ts";
import type { Session } from "../session.ts";

/** A parsed request; public routes have no session. */
export type HandlerRequest<R extends Route> = RequestOf<R> & {
  readonly session: R["access"] extends { kind: "public" } ? null : Session;
  readonly requestId: string;
  /** The peer's address as reported by the socket or the configured proxy. */
  readonly ip: string;
};

/** A response with another success status than the route's own. */
export interface Reply<T> {
  readonly replyStatus: 200 | 201 | 202;
  readonly replyBody: T;
}

/** A response with a file that is generated while it is sent. */
export interface FileReply {
  readonly replyFile: {
    readonly name: string;
    readonly type: "text/csv" | "application/json";
    readonly parts: AsyncIterable<string>;
    /** Time up to which nothing is missing, ISO 8601; a file of what only this product records has none. */
    readonly completeUntil?: string;
  };
}

type Answer<R extends Route> = R["response"] extends Schema ? ResponseOf<R> : void;

/** The work of one call after parsing and the ownership check: no HTTP, no SQL. Throws `AppError` for every refusal. */
export type Handler<R extends Route> = (
  request: HandlerRequest<R>,
) => Promise<Answer<R> | Reply<Answer<R>> | FileReply>;

/** Routes with requests or responses that are not plain JSON; they register themselves. */
export type RawRouteName =
  | "createToken"
  | "refreshToken"
  | "logout"
  | "streamEvents"
  | "receiveWebhook"
  | "getOpenApi";

/** A handler for every other call; a route without one does not compile. */
export type Handlers = {
  readonly [K in Exclude<RouteName, RawRouteName>]: Handler<(typeof ROUTES)[K]>;
};
