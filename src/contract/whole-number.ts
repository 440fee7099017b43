import * as z from "zod/mini";

/** A whole number in a query, as digits; `within` brings it into its range. */
export const wholeNumber = (pattern: RegExp, within = (sent: number) => sent) =>
  z.codec(z.string().check(z.regex(pattern)), z.custom<number>(), {
    decode: (digits) => within(parseInt(digits, 10)),
    encode: String,
  });
