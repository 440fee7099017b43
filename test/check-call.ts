import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { buildOpenApi } from "../src/server/openapi/build-openapi.ts";

type Json = Readonly<Record<string, unknown>>;

/** HTTP call as sent over the wire. */
export interface WireCall {
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  /** Parsed request body; undefined without one. */
  readonly body: unknown;
  readonly status: number;
  /** Parsed answer; undefined when it is not JSON. */
  readonly answer: unknown;
}

interface Operation {
  readonly parameters?: readonly { name: string; in: string; required: boolean; schema: Json }[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: { "application/json": { schema: Json } };
  };
  readonly responses: Readonly<
    Record<string, { content?: { "application/json"?: { schema: Json } } }>
  >;
}

const document = buildOpenApi("http://app.test");
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(document, "openapi");

const operations = Object.entries(
  document["paths"] as Record<string, Record<string, Operation>>,
).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    method: method.toUpperCase(),
    pattern: new RegExp(`^${path.replaceAll(/\{([A-Za-z]+)\}/g, "(?<$1>[^/]+)")}$`),
    operation,
  })),
);

const compiled = new Map<Json, ValidateFunction>();

function validate(schema: Json, value: unknown): string[] {
  // References are relative to the document, so the schema is compiled with absolute ones
  const check = compiled.get(schema) ?? ajv.compile(absolute(schema));
  compiled.set(schema, check);
  return check(value)
    ? []
    : (check.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
}

const absolute = (schema: Json): Json =>
  JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"openapi#/')) as Json;

/** Returns the deviations of a call from the published description; none for undescribed paths. */
export function problemsOf(call: WireCall): string[] {
  const [path = "", search = ""] = call.path.split("?");
  const found = operations.find((each) => each.method === call.method && each.pattern.test(path));
  if (found === undefined) return [];
  const { operation } = found;
  const isAccepted = call.status < 300;
  return [
    ...(isAccepted ? requestProblems(operation, call, search) : []),
    ...answerProblems(operation, call),
  ];
}

/** Returns deviations of a request: whatever the server accepts must be described. */
function requestProblems(operation: Operation, call: WireCall, search: string): string[] {
  const body = operation.requestBody?.content["application/json"].schema;
  const isLeftOut = call.body === undefined && operation.requestBody?.required === false;
  const query = new URLSearchParams(search);
  const described = (operation.parameters ?? []).filter((each) => each.in === "query");
  // A call without query parameters ignores its query
  const isIgnored = described.length === 0;
  const undescribed = [...query.keys()].filter(
    (key) => !isIgnored && !described.some(({ name }) => name === key),
  );
  return [
    ...(body === undefined || isLeftOut ? [] : validate(body, call.body)).map(
      (each) => `body${each}`,
    ),
    ...undescribed.map((name) => `query ${name} is not described`),
    ...described
      .filter(({ name, required }) => required && !query.has(name))
      .map(({ name }) => `query ${name} is described as needed`),
  ];
}

function answerProblems(operation: Operation, call: WireCall): string[] {
  const described = operation.responses[String(call.status)] ?? operation.responses["default"];
  const schema = described?.content?.["application/json"]?.schema;
  if (schema === undefined || call.answer === undefined) return [];
  return validate(schema, call.answer).map((each) => `answer ${call.status}${each}`);
}
