import { type Address, AccountRole } from "@solana/kit";
import { describe, expect, it } from "vitest";
import { openPracticeBench } from "../../../test/chain-bench.ts";
import {
  instruction,
  readonly,
  signer,
  writable,
  writableSigner,
} from "../../solana/instruction.ts";
import type { Keypair } from "../../solana/keys.ts";
import { deriveAddress } from "../../solana/pda.ts";
import { SYSTEM_PROGRAM, transferLamports } from "../../solana/programs/system.ts";
import { practiceKeyPair } from "../key-pair.ts";
import { ADDRESS_LOOKUP_TABLE_PROGRAM } from "../runtime/addresses.ts";
import { addressBytes, concatBytes, u64Bytes } from "../runtime/bytes.ts";
import { rentExemptMinimum } from "../runtime/account-state.ts";
import { signTransaction } from "../sign-transaction.ts";

const alice = practiceKeyPair("alice");
const bob = practiceKeyPair("bob");

function tableOf(authority: Keypair, slot: bigint) {
  const seeds = [addressBytes(authority.address), u64Bytes(slot)];
  return deriveAddress(ADDRESS_LOOKUP_TABLE_PROGRAM, seeds);
}

function createTable(slot: bigint) {
  const { address, bump } = tableOf(alice, slot);
  return instruction(
    ADDRESS_LOOKUP_TABLE_PROGRAM,
    [
      writable(address),
      readonly(alice.address),
      writableSigner(alice.address),
      readonly(SYSTEM_PROGRAM),
    ],
    concatBytes([Uint8Array.of(0, 0, 0, 0), u64Bytes(slot), Uint8Array.of(bump)]),
  );
}

function extendTable(table: Address, added: readonly Address[], authority = alice) {
  return instruction(
    ADDRESS_LOOKUP_TABLE_PROGRAM,
    [
      writable(table),
      signer(authority.address),
      writableSigner(authority.address),
      readonly(SYSTEM_PROGRAM),
    ],
    concatBytes([
      Uint8Array.of(2, 0, 0, 0),
      u64Bytes(BigInt(added.length)),
      ...added.map(addressBytes),
    ]),
  );
}

describe("address lookup tables", () => {
  it("are made, extended, and usable from the next slot on", async () => {
    const { chain, bench, clock } = await openPracticeBench();
    for (const { address } of [alice, bob]) {
      await chain.fund(address, { lamports: 1_000_000_000n, quoteUnits: 0n });
    }
    const slot = await chain.blockHeight("confirmed");
    const table = tableOf(alice, slot).address;
    const made = await bench.send(
      [alice],
      [createTable(slot), extendTable(table, [bob.address, SYSTEM_PROGRAM])],
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

  it("belong to their authority and to a recent slot", async () => {
    const { chain, bench, clock } = await openPracticeBench();
    for (const { address } of [alice, bob]) {
      await chain.fund(address, { lamports: 1_000_000_000n, quoteUnits: 0n });
    }
    clock.ms += 600 * 400;
    expect((await bench.send([alice], [createTable(1n)])).error).toBe(
      "InvalidInstructionData at 0",
    );
    const slot = await chain.blockHeight("confirmed");
    expect((await bench.send([alice], [createTable(slot)])).error).toBeNull();
    const theirs = extendTable(tableOf(alice, slot).address, [bob.address], bob);
    expect((await bench.send([bob], [theirs])).error).toBe("IncorrectAuthority at 0");
  });
});
