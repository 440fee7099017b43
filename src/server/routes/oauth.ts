import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { CONNECT_PATH } from "../../contract/connections.ts";
import { AppError } from "../../contract/errors.ts";
import { ASSISTANT_SCOPES } from "../../contract/read-tokens.ts";
import { OAuthError } from "../auth/connection-clients.ts";
import { type Connections, isResource, resourceOf } from "../auth/connections.ts";
import { registerJsonBody } from "../http/api-body.ts";
import type { Handlers } from "../http/handler.ts";
import { callerOf } from "../http/limit-callers.ts";
import { limitPerMinute } from "../pacing/rate-limit.ts";

const REGISTER_PATH = "/oauth/register";
const TOKEN_PATH = "/oauth/token";
const REVOKE_PATH = "/oauth/revoke";

/** Where programs look for the description of a protected resource (RFC 9728) and of what lets them in (RFC 8414). */
const RESOURCE_PATH = "/.well-known/oauth-protected-resource";
const SERVER_PATH = "/.well-known/oauth-authorization-server";

const BODY_LIMIT_BYTES = 16_384;

/** Registrations and calls for tokens a minute of one address. */
const REGISTRATIONS_PER_MINUTE = 20;
const CALLS_PER_MINUTE = 120;

interface OAuthDeps {
  readonly publicUrl: URL;
  readonly connections: Connections;
  /** Replaces the limits of one address. */
  readonly callsPerMinute?: number;
}

/** Returns the header with which a refused call learns where to sign in. */
export const challengeOf = (publicUrl: URL): string =>
  `Bearer realm="Wheelhouse", resource_metadata="${new URL(`${RESOURCE_PATH}/mcp`, publicUrl).href}", scope="read simulate propose"`;

/** Answers the page's calls when an owner lets an assistant in. */
export function connectionHandlers({ connections }: Pick<OAuthDeps, "connections">) {
  return {
    askConnection: ({ session, body }) => connections.ask(session, body),
    async approveConnection({ session, params, body }) {
      return { redirectTo: await connections.approve(session, params.id, body.scopes) };
    },
  } satisfies Partial<Handlers>;
}

/** Registers the calls of programs that sign in by OAuth 2.1. */
export function registerOAuth(scope: FastifyInstance, deps: OAuthDeps): void {
  const { publicUrl, connections } = deps;
  const limitRegistrations = limitPerMinute(deps.callsPerMinute ?? REGISTRATIONS_PER_MINUTE);
  const limitCalls = limitPerMinute(deps.callsPerMinute ?? CALLS_PER_MINUTE);
  registerJsonBody(scope, BODY_LIMIT_BYTES);
  scope.addContentTypeParser(
    /^application\/x-www-form-urlencoded(?:\s*;.*)?$/i,
    { parseAs: "string", bodyLimit: BODY_LIMIT_BYTES },
    (_request, text, done) => done(null, new URLSearchParams(String(text))),
  );

  const resource = {
    resource: resourceOf(publicUrl),
    authorization_servers: [publicUrl.origin],
    scopes_supported: ASSISTANT_SCOPES,
    bearer_methods_supported: ["header"],
    resource_name: "Wheelhouse",
  };
  for (const path of [RESOURCE_PATH, `${RESOURCE_PATH}/mcp`]) {
    scope.get(path, async () => resource);
  }
  scope.get(SERVER_PATH, async () => serverMetadata(publicUrl));

  scope.post(REGISTER_PATH, async (request, reply) => {
    await limitRegistrations(callerOf(request.ip));
    return answer(reply, 201, () => connections.register(request.body));
  });
  scope.post(TOKEN_PATH, async (request, reply) => {
    await limitCalls(callerOf(request.ip));
    const form = formOf(request);
    return answer(reply, 200, async () => {
      if (!isResource(form.get("resource"), publicUrl)) {
        throw new OAuthError("invalid_target", "Tokens of this server are for its own /mcp.");
      }
      switch (form.get("grant_type")) {
        case "authorization_code":
          return connections.exchange(form);
        case "refresh_token":
          return connections.renew(form);
        default:
          throw new OAuthError("unsupported_grant_type", "Send a code or a refresh token.");
      }
    });
  });
  scope.post(REVOKE_PATH, async (request, reply) => {
    await limitCalls(callerOf(request.ip));
    const form = formOf(request);
    return answer(reply, 200, async () => {
      await connections.revoke(form);
      return {};
    });
  });
}

/** Returns what programs are told of the way in (RFC 8414). */
function serverMetadata(publicUrl: URL) {
  const at = (path: string) => new URL(path, publicUrl).href;
  return {
    issuer: publicUrl.origin,
    authorization_endpoint: at(CONNECT_PATH),
    token_endpoint: at(TOKEN_PATH),
    registration_endpoint: at(REGISTER_PATH),
    revocation_endpoint: at(REVOKE_PATH),
    scopes_supported: ASSISTANT_SCOPES,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    token_endpoint_auth_methods_supported: ["none"],
    revocation_endpoint_auth_methods_supported: ["none"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  };
}

function formOf({ body }: FastifyRequest): URLSearchParams {
  if (!(body instanceof URLSearchParams)) throw new AppError("unsupported_media_type");
  const keys = [...body.keys()];
  // RFC 6749, section 3.2: no parameter twice
  if (new Set(keys).size < keys.length) throw new AppError("bad_request");
  return body;
}

/** Sends what a call answers, or the protocol's error. */
async function answer(reply: FastifyReply, status: number, work: () => Promise<object>) {
  reply.header("cache-control", "no-store");
  try {
    return await reply.code(status).send(await work());
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    return reply.code(400).send({ error: error.code, error_description: error.message });
  }
}
