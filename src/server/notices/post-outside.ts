import { lookup } from "node:dns/promises";
import { type OutgoingHttpHeaders, request as requestPlain } from "node:http";
import { request as requestTls } from "node:https";
import { isIP, BlockList } from "node:net";

const TIMEOUT_MS = 10_000;
/** Bytes of an answer that are read; the rest is dropped. */
const MAX_ANSWER_BYTES = 4_096;

/** Largest document that is fetched. */
const MAX_DOCUMENT_BYTES = 16_384;

export interface OutsideAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Posts to an address given by an owner. Throws `OutsideError` with a text for the owner. */
export type PostOutside = (
  address: string,
  headers: Readonly<Record<string, string>>,
  body: string | Uint8Array,
) => Promise<OutsideAnswer>;

export class OutsideError extends Error {
  override readonly name = "OutsideError";
  /** True when a retry cannot succeed. */
  readonly isFinal: boolean;

  constructor(message: string, isFinal = false) {
    super(message);
    this.isFinal = isFinal;
  }
}

interface OutsideOptions {
  /** Returns whether a resolved address may be called; public addresses only by default. */
  readonly isAllowed?: (address: string) => boolean;
  /** Allows http; for tests only. */
  readonly allowsPlain?: boolean;
  readonly timeoutMs?: number;
}

/** Resolves a target's name once, refuses anything but allowed addresses, and connects to what was resolved. Redirects are not followed. */
export function createPostOutside(options: OutsideOptions = {}): PostOutside {
  const open = createConnection(options);
  return async (address, headers, body) => {
    const content = Buffer.from(body as Uint8Array);
    const sent = { method: "POST", headers: { ...headers, "content-length": content.length } };
    return send(await open(address, MAX_ANSWER_BYTES), sent, content);
  };
}

/** Fetches a small JSON document from an address given by a stranger. Throws `OutsideError` where there is none. */
export type FetchOutside = (address: string) => Promise<unknown>;

/** Returns the fetcher of documents, which goes where the notices may and follows no redirect either. */
export function createFetchOutside(options: OutsideOptions = {}): FetchOutside {
  const open = createConnection(options);
  return async (address) => {
    const sent = { method: "GET", headers: { accept: "application/json" } };
    const { status, text } = await send(await open(address, MAX_DOCUMENT_BYTES), sent, null);
    if (status !== 200) throw new OutsideError(`The address answered ${status}.`);
    try {
      return JSON.parse(text) as unknown;
    } catch {
      throw new OutsideError("The address has no JSON document of at most 16 kB.");
    }
  };
}

/** Returns what resolves an address and checks that it may be called. */
function createConnection(options: OutsideOptions) {
  const { isAllowed = isPublicAddress, allowsPlain = false, timeoutMs = TIMEOUT_MS } = options;
  return async (address: string, maxBytes: number): Promise<Connection> => {
    const url = new URL(address);
    const isPlain = url.protocol === "http:" && allowsPlain;
    if (url.protocol !== "https:" && !isPlain) {
      throw new OutsideError("The address must begin with https://.", true);
    }
    return { url, pinned: await resolveOnce(url.hostname, isAllowed), timeoutMs, maxBytes };
  };
}

async function resolveOnce(
  hostname: string,
  isAllowed: (address: string) => boolean,
): Promise<string> {
  const name = hostname.replace(/^\[|\]$/g, "");
  const found =
    isIP(name) > 0
      ? [name]
      : await lookup(name, { all: true }).then(
          (all) => all.map(({ address }) => address),
          () => [],
        );
  if (found.length === 0) throw new OutsideError("The name of the address was not found.");
  // A name with a private address among public ones is refused too: it may be an attack
  if (!found.every(isAllowed)) {
    throw new OutsideError("The address lies in a private network, where nothing is sent.", true);
  }
  return found[0] ?? "";
}

interface Connection {
  readonly url: URL;
  readonly pinned: string;
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

function send(
  { url, pinned, timeoutMs, maxBytes }: Connection,
  sending: { readonly method: string; readonly headers: OutgoingHttpHeaders },
  content: Buffer | null,
): Promise<OutsideAnswer> {
  const request = url.protocol === "https:" ? requestTls : requestPlain;
  return new Promise((resolve, reject) => {
    const fail = (message: string) => reject(new OutsideError(message));
    const sent = request(
      url,
      {
        ...sending,
        agent: false,
        signal: AbortSignal.timeout(timeoutMs),
        lookup: (_name, { all }, done) =>
          all === true
            ? done(null, [{ address: pinned, family: isIP(pinned) }])
            : done(null, pinned, isIP(pinned)),
      },
      (response) => {
        const parts: Buffer[] = [];
        let read = 0;
        const finish = () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(parts).toString("utf8", 0, maxBytes),
          });
        response.on("data", (part: Buffer) => {
          parts.push(part);
          read += part.length;
          if (read < maxBytes) return;
          finish();
          response.destroy();
        });
        response.on("end", finish);
        response.on("error", () => fail("The connection broke."));
      },
    );
    sent.on("error", (error) =>
      fail(error.name === "AbortError" ? "No answer in time." : "No connection."),
    );
    sent.end(content ?? undefined);
  });
}

/** Blocks that are not the public internet: loopback, private, link-local, shared, documentation, multicast and reserved. */
const NOT_PUBLIC_V4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
];

/** Of IPv6 only 2000::/3 is the public internet; these blocks of it are reserved, or tunnel to IPv4 addresses that may be private. */
const NOT_PUBLIC_V6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];

const notPublic = new BlockList();
const publicV6 = new BlockList();
for (const block of NOT_PUBLIC_V4) addTo(notPublic, block, "ipv4");
for (const block of NOT_PUBLIC_V6) addTo(notPublic, block, "ipv6");
addTo(publicV6, "2000::/3", "ipv6");

function addTo(list: BlockList, block: string, family: "ipv4" | "ipv6"): void {
  const [address = "", bits = ""] = block.split("/");
  list.addSubnet(address, Number(bits), family);
}

/** Returns whether an address belongs to the public internet. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !notPublic.check(address, "ipv4");
    case 6:
      return publicV6.check(address, "ipv6") && !notPublic.check(address, "ipv6");
    default:
      return false;
  }
}
