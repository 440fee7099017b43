import { type DestinationStream, type Logger, pino } from "pino";
import { errorRecord } from "./error-record.ts";

/** Never logged, whatever object they arrive in. */
const REDACTED = [
  "*.token",
  "*.signature",
  "*.authorization",
  "*.cookie",
  "*.secret",
  "req.headers",
];

/** Opens the server's log: one JSON line a message, to standard output unless a destination is given. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = { level, redact: REDACTED, serializers: { err: errorRecord } };
  return destination === undefined ? pino(options) : pino(options, destination);
}
