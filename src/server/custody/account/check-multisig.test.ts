import type { Address } from "@solana/kit";
import { describe, expect, it } from "vitest";
import { keypairFromSeed } from "../../../solana/encoding/keys.ts";
import { type Multisig, multisigCodec } from "../../../solana/programs/squads-accounts.ts";
import { SQUADS_PROGRAM } from "../../../solana/programs/squads.ts";
import { SYSTEM_PROGRAM } from "../../../solana/programs/system.ts";
import { checkMultisig } from "./read-custody.ts";

const keyOf = (n: number): Address => keypairFromSeed(new Uint8Array(32).fill(n)).address;
const owner = keyOf(1);
const createKey = keyOf(2);
const stranger = keyOf(3);

const good: Multisig = {
  createKey,
  configAuthority: owner,
  threshold: 1,
  timeLock: 0,
  transactionIndex: 0n,
  staleTransactionIndex: 0n,
  rentCollector: owner,
  bump: 255,
  members: [{ key: owner, permissions: 7 }],
};

const accountOf = (multisig: Multisig, program: Address = SQUADS_PROGRAM) => ({
  address: keyOf(9),
  lamports: 2_039_280n,
  owner: program,
  data: new Uint8Array(multisigCodec.encode(multisig)),
  executable: false,
});
const check = (changes: Partial<Multisig>) =>
  checkMultisig(accountOf({ ...good, ...changes }), { owner, createKey });

describe("checkMultisig", () => {
  it("accepts exactly the form that custody relies on", () => {
    expect(check({})).toMatchObject({ multisig: { threshold: 1 } });
  });

  it("accepts further members, before and after the owner, that do not limit the owner", () => {
    const members = [stranger, owner, createKey].map((key) => ({ key, permissions: 7 }));
    expect(check({ members })).toMatchObject({ multisig: { members } });
    expect(check({ members, threshold: 2 })).toEqual({ mismatch: "its threshold is not 1" });
  });

  it.each<[string, Partial<Multisig>]>([
    ["its create key is another one", { createKey: stranger }],
    ["its threshold is not 1", { threshold: 2 }],
    ["its config authority is not the owner", { configAuthority: stranger }],
    ["it has a time lock", { timeLock: 1 }],
    ["its rent collector is not the owner", { rentCollector: null }],
    ["its rent collector is not the owner", { rentCollector: stranger }],
    ["the owner is no member of it", { members: [{ key: stranger, permissions: 7 }] }],
    ["the owner may not do everything in it", { members: [{ key: owner, permissions: 3 }] }],
  ])("refuses one because %s", (mismatch, changes) => {
    expect(check(changes)).toEqual({ mismatch });
  });

  it("refuses another program's account and other bytes", () => {
    expect(checkMultisig(accountOf(good, SYSTEM_PROGRAM), { owner, createKey })).toEqual({
      mismatch: "it does not belong to Squads",
    });
    const account = { ...accountOf(good), data: new Uint8Array(40) };
    expect(checkMultisig(account, { owner, createKey })).toEqual({
      mismatch: "it is not a multisig",
    });
  });
});
