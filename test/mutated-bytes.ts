import * as fc from "fast-check";

/** Bytes that parsers stumble over. */
const NASTY = [
  ...Array.from('{}[]":,\\0-+.eE '),
  "\u0000",
  "\u001f",
  "\u2028",
  "null",
  "true",
  "1e309",
  "-0",
  "\\u0000",
  "\\ud800",
  '"__proto__":1,',
  '"constructor":{},',
  '"agentId":"x",',
  "[[[[[[[[[[[[[[[[[[[[[",
].map((text) => new TextEncoder().encode(text));

const BROKEN = [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xef, 0xbb, 0xbf], [0xf4, 0x90]].map(
  (bytes) => Uint8Array.from(bytes),
);

type Cut = readonly [kind: "put" | "over" | "cut" | "twice", at: number, piece: Uint8Array];

/** Takes one of the bodies and damages it in up to four places. */
export function mutatedBytes(
  bodies: readonly Uint8Array<ArrayBuffer>[],
): fc.Arbitrary<Uint8Array<ArrayBuffer>> {
  const piece = fc.oneof(
    fc.constantFrom(...NASTY),
    fc.constantFrom(...BROKEN),
    fc.uint8Array({ minLength: 1, maxLength: 3 }),
  );
  const cut = fc.tuple(
    fc.constantFrom("put", "over", "cut", "twice"),
    fc.nat(1_000),
    piece,
  ) as fc.Arbitrary<Cut>;
  return fc
    .tuple(fc.constantFrom(...bodies), fc.array(cut, { maxLength: 4 }))
    .map(([body, cuts]) => cuts.reduce(damage, body));
}

function damage(body: Uint8Array<ArrayBuffer>, [kind, where, piece]: Cut): Uint8Array<ArrayBuffer> {
  const at = body.length === 0 ? 0 : where % body.length;
  const [head, tail] = [body.subarray(0, at), body.subarray(at)];
  switch (kind) {
    case "put":
      return joined(head, piece, tail);
    case "over":
      return joined(head, piece, tail.subarray(piece.length));
    case "cut":
      return joined(head, tail.subarray(1 + (where % 7)));
    case "twice":
      return joined(head, tail.subarray(0, 12), tail);
  }
}

function joined(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}
