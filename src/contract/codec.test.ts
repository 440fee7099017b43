import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { buildOpenApi } from "../server/openapi/build-openapi.ts";
import { EXAMPLES, type Example } from "../server/openapi/examples.ts";
import { encode, renamed } from "./codec.ts";
import type { Route } from "./route.ts";
import { ROUTES, type RouteName } from "./routes.ts";

/** Names that only the wire has; the domain has another word for each. */
const WIRE_ONLY = [
  "_id",
  "agentName",
  "assetPair",
  "baseAssetAmountFilled",
  "botId",
  "logId",
  "multisigPda",
  "pubkey",
  "slippageTolerance",
  "spendingLimitAsset",
  "spendingLimitConfigured",
  "spendingLimitUSDC",
  "squadsMultisig",
  "takerOrderDirection",
  "timestamps",
  "tradingStatus",
  "txSig",
  "vaultPda",
  "venueConfig",
  "webhookSignal",
];

const keysWithin = (value: unknown): string[] =>
  typeof value !== "object" || value === null
    ? []
    : Object.entries(value).flatMap(([key, field]) => [key, ...keysWithin(field)]);

const PARTS = ["params", "query", "body", "response"] as const;

const recorded = (Object.entries(EXAMPLES) as [RouteName, Example][]).flatMap(([name, example]) =>
  PARTS.flatMap((part) => {
    const schema = (ROUTES[name] as Route)[part];
    const sent = example[part];
    return schema === undefined || sent === undefined ? [] : [{ name, part, schema, sent }];
  }),
);

describe("every recorded call", () => {
  it.each(recorded)("$name's $part is decoded into the domain's names", ({ schema, sent }) => {
    const names = keysWithin(z.parse(schema, sent));
    expect(names.filter((name) => WIRE_ONLY.includes(name))).toEqual([]);
  });

  it.each(recorded)("$name's $part survives a round trip", ({ schema, sent }) => {
    const decoded = z.parse(schema, sent);
    const filled = z.parse(schema, encode(schema, decoded));
    expect(filled).toEqual(decoded);
    expect(JSON.parse(JSON.stringify(encode(schema, decoded)))).toMatchObject(sent as object);
  });
});

it("knows only names of the published description", () => {
  const published = JSON.stringify(buildOpenApi("https://trade.example"));
  expect(WIRE_ONLY.filter((name) => !published.includes(`"${name}"`))).toEqual([]);
});

describe("encode", () => {
  const named = renamed(z.strictObject({ _id: z.string(), more: z.optional(z.string()) }), {
    _id: "id",
  });

  it("reaches values inside lists, objects and defaults", () => {
    const schema = z.strictObject({
      all: z.array(named),
      one: z.optional(z.nullable(named)),
      other: z._default(named, { id: "none" }),
    });
    const value = { all: [{ id: "a" }], one: null, other: { id: "b", more: "c" } };
    const sent = { all: [{ _id: "a" }], one: null, other: { _id: "b", more: "c" } };
    expect(encode(schema, value)).toEqual(sent);
    expect(z.parse(schema, sent)).toEqual(value);
  });

  it("validates nothing, because the receiver does", () => {
    expect(encode(named, { id: 1, unknown: true })).toEqual({ _id: 1, unknown: true });
    expect(z.safeParse(named, { _id: "a", unknown: true }).success).toBe(false);
    expect(z.safeEncode(named, { id: "a", unknown: true } as never).success).toBe(false);
  });
});
