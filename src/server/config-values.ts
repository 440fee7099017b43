import * as z from "zod/mini";
import { ROLES } from "./role.ts";
import { hasSecretForm } from "./secret-strength.ts";

/** Minimum length of a replaced secret in characters. */
export const SECRET_LENGTH = 32;

/** Splits a comma-separated setting. */
export const list = (text: string): string[] =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");

/** Comma-separated roles; all of them when absent. */
export const roleList = z.pipe(
  z.pipe(z._default(z.string(), ROLES.join(",")), z.transform(list)),
  z
    .array(z.enum(ROLES, `must be a comma-separated list of ${ROLES.join(", ")}`))
    .check(z.minLength(1, "must name at least one role")),
);

/** A secret in hex. */
export const secret = z.optional(
  z
    .string()
    .check(
      z.refine(
        hasSecretForm,
        "must be random, at least 32 digits of hex; make one with: openssl rand -hex 32",
      ),
    ),
);

/** An address in base58. */
export const lookupTable = z.optional(
  z.string().check(z.regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/, "must be an address in base58")),
);

const between = (least: number, most: number) =>
  z
    .int("must be a whole number")
    .check(
      z.gte(least, `must be from ${least} to ${most}`),
      z.lte(most, `must be from ${least} to ${most}`),
    );

/** An integer setting between two inclusive bounds. */
export const wholeNumber = (name: string, least: number, most: number) =>
  z.pipe(z.pipe(z._default(z.string(), name), z.transform(Number)), between(least, most));

/** The same without a default. */
export const optionalNumber = (least: number, most: number) =>
  z.optional(z.pipe(z.pipe(z.string(), z.transform(Number)), between(least, most)));

/** Comma-separated http or https addresses. */
export const addressList = z.pipe(
  z.pipe(z._default(z.string(), ""), z.transform(list)),
  z.array(
    z.url({ protocol: /^https?$/, error: "must be http or https addresses, comma-separated" }),
  ),
);
