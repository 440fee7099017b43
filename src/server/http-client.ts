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

/** Posts JSON. Rejects on timeout, redirects and bodies larger than a megabyte. */
export async function postJson(
  url: string,
  body: string,
  limits: { readonly timeoutMs: number; readonly maxBytes: number },
): Promise<{ readonly status: number; readonly body: string }> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
    redirect: "error",
    signal: AbortSignal.timeout(limits.timeoutMs),
  });
  return { status: answer.status, body: await readWhole(answer, limits.maxBytes) };
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
