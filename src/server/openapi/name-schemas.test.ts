import { describe, expect, it } from "vitest";
import { buildOpenApi } from "./build-openapi.ts";
import words from "./field-words.json" with { type: "json" };

type Json = Readonly<Record<string, unknown>>;

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Json[];
}

const document = buildOpenApi("http://app.test") as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>> };
};
const { schemas } = document.components;

/** Parts of a schema that hold further schemas. */
const LISTS = ["anyOf", "oneOf", "allOf", "prefixItems"];
const ONES = ["items", "additionalProperties"];

/** Returns a schema and all inside it, with where each stands. */
function walk(schema: unknown, at: string): [string, Json][] {
  if (typeof schema !== "object" || schema === null) return [];
  const found = schema as Json;
  return [
    [at, found],
    ...Object.entries((found["properties"] ?? {}) as Json).flatMap(([key, part]) =>
      walk(part, `${at}.${key}`),
    ),
    ...LISTS.flatMap((list) =>
      ((found[list] ?? []) as readonly Json[]).flatMap((part) => walk(part, at)),
    ),
    ...ONES.flatMap((one) => walk(found[one], at)),
  ];
}

const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

/** Every schema of the document: the named ones, and what calls hold themselves. */
const everything = [
  ...Object.entries(schemas).flatMap(([name, schema]) => walk(schema, name)),
  ...operations.flatMap((operation) => [
    ...(operation.parameters ?? []).flatMap(({ name, schema }) =>
      walk(schema, `${operation.operationId} ${String(name)}`),
    ),
    ...contents(operation),
  ]),
];

/** Returns the schemas of a call's body and answers. */
function contents(operation: Operation): [string, Json][] {
  const found: [string, Json][] = [];
  const look = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, part] of Object.entries(value)) {
      if (key === "example") continue;
      if (key === "schema") found.push(...walk(part, operation.operationId));
      else look(part);
    }
  };
  const { parameters: _parameters, ...rest } = operation;
  look(rest);
  return found;
}

describe("The schemas of the description", () => {
  it("describe every property and parameter in a sentence", () => {
    const properties = everything.flatMap(([at, { properties = {} }]) =>
      Object.entries(properties as Json).map(
        ([key, part]) => [`${at}.${key}`, part as Json] as const,
      ),
    );
    const parameters = operations.flatMap(({ operationId, parameters: all = [] }) =>
      all.map((part) => [`${operationId} ${String(part["name"])}`, part] as const),
    );
    expect(properties.length).toBeGreaterThan(900);
    expect(parameters.length).toBeGreaterThan(100);
    const undescribed = [...properties, ...parameters].filter(
      ([, { description }]) => typeof description !== "string" || !/^[A-Z`].*\.$/.test(description),
    );
    expect(undescribed.map(([at]) => at)).toEqual([]);
  });

  it("say something: none allows everything", () => {
    const silent = everything.filter(
      ([, { description: _words, default: _value, ...rest }]) => Object.keys(rest).length === 0,
    );
    expect(silent.map(([at]) => at)).toEqual([]);
  });

  it("have names wherever an object has properties", () => {
    const named = new Set(Object.values(schemas));
    const nameless = everything.filter(
      ([at, schema]) => "properties" in schema && !named.has(schema) && !at.startsWith("Error"),
    );
    expect(nameless.map(([at]) => at)).toEqual([]);
    expect(Object.keys(schemas)).toEqual(
      expect.arrayContaining(["Agent", "Trade", "Plan", "Error"]),
    );
  });

  it("use every word that is written down", () => {
    const used = new Set<string>();
    const use = (schema: string, key: string) =>
      used.add(`${schema}.${key}` in words ? `${schema}.${key}` : key);
    for (const [name, { properties = {} }] of Object.entries(schemas)) {
      for (const key of Object.keys(properties as Json)) use(name, key);
    }
    for (const { operationId, parameters = [] } of operations) {
      for (const { name } of parameters) use(operationId, String(name));
    }
    expect(Object.keys(words).filter((key) => !used.has(key))).toEqual([]);
  });
});
