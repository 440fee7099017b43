import { CONFIRMATION_HEADER } from "../../contract/confirmation.ts";
import { ERRORS } from "../../contract/errors.ts";
import type { Route, Schema } from "../../contract/route.ts";
import { ROUTES, type RouteName } from "../../contract/routes.ts";
import { EXAMPLES, type Example } from "./examples.ts";
import { DESCRIPTIONS } from "./descriptions.ts";
import { jsonSchemaOf } from "./json-schema.ts";

type Json = Readonly<Record<string, unknown>>;

/** Returns an OpenAPI 3.1 document of every route; `address` is the server's public URL. */
export function buildOpenApi(address: string): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const [name, route] of Object.entries(ROUTES) as [RouteName, Route][]) {
    const path = route.path.replaceAll(/:([A-Za-z]+)/g, "{$1}");
    (paths[path] ??= {})[route.method.toLowerCase()] = operation(name, route);
  }
  return {
    openapi: "3.1.1",
    info: {
      title: "Wheelhouse",
      version: "1",
      description:
        "Amounts are exact decimal text, times ISO 8601 in UTC. Unknown fields are refused. An object of somebody else and one that does not exist answer alike.",
    },
    servers: [{ url: address }],
    paths,
    components: { schemas: { Error: ERROR }, securitySchemes: SECURITY },
  };
}

/** Response of every refusal. */
const ERROR: Json = {
  type: "object",
  required: ["message", "code", "requestId"],
  additionalProperties: false,
  properties: {
    message: { type: "string", description: "For people." },
    code: { type: "string", enum: Object.keys(ERRORS), description: "For programs." },
    requestId: { type: "string" },
    title: { type: "string" },
    fields: {
      type: "object",
      additionalProperties: { type: "string" },
      description: "What is wrong with which field.",
    },
    confirm: {
      type: "object",
      required: ["nonce", "message"],
      additionalProperties: false,
      properties: { nonce: { type: "string" }, message: { type: "string" } },
      description: "What the owner's wallet signs before the call is made again.",
    },
  },
};

const SECURITY: Json = {
  session: {
    type: "http",
    scheme: "bearer",
    description: "The token of a session, as `createToken` answers it.",
  },
  readToken: {
    type: "http",
    scheme: "bearer",
    description: "A read token of the owner's, `whr_…`.",
  },
};

function operation(name: RouteName, route: Route): Json {
  const { tag, summary, description } = DESCRIPTIONS[name];
  const example = EXAMPLES[name];
  const parameters = [
    ...parametersOf("path", route.params, example?.params),
    ...parametersOf("query", route.query, example?.query),
    ...(route.confirms === undefined ? [] : [CONFIRMATION]),
  ];
  return {
    operationId: name,
    tags: [tag],
    summary,
    description: [description, accessOf(route)].filter((part) => part !== undefined).join(" "),
    security: securityOf(route),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { "application/json": content(schemaOf(route.body, "input"), example?.body) },
          },
        }),
    responses: {
      [route.status]: success(name, route, example),
      ...(route.otherStatus === undefined
        ? {}
        : { [route.otherStatus]: success(name, route, undefined) }),
      default: {
        description: "Refused",
        content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
      },
    },
  };
}

const CONFIRMATION: Json = {
  name: CONFIRMATION_HEADER,
  in: "header",
  required: false,
  schema: { type: "string" },
  description:
    "Nonce and signature of the owner's wallet with a space between; needed where the call answered `confirmation_needed`.",
};

function parametersOf(
  place: "path" | "query",
  schema: Schema | undefined,
  example: Json | undefined,
): Json[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = schemaOf(schema, "input") as {
    properties?: Record<string, Json>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, field]) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    schema: field,
    ...(example?.[name] === undefined ? {} : { example: example[name] }),
  }));
}

function success(name: RouteName, route: Route, example: Example | undefined): Json {
  const other = OTHER_ANSWERS[name];
  if (other !== undefined) return other;
  if (route.response === undefined || route.method === "HEAD") return { description: "Done" };
  const schema = schemaOf(route.response, "output");
  return {
    description: "Answered",
    content: { "application/json": content(schema, example?.response) },
  };
}

/** Responses that are not JSON. */
const OTHER_ANSWERS: Partial<Record<RouteName, Json>> = {
  streamEvents: {
    description: "Server-sent events: what became stale",
    content: { "text/event-stream": { schema: { type: "string" } } },
  },
  exportAgent: file(),
  exportWallet: file(),
  exportTradeLog: file(),
};

function file(): Json {
  const schema = { type: "string" };
  return {
    description: "A file, sent while it is made",
    content: { "text/csv": { schema }, "application/json": { schema: {} } },
  };
}

const content = (schema: Json, example: unknown): Json => ({
  schema,
  ...(example === undefined ? {} : { example }),
});

/** Returns a contract schema as JSON Schema, without checks that need code (such as a date that exists). */
function schemaOf(schema: Schema, io: "input" | "output"): Json {
  const { $schema: _dialect, ...made } = jsonSchemaOf(schema, io);
  return made;
}

function securityOf(route: Route): readonly Json[] {
  if (route.access.kind === "public") return [];
  return [{ session: [] }, ...(route.readToken === true ? [{ readToken: [] }] : [])];
}

function accessOf({ access }: Route): string | undefined {
  if (access.kind !== "owner") return undefined;
  return access.of === "wallet"
    ? "Only for the session's own wallet."
    : "Only for the owner of the object that is named.";
}
