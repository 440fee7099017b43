import * as z from "zod/mini";
import { AppError } from "../../contract/errors.ts";
import { decimalText } from "../../contract/fields.ts";
import type { Route, Schema } from "../../contract/route.ts";

type Issue = z.core.$ZodIssue;

const MAX_FIELDS = 20;

/** Malformed amounts are reported as disallowed values, unlike malformed ids and signatures. */
const AMOUNT_PATTERN = patternOf(decimalText);

export interface ParsedRequest {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** Parses a request by the route's schemas; throws the catalogue's 404, 400 or 422. */
export function parseRequest(
  route: Route,
  sent: { params: unknown; query: unknown; body: unknown },
): ParsedRequest {
  return {
    params: parseParams(route, sent.params),
    query: route.query && parsePart(route.query, sent.query),
    body: route.body ? parsePart(route.body, sent.body) : refuseBody(sent.body),
  };
}

/** Parses the path parameters; an id of invalid format gets the same 404 as an unknown one. */
function parseParams(route: Route, params: unknown): unknown {
  if (!route.params) return undefined;
  const result = z.safeParse(route.params, params);
  if (result.success) return result.data;
  const isObject = route.access.kind === "owner" && route.access.of !== "wallet";
  throw isObject ? new AppError("not_found") : refusal(result.error.issues, params);
}

function parsePart(schema: Schema, value: unknown): unknown {
  const result = z.safeParse(schema, value);
  if (result.success) return result.data;
  throw refusal(result.error.issues, value);
}

function refuseBody(body: unknown): undefined {
  const isEmpty =
    body === undefined ||
    body === null ||
    (typeof body === "object" && !Array.isArray(body) && Object.keys(body).length === 0);
  if (!isEmpty) throw new AppError("bad_request", { message: "This call takes no body." });
  return undefined;
}

function refusal(issues: readonly Issue[], value: unknown): AppError {
  const isMalformed = issues.some((issue) => !isWellFormed(issue, value));
  const fields: Record<string, string> = {};
  for (const issue of issues.slice(0, MAX_FIELDS)) {
    for (const path of pathsOf(issue)) fields[path] = reasonOf(issue);
  }
  return new AppError(isMalformed ? "bad_request" : "validation_failed", { fields });
}

/** Returns whether the value has the right type and format but is not allowed. */
function isWellFormed(issue: Issue, value: unknown): boolean {
  switch (issue.code) {
    case "unrecognized_keys":
    case "invalid_key":
    case "invalid_element":
      return false;
    case "invalid_union":
      // No variant of the union matched
      return valueAt(value, issue.path) !== undefined;
    case "invalid_format":
      return issue.pattern === AMOUNT_PATTERN;
    case "invalid_type": {
      // A text such as "3" or a fraction such as 1.5 in place of an integer
      const given = valueAt(value, issue.path);
      const wantsNumber = issue.expected === "number" || issue.expected === "int";
      return wantsNumber && (typeof given === "number" || typeof given === "string");
    }
    default:
      return true;
  }
}

function pathsOf(issue: Issue): string[] {
  const path = issue.path.map(String);
  if (issue.code !== "unrecognized_keys") return [path.join(".") || "body"];
  return issue.keys.slice(0, MAX_FIELDS).map((key) => [...path, key.slice(0, 64)].join("."));
}

function reasonOf(issue: Issue): string {
  switch (issue.code) {
    case "unrecognized_keys":
      return "Unknown field.";
    case "too_small":
      return `Must be at least ${issue.minimum}${issue.origin === "string" ? " characters" : ""}.`;
    case "too_big":
      return `Must be at most ${issue.maximum}${issue.origin === "string" ? " characters" : ""}.`;
    case "invalid_type":
      return `Must be ${issue.expected}.`;
    case "invalid_value":
      return `Must be one of ${issue.values.map(String).join(", ")}.`;
    case "custom":
      return issue.message;
    default:
      return "Not allowed.";
  }
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at = value;
  for (const key of path) {
    if (typeof at !== "object" || at === null) return undefined;
    at = (at as Record<PropertyKey, unknown>)[key];
  }
  return at;
}

function patternOf(schema: Schema): string | undefined {
  const issue = z.safeParse(schema, "!").error?.issues[0];
  return issue?.code === "invalid_format" ? issue.pattern : undefined;
}
