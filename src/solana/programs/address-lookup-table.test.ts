import { describe, expect, it } from "vitest";
import { openLiteBench } from "../../../test/chain-bench.ts";
import { keypairFromSeed } from "../encoding/keys.ts";
import {
  createLookupTable,
  decodeLookupTable,
  deriveLookupTable,
  extendLookupTable,
  LOOKUP_TABLE_PROGRAM,
} from "./address-lookup-table.ts";
import { SYSTEM_PROGRAM } from "./system.ts";
import { TOKEN_PROGRAM } from "./token.ts";

const authority = keypairFromSeed(new Uint8Array(32).fill(7));

describe("lookup tables on the real runtime", () => {
  it("are created and extended by our instructions, and read back", async () => {
    const bench = openLiteBench();
    await bench.give(authority.address, 10_000_000_000n);
    const recent = (await bench.time()).slot - 1n;
    const table = deriveLookupTable(authority.address, recent).address;
    const { error } = await bench.send(
      [authority],
      [
        createLookupTable(authority.address, recent),
        extendLookupTable(table, authority.address, [SYSTEM_PROGRAM]),
        extendLookupTable(table, authority.address, [TOKEN_PROGRAM, authority.address]),
      ],
    );
    expect(error).toBeNull();
    const account = await bench.account(table);
    expect(account?.owner).toBe(LOOKUP_TABLE_PROGRAM);
    expect(decodeLookupTable(account?.data ?? new Uint8Array())).toMatchObject({
      authority: authority.address,
      isInUse: true,
      addresses: [SYSTEM_PROGRAM, TOKEN_PROGRAM, authority.address],
    });
  });

  it("are null when the data is too short", () => {
    expect(decodeLookupTable(new Uint8Array(55))).toBeNull();
  });
});
