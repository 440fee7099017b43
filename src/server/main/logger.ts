import { type DestinationStream, type Logger, pino } from "pino";
import { errorRecord } from "./error-record.ts";

/** Field names that are never logged, in any object. */
const REDACTED = [
  "*.token",
  "*.signature",
  "*.authorization",
  "*.cookie",
  "*.secret",
  "req.headers",
];

/** Creates the server's logger: one JSON line per message, to standard output unless a destination is given. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = { level, redact: REDACTED, serializers: { err: errorRecord } };
  return destination === undefined ? pino(options) : pino(options, destination);
}
