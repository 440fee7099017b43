import { type DestinationStream, type Logger, pino } from "pino";

/** Maximum number of logged causes; a longer chain is cut. */
const MAX_CAUSES = 5;

/** Logged fields of an error. Other properties are omitted, because drivers attach whole connections and requests. */
interface ErrorRecord {
  readonly type: string;
  readonly message: string;
  readonly code?: string | number;
  readonly stack?: string;
  readonly cause?: ErrorRecord;
}

/** Returns the logged fields of a thrown value: type, message, code, stack and causes. */
function errorRecord(thrown: unknown, depth = 0): ErrorRecord {
  if (!(thrown instanceof Error)) return { type: typeof thrown, message: String(thrown) };
  const { message, stack, cause } = thrown;
  const code: unknown = Reflect.get(thrown, "code");
  const hasCause = cause !== undefined && cause !== null && depth < MAX_CAUSES;
  return {
    type: thrown.constructor.name,
    message,
    ...((typeof code === "string" || typeof code === "number") && { code }),
    ...(stack !== undefined && { stack }),
    ...(hasCause && { cause: errorRecord(cause, depth + 1) }),
  };
}

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
