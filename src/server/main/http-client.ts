import { Agent as PlainAgent, request as requestPlain } from "node:http";
import { Agent as TlsAgent, request as requestTls } from "node:https";

/** One complete HTTP response. Header names in lower case. */
interface HttpAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** Maximum response size; no interface in use returns more. */
const MAX_BODY_BYTES = 1_000_000;

/** Sends a GET request. Rejects on timeout, redirects and bodies larger than a megabyte. */
export async function getText(
  url: string,
  headers: Readonly<Record<string, string>>,
  timeoutMs: number,
): Promise<HttpAnswer> {
  const answer = await fetch(url, {
    headers,
    redirect: "error",
    signal: AbortSignal.timeout(timeoutMs),
  });
  const body = await readWhole(answer, MAX_BODY_BYTES);
  return { status: answer.status, headers: new Map(answer.headers), body };
}

/** An idle connection is closed before nodes close theirs, in milliseconds: a request sent into a closing one is lost. */
const IDLE_MS = 4_000;

const connections = {
  "http:": { request: requestPlain, agent: new PlainAgent({ keepAlive: true, timeout: IDLE_MS }) },
  "https:": { request: requestTls, agent: new TlsAgent({ keepAlive: true, timeout: IDLE_MS }) },
} as const;

/**
 * Posts JSON. Rejects on timeout, redirects and bodies larger than a megabyte.
 *
 * An order asks nodes a dozen times, and `fetch` takes three times the processor time for it.
 */
export function postJson(
  url: string,
  body: string,
  { timeoutMs, maxBytes }: { readonly timeoutMs: number; readonly maxBytes: number },
): Promise<{ readonly status: number; readonly body: string }> {
  const { request, agent } = connections[new URL(url).protocol === "http:" ? "http:" : "https:"];
  const headers = {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
  };
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => {
      reject(new Error(reason));
      outgoing.destroy();
    };
    const outgoing = request(url, { agent, method: "POST", headers }, (answer) => {
      const { statusCode: status = 0 } = answer;
      if (status >= 300 && status < 400) fail("The answer is a redirect");
      const parts: Buffer[] = [];
      let size = 0;
      answer.on("data", (part: Buffer) => {
        size += part.length;
        if (size > maxBytes) fail("The answer is too long");
        parts.push(part);
      });
      answer.on("error", reject);
      answer.on("end", () => resolve({ status, body: Buffer.concat(parts).toString("utf8") }));
    });
    const timer = setTimeout(fail, timeoutMs, "No answer in time");
    outgoing.on("close", () => clearTimeout(timer));
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

async function readWhole(answer: Response, maxBytes: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of answer.body ?? []) {
    size += part.length;
    if (size > maxBytes) throw new Error("The answer is too long");
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}
