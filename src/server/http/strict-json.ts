import { JSON_DEPTH_LIMIT } from "../../contract/webhook.ts";

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** The text is not JSON, or JSON that two parsers could read differently. */
export class StrictJsonError extends Error {
  override readonly name = "StrictJsonError";
  /** Where the text stops being JSON, in UTF-16 units; absent for JSON that is refused. */
  readonly at: number | undefined;

  constructor(message: string, options: { readonly cause?: unknown; readonly at?: number } = {}) {
    super(message, options);
    this.at = options.at;
  }
}

/**
 * Parses JSON strictly, accepting only text that every parser reads the same.
 *
 * Refuses bad UTF-8, a byte order mark, duplicate keys, `__proto__`, lone surrogates, numbers beyond the float range
 * and nesting deeper than 20. Throws `StrictJsonError` only.
 */
export function parseStrictJson(input: Uint8Array | string): unknown {
  const text = typeof input === "string" ? input : decode(input);
  const reader = new Reader(text);
  const value = reader.readValue(1);
  reader.readEnd();
  return value;
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new StrictJsonError("The body is not UTF-8.", { cause });
  }
}

/** Recursive parser; the depth limit prevents stack exhaustion. */
class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  readValue(depth: number): unknown {
    this.#skipSpace();
    const first = this.#text[this.#at];
    switch (first) {
      case "{":
        return this.#readObject(depth);
      case "[":
        return this.#readArray(depth);
      case '"':
        return this.#readString();
      case "t":
        return this.#readWord("true", true);
      case "f":
        return this.#readWord("false", false);
      case "n":
        return this.#readWord("null", null);
      default:
        return this.#readNumber();
    }
  }

  readEnd(): void {
    this.#skipSpace();
    if (this.#at < this.#text.length) throw this.#failure();
  }

  #readObject(depth: number): Record<string, unknown> {
    this.#enter(depth);
    const object: Record<string, unknown> = {};
    if (this.#takes("}")) return object;
    do {
      this.#skipSpace();
      const key = this.#readString();
      if (key === "__proto__") throw new StrictJsonError("The key __proto__ is not allowed.");
      if (Object.hasOwn(object, key)) throw new StrictJsonError("A key stands twice.");
      if (!this.#takes(":")) throw this.#failure();
      object[key] = this.readValue(depth + 1);
    } while (this.#takes(","));
    if (!this.#takes("}")) throw this.#failure();
    return object;
  }

  #readArray(depth: number): unknown[] {
    this.#enter(depth);
    const items: unknown[] = [];
    if (this.#takes("]")) return items;
    do items.push(this.readValue(depth + 1));
    while (this.#takes(","));
    if (!this.#takes("]")) throw this.#failure();
    return items;
  }

  #enter(depth: number): void {
    if (depth > JSON_DEPTH_LIMIT) throw new StrictJsonError("The body is nested too deep.");
    this.#at += 1;
  }

  #readString(): string {
    const start = this.#at;
    if (this.#text[start] !== '"') throw this.#failure();
    let hasEscape = false;
    let end = start + 1;
    for (; ; end += 1) {
      const unit = this.#text.charCodeAt(end);
      if (unit === 0x22) break;
      if (Number.isNaN(unit) || unit < 0x20) throw this.#failure();
      if (unit !== 0x5c) continue;
      hasEscape = true;
      end += 1;
    }
    this.#at = end + 1;
    const value = hasEscape
      ? unescaped(this.#text.slice(start, end + 1))
      : this.#text.slice(start + 1, end);
    if (!value.isWellFormed()) throw new StrictJsonError("A text holds half a character.");
    return value;
  }

  #readNumber(): number {
    NUMBER.lastIndex = this.#at;
    const digits = NUMBER.exec(this.#text)?.[0];
    if (digits === undefined) throw this.#failure();
    this.#at += digits.length;
    const value = Number(digits);
    if (!Number.isFinite(value)) throw new StrictJsonError("A number is too large.");
    return value;
  }

  #readWord<T>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) throw this.#failure();
    this.#at += word.length;
    return value;
  }

  #takes(mark: string): boolean {
    this.#skipSpace();
    if (this.#text[this.#at] !== mark) return false;
    this.#at += 1;
    return true;
  }

  #skipSpace(): void {
    for (; ; this.#at += 1) {
      const unit = this.#text.charCodeAt(this.#at);
      if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return;
    }
  }

  #failure(): StrictJsonError {
    return new StrictJsonError("The body is not JSON.", { at: this.#at });
  }
}

function unescaped(quoted: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch (cause) {
    throw new StrictJsonError("The body is not JSON.", { cause });
  }
}
