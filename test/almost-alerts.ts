import * as fc from "fast-check";
import { mutatedBytes } from "./mutated-bytes.ts";

type Bytes = Uint8Array<ArrayBuffer>;

const bytesOf = (text: string): Bytes => new TextEncoder().encode(text);

const nested = fc
  .tuple(fc.constantFrom("[", '{"a":', '[{"token":'), fc.nat(3_000))
  .map(([open, depth]) => bytesOf(open.repeat(depth)));

const hugeNumbers = fc
  .tuple(fc.nat(2_000), fc.constantFrom("", ".", "e", "e-", "e+"), fc.nat(400))
  .map(([digits, mark, rest]) =>
    bytesOf(`{"timestamp":${"9".repeat(digits)}${mark}${"9".repeat(rest)}}`),
  );

const otherJson = fc
  .record({ agentId: fc.jsonValue(), alertName: fc.jsonValue(), timestamp: fc.double() })
  .map((value) => bytesOf(JSON.stringify(value)));

/** Returns bodies that are almost one of these, or far from it. */
export function almostBodies(wholes: readonly Bytes[]): fc.Arbitrary<Bytes> {
  return fc.oneof(
    { weight: 16, arbitrary: mutatedBytes(wholes) },
    { weight: 2, arbitrary: fc.uint8Array({ maxLength: 300 }) as fc.Arbitrary<Bytes> },
    { weight: 1, arbitrary: nested },
    { weight: 1, arbitrary: hugeNumbers },
    { weight: 1, arbitrary: otherJson },
    {
      weight: 1,
      // A whole body in two halves with a key said twice between them
      arbitrary: fc
        .tuple(fc.constantFrom(...wholes), fc.constantFrom("token", "agentId", "timestamp"))
        .map(([whole, key]) => Uint8Array.from([...bytesOf(`{"${key}":1,`), ...whole.subarray(1)])),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom(...wholes), fc.integer({ min: 15_000, max: 17_000 }))
        .map(([whole, size]) => Uint8Array.from([...whole, ...bytesOf(`x${" ".repeat(size)}`)])),
    },
  );
}

/** Returns requests whose framing is wrong, none of which a server may take for the whole alert. */
export function brokenFrames(path: string, whole: Bytes): fc.Arbitrary<Buffer> {
  const { length } = whole;
  const start = (lines: string[], line = `POST ${path} HTTP/1.1`) =>
    `${[line, "Host: localhost", "Content-Type: application/json", ...lines].join("\r\n")}\r\n\r\n`;
  const text = Buffer.from(whole).toString("latin1");
  const chunked = (size: string, after = "0\r\n\r\n") =>
    `${start(["Transfer-Encoding: chunked"])}${size}\r\n${text}\r\n${after}`;
  const hex = length.toString(16);
  const fixed = [
    start([`Content-Length: ${length + 9}`]) + text,
    start([`Content-Length: ${length - 9}`]) + text,
    start([`Content-Length: ${length}`, `Content-Length: ${length - 1}`]) + text,
    start([`Content-Length: -${length}`]) + text,
    start([`Content-Length: +${length}`]) + text,
    start([`Content-Length: 0x${hex}`]) + text,
    start([`Content-Length: ${length}, ${length}`]) + text,
    start(["Content-Length: 99999999999999999999"]) + text,
    start([`Content-Length: ${length}`, "Transfer-Encoding: chunked"]) + text,
    start([`Content-Length : ${length}`]) + text,
    start([`X-A: b\r\n Content-Length: ${length}`]) + text,
    start([]) + text,
    start([`Content-Length: ${length}`], `POST ${path} HTTP/9.9`) + text,
    start([`Content-Length: ${length}`], `PO\u0000ST ${path} HTTP/1.1`) + text,
    start([`Content-Length: ${length}`], `POST ${path}\u00ff HTTP/1.1`) + text,
    start([`Content-Length: ${length}`, `X-Long: ${"x".repeat(20_000)}`]) + text,
    start([`Content-Length: ${length}`, "Expect: nothing"]) + text,
    `POST ${path} HTTP/1.1\r\nContent-Length: ${length}\r\n\r\n${text}`,
    start(["Transfer-Encoding: gzip, chunked, identity"]) + text,
    chunked("zz"),
    chunked(`-${hex}`),
    chunked("fffffffffffffffff"),
    chunked((length + 5).toString(16)),
    chunked((length - 5).toString(16)),
    chunked(hex, ""),
    chunked(`${hex};${"x".repeat(20_000)}`),
  ];
  const cut = fc
    .tuple(
      fc.constantFrom(...fixed, chunked(hex)),
      fc.double({ min: 0.01, max: 0.99, noNaN: true }),
    )
    .map(([frame, part]) => frame.slice(0, Math.floor((frame.length - text.length) * part)));
  const noise = fc
    .uint8Array({ minLength: 1, maxLength: 200 })
    .map((bytes) => Buffer.from(bytes).toString("latin1"));
  return fc
    .oneof({ weight: 6, arbitrary: fc.constantFrom(...fixed) }, cut, noise)
    .map((frame) => Buffer.from(frame, "latin1"));
}
