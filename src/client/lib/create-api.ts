import { encode } from "../../contract/codec.ts";
import {
  type CallOf,
  type ResponseOf,
  type Route,
  CONFIRMATION_HEADER,
  type Confirmation,
} from "../../contract/route.ts";
import * as z from "zod/mini";
import { ApiError, readApiError } from "./problem.ts";
import { isTokenValid } from "./session.ts";

interface ApiDeps {
  readonly fetch: typeof fetch;
  readonly now: () => number;
  readonly readToken: () => string | null;
  readonly writeToken: (token: string) => void;
  readonly removeToken: () => void;
  /** Runs tasks one at a time across all tabs of this browser. */
  readonly exclusively: <T>(task: () => Promise<T>) => Promise<T>;
  /** Requests the wallet's signature for a confirmation; returns it in base58. */
  readonly confirm: (message: string) => Promise<string>;
  /** Called when the session ended and cannot be renewed. */
  readonly onSignedOut: () => void;
}

export type CallArguments<R extends Route> = keyof CallOf<R> extends never
  ? []
  : [input: CallOf<R>];

export interface Api {
  /** Calls a route of the contract and returns the parsed answer, null for 204. Throws ApiError or TypeError. */
  call<R extends Route>(route: R, ...input: CallArguments<R>): Promise<ResponseOf<R>>;
  /** Calls a route that answers with a file. Throws ApiError or TypeError. */
  fetchFile<R extends Route>(route: R, input: CallOf<R>): Promise<Response>;
  /** Fetches with bearer header and session renewal, for streams. */
  authorizedFetch(path: string, init?: RequestInit): Promise<Response>;
  /** Renews the token with the refresh cookie; resolves to whether a session exists. */
  refresh(): Promise<boolean>;
}

interface LooseCall {
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
}

/** Returns path and query of a call as they go over the wire. */
function addressOf(route: Route, call: LooseCall): string {
  const [params, query] = [encode(route.params, call.params), encode(route.query, call.query)] as (
    | Readonly<Record<string, string>>
    | undefined
  )[];
  const path = route.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(params?.[name] ?? ""),
  );
  const present = Object.entries(query ?? {}).filter(([, value]) => value !== undefined);
  const asked = new URLSearchParams(present).toString();
  return asked === "" ? path : `${path}?${asked}`;
}

const confirmationAnswer = z.object({
  code: z.literal("confirmation_needed"),
  confirm: z.object({ nonce: z.string(), message: z.string() }),
});

/** Returns the confirmation the answer asks the wallet to sign; null without one. */
async function confirmationOf(response: Response): Promise<Confirmation | null> {
  if (response.status !== 403) return null;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return confirmationAnswer.safeParse(body).data?.confirm ?? null;
}

/** The catalogue's words, here because the catalogue itself is not part of the first load. */
const SIGNED_OUT = { title: "Authentication Required", message: "Authentication failed" };

const AUTH_PATH = "/api/auth/";

/** Creates the API client: bearer header, one renewal per expired session, catalogue errors. */
export function createApi(deps: ApiDeps): Api {
  let renewal: Promise<boolean> | null = null;

  async function renew(lost: string | null): Promise<boolean> {
    const current = deps.readToken();
    if (current !== lost && isTokenValid(current, deps.now())) return true;
    const response = await deps.fetch("/api/auth/refresh", {
      method: "POST",
      credentials: "same-origin",
      headers: { "X-Wheelhouse": "1", ...(current && { Authorization: `Bearer ${current}` }) },
    });
    if (response.status >= 500 || response.status === 429) throw await readApiError(response);
    if (!response.ok) return false;
    const answer: unknown = await response.json();
    const token = (answer as { token?: unknown } | null)?.token;
    if (typeof token !== "string") return false;
    deps.writeToken(token);
    return true;
  }

  /** Renews the session; concurrent callers share one renewal. */
  function refresh(): Promise<boolean> {
    const lost = deps.readToken();
    renewal ??= deps
      .exclusively(() => renew(lost))
      .finally(() => {
        renewal = null;
      });
    return renewal;
  }

  async function signOut(): Promise<never> {
    deps.removeToken();
    deps.onSignedOut();
    throw new ApiError(401, { code: "unauthenticated", ...SIGNED_OUT });
  }

  function send(path: string, init: RequestInit): Promise<Response> {
    const token = deps.readToken();
    const headers = new Headers(init.headers);
    if (token !== null) headers.set("Authorization", `Bearer ${token}`);
    return deps.fetch(path, { ...init, headers, credentials: "same-origin" });
  }

  async function authorizedFetch(path: string, init: RequestInit = {}): Promise<Response> {
    const token = deps.readToken();
    const isExpired = token !== null && !isTokenValid(token, deps.now());
    if (isExpired && !(await refresh())) return signOut();
    const response = await send(path, init);
    if (response.status !== 401 || isExpired) {
      return response.status === 401 ? signOut() : response;
    }
    if (!(await refresh())) return signOut();
    const again = await send(path, init);
    return again.status === 401 ? signOut() : again;
  }

  async function call<R extends Route>(route: R, ...input: CallArguments<R>) {
    const parts = (input[0] ?? {}) as LooseCall;
    const path = addressOf(route, parts);
    const init: RequestInit = { method: route.method };
    const headers: Record<string, string> = {};
    if (route.body) {
      init.body = JSON.stringify(encode(route.body, parts.body));
      headers["Content-Type"] = "application/json";
    }
    if (path.startsWith(AUTH_PATH)) headers["X-Wheelhouse"] = "1";
    init.headers = headers;
    const isOpen = route.access.kind === "public";
    const ask = () => (isOpen ? send(path, init) : authorizedFetch(path, init));
    let response = await ask();
    const wanted = await confirmationOf(response);
    if (wanted) {
      const signature = await deps.confirm(wanted.message);
      headers[CONFIRMATION_HEADER] = `${wanted.nonce} ${signature}`;
      response = await ask();
    }
    if (!response.ok) throw await readApiError(response);
    if (!route.response) return null as ResponseOf<R>;
    const parsed = z.safeParse(route.response, await response.json());
    if (!parsed.success) {
      throw new ApiError(response.status, {
        code: "internal",
        message: "The answer is not valid.",
      });
    }
    return parsed.data as ResponseOf<R>;
  }

  async function fetchFile<R extends Route>(route: R, input: CallOf<R>) {
    const response = await authorizedFetch(addressOf(route, input));
    if (!response.ok) throw await readApiError(response);
    return response;
  }

  return { call, fetchFile, authorizedFetch, refresh };
}
