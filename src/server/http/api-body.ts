import type { FastifyInstance } from "fastify";
import { parseStrictJson } from "./strict-json.ts";

/** Reads JSON bodies, and only those, in one scope; an empty body counts as none. */
export function registerJsonBody(scope: FastifyInstance, limitBytes: number): void {
  scope.addContentTypeParser<Buffer>(
    /^application\/json(?:\s*;\s*charset="?utf-8"?\s*)?$/i,
    { parseAs: "buffer", bodyLimit: limitBytes },
    (_request, bytes, done) => {
      try {
        done(null, bytes.length === 0 ? undefined : parseStrictJson(bytes));
      } catch (error) {
        done(error as Error);
      }
    },
  );
}
