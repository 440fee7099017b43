import {
  addCodecSizePrefix,
  getBytesCodec,
  getConstantCodec,
  getHiddenPrefixCodec,
  getStructCodec,
  getU32Codec,
  getU64Codec,
} from "@solana/kit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anchorDiscriminator, withDiscriminator } from "./anchor.ts";

const discriminator = anchorDiscriminator("global", "deposit");
const fixed = getStructCodec([["amount", getU64Codec()]]);
const open = getStructCodec([["memo", addCodecSizePrefix(getBytesCodec(), getU32Codec())]]);
const prefixed = [getConstantCodec(discriminator)];

describe("withDiscriminator", () => {
  it("writes and reads like the library's own prefix", () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 64n - 1n), fc.uint8Array(), (amount, memo) => {
        const own = withDiscriminator(discriminator, fixed);
        const bytes = own.encode({ amount });
        expect(bytes).toEqual(getHiddenPrefixCodec(fixed, prefixed).encode({ amount }));
        expect(own.decode(bytes)).toEqual({ amount });
        expect(own.fixedSize).toBe(16);
        const ownOpen = withDiscriminator(discriminator, open);
        const openBytes = ownOpen.encode({ memo });
        expect(openBytes).toEqual(getHiddenPrefixCodec(open, prefixed).encode({ memo }));
        expect(ownOpen.decode(openBytes)).toEqual({ memo });
      }),
    );
  });

  it("refuses bytes with another or an incomplete prefix", () => {
    const own = withDiscriminator(discriminator, fixed);
    const bytes = new Uint8Array(own.encode({ amount: 5n }));
    for (let at = 0; at < 8; at += 1) {
      const other = bytes.map((byte, index) => (index === at ? byte ^ 1 : byte));
      expect(() => own.decode(other)).toThrow("discriminator");
      expect(() => own.decode(bytes.slice(0, at))).toThrow();
    }
  });
});
