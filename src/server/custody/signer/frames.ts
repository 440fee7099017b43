/** Maximum length of one message in bytes; the longest call, an order of sixteen full instructions, has 100 kB. */
export const MAX_FRAME_BYTES = 128 * 1_024;

const HEAD_BYTES = 4;

/** The other side sent something that is not a message. */
export class FrameError extends Error {
  override readonly name = "FrameError";
}

/** Returns a message as bytes: its length in four bytes, the most significant first, then JSON in UTF-8. */
export function encodeFrame(message: object): Buffer {
  const body = Buffer.from(JSON.stringify(message, tag));
  if (body.length > MAX_FRAME_BYTES) throw new FrameError("is too long");
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32BE(body.length);
  return Buffer.concat([head, body]);
}

/** Replaces what JSON has no form for: bytes become `{"bytes": base64}`, a bigint `{"bigint": decimal digits}`. */
function tag(this: Readonly<Record<string, unknown>>, key: string, value: unknown): unknown {
  // A Buffer has made itself an object by now
  const given = this[key];
  if (given instanceof Uint8Array) return { bytes: Buffer.from(given).toString("base64") };
  return typeof value === "bigint" ? { bigint: value.toString() } : value;
}

function untag(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const [[name, text] = [], more] = Object.entries(value);
  if (more !== undefined || (name !== "bytes" && name !== "bigint")) return value;
  const made = name === "bytes" ? Buffer.from(String(text), "base64") : toBigint(text);
  const again = Buffer.isBuffer(made) ? made.toString("base64") : made.toString();
  // Each value has one form
  if (again !== text) throw new FrameError(`has no ${name}`);
  return Buffer.isBuffer(made) ? Uint8Array.from(made) : made;
}

function toBigint(text: unknown): bigint {
  // More digits than any number here; parsing takes longer than linear time
  if (typeof text !== "string" || !/^\d{1,20}$/.test(text)) throw new FrameError("has no bigint");
  return BigInt(text);
}

function decode(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body), untag);
  } catch (cause) {
    throw new FrameError("is not JSON", { cause });
  }
}

/** Takes the bytes of a connection apart into messages. */
export interface FrameReader {
  /** Adds bytes and returns the messages that are whole; throws `FrameError` at the first that is none. */
  read(chunk: Buffer): unknown[];
  /** Returns whether a message has begun and is not whole. */
  isWithin(): boolean;
}

export function createFrameReader(): FrameReader {
  let chunks: Buffer[] = [];
  let length = 0;

  /** Returns the first bytes and removes them; null while there are fewer. */
  const take = (count: number): Buffer | null => {
    if (length < count) return null;
    const all = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
    chunks = [all.subarray(count)];
    length -= count;
    return all.subarray(0, count);
  };

  let bodyLength: number | null = null;
  return {
    read(chunk) {
      chunks.push(chunk);
      length += chunk.length;
      const messages: unknown[] = [];
      for (;;) {
        bodyLength ??= take(HEAD_BYTES)?.readUInt32BE() ?? null;
        if (bodyLength === null) return messages;
        if (bodyLength > MAX_FRAME_BYTES) throw new FrameError("is too long");
        const body = take(bodyLength);
        if (body === null) return messages;
        bodyLength = null;
        messages.push(decode(body));
      }
    },
    isWithin: () => length > 0 || bodyLength !== null,
  };
}

/** A process that calls the signer: only `trading` may have orders signed. */
export type SignerCaller = "web" | "trading";

/** A Unix socket of the signer, one for each kind of caller. */
export interface SignerSocket {
  readonly caller: SignerCaller;
  readonly path: string;
  /** First message of every connection; who does not know it is cut off. */
  readonly word: string;
}

/** First message of a caller. */
export interface WordMessage {
  readonly word: string;
}

/** First message of the signer: whether the word was right. */
export interface WelcomeMessage {
  readonly welcome: boolean;
}
