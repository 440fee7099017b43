import { AccountRole } from "@solana/kit";
import { describe, expect, it } from "vitest";
import { openPracticeBench } from "../../../test/chain-bench.ts";
import {
  createLookupTable,
  deriveLookupTable,
  extendLookupTable,
} from "../../solana/programs/address-lookup-table.ts";
import { SYSTEM_PROGRAM, transferLamports } from "../../solana/programs/system.ts";
import { signTransaction, practiceKeyPair } from "../sign-transaction.ts";
import { rentExemptMinimum } from "../runtime/account-state.ts";

const alice = practiceKeyPair("alice");
const bob = practiceKeyPair("bob");

describe("address lookup tables", () => {
  it("can be created and extended, and are usable from the next slot on", async () => {
    const { chain, bench, clock } = await openPracticeBench();
    for (const { address } of [alice, bob]) {
      await chain.fund(address, { lamports: 1_000_000_000n, quoteUnits: 0n });
    }
    const { slot } = await chain.progress("confirmed");
    const table = deriveLookupTable(alice.address, slot).address;
    const made = await bench.send(
      [alice],
      [
        createLookupTable(alice.address, slot),
        extendLookupTable(table, alice.address, [bob.address, SYSTEM_PROGRAM]),
      ],
    );
    expect(made.error).toBeNull();
    expect((await bench.account(table))?.lamports).toBe(rentExemptMinimum(56 + 64));

    const transfer = transferLamports({ from: alice.address, to: bob.address }, 1_000_000n);
    const bytes = async () => {
      const { blockhash } = await chain.latestBlockhash();
      return signTransaction([alice], [transfer], blockhash, { [table]: [bob.address] });
    };
    await expect(chain.send(await bytes())).rejects.toMatchObject({
      error: { name: "InvalidAddressLookupTableIndex" },
    });
    clock.ms += 400;
    expect(transfer.accounts[1]?.role).toBe(AccountRole.WRITABLE);
    await chain.send(await bytes());
    expect((await bench.account(bob.address))?.lamports).toBe(1_001_000_000n);
  });

  it("require their authority and a recent slot", async () => {
    const { chain, bench, clock } = await openPracticeBench();
    for (const { address } of [alice, bob]) {
      await chain.fund(address, { lamports: 1_000_000_000n, quoteUnits: 0n });
    }
    clock.ms += 600 * 400;
    expect((await bench.send([alice], [createLookupTable(alice.address, 1n)])).error).toBe(
      "InvalidInstructionData at 0",
    );
    const { slot } = await chain.progress("confirmed");
    expect((await bench.send([alice], [createLookupTable(alice.address, slot)])).error).toBeNull();
    const theirs = extendLookupTable(deriveLookupTable(alice.address, slot).address, bob.address, [
      bob.address,
    ]);
    expect((await bench.send([bob], [theirs])).error).toBe("IncorrectAuthority at 0");
  });
});
