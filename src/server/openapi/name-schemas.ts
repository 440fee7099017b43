import { agent } from "../../contract/agent.ts";
import { alert } from "../../contract/alerts.ts";
import { message } from "../../contract/chats.ts";
import { alertCondition } from "../../contract/condition.ts";
import { decision } from "../../contract/decisions.ts";
import { action, network, onOff, side, venue, ownerLimits } from "../../contract/fields.ts";
import {
  equityPoint,
  ledgerCheck,
  ledgerEntry,
  pendingEntry,
  trade,
} from "../../contract/ledger.ts";
import { noticeEvents } from "../../contract/notice-channels/channel.ts";
import { plan } from "../../contract/plan.ts";
import { rule } from "../../contract/rules.ts";
import { completeDraft } from "../../contract/save-agent.ts";
import { tradeLogEntry } from "../../contract/trade-log.ts";
import { transactionCosts } from "../../contract/tx.ts";
import type { Schema } from "../../contract/route.ts";
import * as z from "zod/mini";

type Json = Readonly<Record<string, unknown>>;

/** Words of fields by name, or by `Schema.name` where a schema gives a name another meaning. */
export type FieldWords = Readonly<Record<string, string>>;

/** Returns a contract schema as JSON Schema, without checks that need code (such as a date that exists). */
export function schemaOf(schema: Schema, io: "input" | "output"): Json {
  const { $schema: _dialect, ...made } = jsonSchemaOf(schema, io);
  return made;
}

/** Schemas of the contract that many calls share, by the names that clients see. */
const SHARED = {
  Agent: agent,
  AgentDraft: completeDraft,
  Alert: alert,
  Rule: rule,
  Condition: alertCondition,
  Plan: plan,
  OwnerLimits: ownerLimits,
  Trade: trade,
  TradeLogEntry: tradeLogEntry,
  LedgerEntry: ledgerEntry,
  PendingEntry: pendingEntry,
  LedgerCheck: ledgerCheck,
  EquityPoint: equityPoint,
  Decision: decision,
  Message: message,
  Network: network,
  Venue: venue,
  Signal: action,
  Side: side,
  OnOff: onOff,
  NoticeEvents: noticeEvents,
  TransactionCosts: transactionCosts,
} as const satisfies Readonly<Record<string, Schema>>;

const sharedNames = (): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(SHARED).flatMap(([name, schema]) => [
      [JSON.stringify(schemaOf(schema, "output")), name],
      [JSON.stringify(schemaOf(schema, "input")), name],
    ]),
  );

const PARTS = ["anyOf", "oneOf", "allOf", "prefixItems"] as const;

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const pascal = (name: string): string =>
  name.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_match, first: string) =>
    first.toUpperCase(),
  );

/** Returns what tells a variant of a union from the others: its constants, such as a kind, or else its first property. */
function variantOf({ properties }: Json): string {
  if (!isObject(properties)) return "";
  const fixed = Object.values(properties).flatMap((each) =>
    isObject(each) && typeof each["const"] === "string" ? [pascal(each["const"])] : [],
  );
  return fixed.length > 0 ? fixed.join("") : pascal(Object.keys(properties)[0] ?? "");
}

/** Returns what the schemas inside one are called after. */
const within = (name: string): string => name.replace(/(?:Response|Request)(?:Item)?$/, "");

/** Returns whether a schema becomes one of the document's own, by name: an object's, a list of values or a choice. */
const isNamed = ({ properties, enum: values, anyOf, oneOf }: Json): boolean =>
  (isObject(properties) && Object.keys(properties).length > 0) ||
  (Array.isArray(values) && values.length > 2) ||
  [anyOf, oneOf].some(
    (variants) =>
      Array.isArray(variants) && variants.filter(({ type }) => type !== "null").length > 1,
  );

