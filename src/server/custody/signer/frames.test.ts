import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createFrameReader, encodeFrame, MAX_FRAME_BYTES } from "./frames.ts";

const frame = (body: Buffer | string): Buffer => {
  const head = Buffer.alloc(4);
  head.writeUInt32BE(Buffer.byteLength(body));
  return Buffer.concat([head, Buffer.from(body)]);
};

describe("messages of the signer's sockets", () => {
  it("come out as they went in, however the bytes are cut", () => {
    const leaf = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
      fc.uint8Array(),
    );
    const message = fc.dictionary(
      fc.string().filter((key) => key !== "__proto__" && key !== "toJSON"),
      fc.oneof(leaf, fc.array(leaf)),
      { minKeys: 2 },
    );
    fc.assert(
      fc.property(
        fc.array(message, { minLength: 1 }),
        fc.integer({ min: 1, max: 40 }),
        (all, cut) => {
          const bytes = Buffer.concat(all.map(encodeFrame));
          const reader = createFrameReader();
          const read: unknown[] = [];
          for (let at = 0; at < bytes.length; at += cut) {
            read.push(...reader.read(bytes.subarray(at, at + cut)));
          }
          expect(read).toEqual(all.map((each) => ({ ...each })));
          expect(reader.isWithin()).toBe(false);
        },
      ),
    );
  });

  it("are read from a Buffer as from other bytes", () => {
    const [read] = createFrameReader().read(encodeFrame({ id: 1, data: Buffer.from([1, 2]) }));
    expect(read).toEqual({ id: 1, data: Uint8Array.of(1, 2) });
  });

  it.each<[string, Buffer]>([
    ["no JSON", frame("{")],
    ["nothing", frame("")],
    ["bytes that are no UTF-8", frame(Buffer.from([0x22, 0xff, 0x22]))],
    ["two values", frame("1 2")],
    ["base64 in another form", frame('{"bytes":"AQ"}')],
    ["bytes that are no text", frame('{"bytes":[1]}')],
    ["a bigint with a leading zero", frame('{"bigint":"01"}')],
    ["a negative bigint", frame('{"bigint":"-1"}')],
    ["a bigint in hex", frame('{"bigint":"0x1"}')],
    ["a bigint of 21 digits", frame(`{"bigint":"${"9".repeat(21)}"}`)],
    ["a number as bigint", frame('{"bigint":1}')],
    ["arrays 60,000 deep", frame("[".repeat(60_000) + "]".repeat(60_000))],
    ["one byte too many", frame(" ".repeat(MAX_FRAME_BYTES + 1))],
    ["four gigabytes", Buffer.from([0xff, 0xff, 0xff, 0xff])],
  ])("with %s are refused", (_, bytes) => {
    expect(() => createFrameReader().read(bytes)).toThrow(
      expect.objectContaining({ name: "FrameError" }),
    );
  });

  it("of the greatest length are read, a longer one is not sent", () => {
    const message = { a: "x".repeat(MAX_FRAME_BYTES - 8) };
    expect(createFrameReader().read(encodeFrame(message))).toEqual([message]);
    expect(() => encodeFrame({ a: `${message.a}x` })).toThrow("too long");
  });

  it("make no object of another kind by a key of theirs", () => {
    const [read] = createFrameReader().read(frame('{"id":1,"__proto__":{"kind":"sign"}}'));
    expect((read as { kind?: unknown }).kind).toBeUndefined();
    expect(Object.keys(read as object)).toEqual(["id", "__proto__"]);
  });
});
