import { getProgramDerivedAddress } from "@solana/kit";
import { describe, expect, it } from "vitest";
import { addressBytes, addressOf } from "./address-codec.ts";
import { keypairFromSeed } from "./keys.ts";
import { deriveAddress } from "./pda.ts";
import { SQUADS_PROGRAM } from "../programs/squads.ts";

describe("deriveAddress", () => {
  it("agrees with kit's asynchronous derivation, address and bump", async () => {
    for (let fill = 0; fill < 40; fill += 1) {
      const key = keypairFromSeed(new Uint8Array(32).fill(fill)).address;
      const seeds = ["user", addressBytes(key), Uint8Array.of(fill, 0)];
      const [address, bump] = await getProgramDerivedAddress({
        programAddress: SQUADS_PROGRAM,
        seeds,
      });
      expect(deriveAddress(SQUADS_PROGRAM, seeds)).toEqual({ address, bump });
      expect(deriveAddress(SQUADS_PROGRAM, seeds)).toEqual({ address, bump });
    }
  });

  it("joins seeds without separators, as the runtime does", () => {
    const one = deriveAddress(SQUADS_PROGRAM, [Uint8Array.of(1, 2), Uint8Array.of(3)]);
    const other = deriveAddress(SQUADS_PROGRAM, [Uint8Array.of(1, 2, 3)]);
    expect(one).toEqual(other);
    expect(deriveAddress(SQUADS_PROGRAM, [Uint8Array.of(12, 3)])).not.toEqual(other);
  });
});

describe("addresses", () => {
  it("survive a round trip through bytes", () => {
    expect(addressOf(addressBytes(SQUADS_PROGRAM))).toBe(SQUADS_PROGRAM);
  });
});
