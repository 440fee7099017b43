import * as z from "zod/mini";
import { AppError, ERRORS } from "../../contract/errors.ts";
import { base64, decimalText, serverId, signature, walletAddress } from "../../contract/fields.ts";
import type { Route, Schema } from "../../contract/route.ts";

type Issue = z.core.$ZodIssue;

const MAX_FIELDS = 20;

/** What zod says of a union without words of its own. */
const NO_VARIANT = "Invalid input";

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
    for (const path of pathsOf(issue)) fields[path] = reasonOf(issue, value);
  }
  const code = isMalformed ? "bad_request" : "validation_failed";
  const [first = ["", ""]] = Object.entries(fields);
  return new AppError(code, { fields, message: `${ERRORS[code].message} ${first.join(": ")}` });
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

/** What to send, by the pattern that was not matched. */
const FORMS = new Map(
  [
    [serverId, "Give an id of 32 hex digits, as another call answered it."],
    [walletAddress, "Give the address of a wallet, in base58."],
    [signature, "Give the wallet's signature of 64 bytes, in base58."],
    [decimalText, "Give a number of digits with at most one point, like 12.5."],
    [base64, "Give bytes in base64."],
  ].map(([schema, words]) => [patternOf(schema as Schema), words as string]),
);

const LONGEST_SHOWN_PATTERN = 60;

/** Returns what is wrong with a field, or what to send instead. */
function reasonOf(issue: Issue, value: unknown): string {
  switch (issue.code) {
    case "unrecognized_keys":
      return "Unknown field: leave it out.";
    case "too_small":
      return `Must be at least ${issue.minimum}${issue.origin === "string" ? " characters" : ""}.`;
    case "too_big":
      return `Must be at most ${issue.maximum}${issue.origin === "string" ? " characters" : ""}.`;
    case "invalid_type":
      return valueAt(value, issue.path) === undefined
        ? `Is missing: give a value of the type ${issue.expected}.`
        : `Must be ${issue.expected}.`;
    case "invalid_value":
      return `Must be one of ${issue.values.map(String).join(", ")}.`;
    case "invalid_format": {
      if (issue.format === "datetime") return "Give a time in UTC like 2026-11-23T08:00:00Z.";
      const { pattern = "" } = issue;
      const isShort = pattern !== "" && pattern.length <= LONGEST_SHOWN_PATTERN;
      return FORMS.get(pattern) ?? (isShort ? `Must match ${pattern}.` : "Not allowed.");
    }
    case "invalid_union":
      return issue.message === NO_VARIANT
        ? "Has none of the forms that /api/docs names."
        : issue.message;
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