export interface SchemaNames {
  /** Schemas by name, as far as they were met. */
  readonly schemas: Readonly<Record<string, Json>>;
  /** Returns a schema in which what has a name is a reference to it; `wanted` is its name where it has no other. */
  named(schema: Json, wanted: string): Json;
  /** Returns the words of a property of a schema, or of a parameter of a call. */
  wordsOf(schema: string, property: string): string | undefined;
}

/**
 * Moves the schemas of a document to its components, equal ones once, and describes their properties. What
 * is not among the shared ones is called by where it stands first.
 */
export function createSchemaNames(words: FieldWords): SchemaNames {
  const known = sharedNames();
  const names = new Map<string, string>();
  const schemas: Record<string, Json> = {};

  const wordsOf = (schema: string, property: string): string | undefined =>
    words[`${schema}.${property}`] ?? words[property];

  function freeName(wanted: string): string {
    for (let nth = 1; ; nth += 1) {
      const name = nth === 1 ? wanted : `${wanted}${nth}`;
      if (!Object.hasOwn(schemas, name)) return name;
    }
  }

  const inside = (schema: Json, name: string): Json => partsNamed(schema, name, { named, wordsOf });

  function named(schema: Json, wanted: string): Json {
    const text = JSON.stringify(schema);
    const name = known.get(text) ?? wanted;
    if (!isNamed(schema)) return inside(schema, name);
    const before = names.get(text);
    if (before !== undefined) return reference(before);
    const own = freeName(name);
    names.set(text, own);
    // Reserved before what is inside asks for a name
    schemas[own] = schema;
    schemas[own] = inside(schema, own);
    return reference(own);
  }

  return { schemas, named, wordsOf };
}

const reference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

/** Returns a schema whose parts are named and whose properties are described. */
function partsNamed(
  schema: Json,
  name: string,
  { named, wordsOf }: Omit<SchemaNames, "schemas">,
): Json {
  const made: Record<string, unknown> = { ...schema };
  const { properties, items, additionalProperties } = schema;
  if (isObject(properties)) {
    made["properties"] = Object.fromEntries(
      Object.entries(properties).map(([key, part]) => {
        const described = { ...named(part as Json, within(name) + pascal(key)) };
        const description = wordsOf(name, key);
        return [key, description === undefined ? described : { ...described, description }];
      }),
    );
  }
  if (isObject(items))
    made["items"] = named(
      items,
      name.replace(/(?:ies|s)$/, "") + (/(?:ies|s)$/.test(name) ? "" : "Item"),
    );
  if (isObject(additionalProperties))
    made["additionalProperties"] = named(additionalProperties, `${name}Value`);
  for (const part of PARTS) {
    const variants = schema[part];
    if (!Array.isArray(variants)) continue;
    const choices = variants.filter(({ type }: Json) => type !== "null");
    made[part] = variants.map((each: Json) =>
      named(each, choices.length === 1 ? name : within(name) + variantOf(each)),
    );
  }
  return made;
}

/** Returns a schema of the contract as JSON Schema of its wire side; checks that only code can express are left out. */
export function jsonSchemaOf(
  schema: z.core.$ZodType,
  io: "input" | "output",
  reused: "ref" | "inline" = "inline",
): Record<string, unknown> {
  return z.toJSONSchema(schema, {
    io,
    reused,
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      if (io === "output" && zodSchema instanceof z.core.$ZodCodec) {
        const { $schema: _dialect, ...wire } = jsonSchemaOf(zodSchema._zod.def.in, io);
        for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
        Object.assign(jsonSchema, wire);
      }
      // Both mean that anything may stand there, and a generated client takes `{}` for a type of its own
      const others = jsonSchema.additionalProperties;
      if (typeof others === "object" && Object.keys(others).length === 0) {
        delete jsonSchema.additionalProperties;
      }
      // The format says it; its 300 characters of pattern make generators fail and nobody reads them
      if (jsonSchema.format === "date-time") delete jsonSchema.pattern;
      // An empty tuple has an empty `prefixItems`, which JSON Schema forbids; its bounds express the same
      if (jsonSchema.prefixItems?.length === 0) delete jsonSchema.prefixItems;
    },
  });
}
