import type { Address, Instruction } from "@solana/kit";
import { expect, it } from "vitest";
import { keypairFromSeed } from "../../../solana/encoding/keys.ts";
import { multisigCreateV2 } from "../../../solana/programs/squads.ts";
import { transferLamports } from "../../../solana/programs/system.ts";
import { compileTransaction } from "../../../solana/transaction.ts";
import { refuseCoSignature } from "./answer-calls.ts";

const addressNamed = (n: number) => keypairFromSeed(new Uint8Array(32).fill(n)).address;
const [own, other, stranger] = [addressNamed(1), addressNamed(2), addressNamed(9)];
const owner = addressNamed(8);

/** Creation of the multisig of a create key, by the owner unless by somebody else. */
const creationBy = (createKey: Address, changed: object = {}, by = owner): Instruction =>
  multisigCreateV2(
    { treasury: stranger, createKey, creator: by },
    {
      configAuthority: by,
      threshold: 1,
      members: [{ key: by, permissions: 7 }],
      rentCollector: by,
      ...changed,
    },
  );

/** The instruction with another account at a place. */
const naming = (made: Instruction, place: number, address: Address): Instruction => ({
  ...made,
  accounts: (made.accounts ?? []).map((meta, at) => (at === place ? { ...meta, address } : meta)),
});

it("keeps a create key from signing anything but the creation of its own multisig", () => {
  const attempt = (instructions: readonly Instruction[], feePayer = owner) =>
    refuseCoSignature(
      compileTransaction({
        feePayer,
        lifetime: { blockhash: stranger as never, lastValidBlockHeight: 150n },
        instructions,
      }),
      own,
      owner,
    );
  const creation = creationBy(own);
  expect(attempt([creation])).toBeNull();
  const longer = { ...creation, data: Uint8Array.of(...(creation.data ?? []), 0) };
  const members = [
    { key: owner, permissions: 7 },
    { key: other, permissions: 7 },
  ];
  const refused: readonly (readonly [string, readonly Instruction[], Address?])[] = [
    ["pays nothing", [creation], own],
    ["does not create one", [creation, creation]],
    ["does not create one", [creation, transferLamports({ from: own, to: stranger }, 1n)]],
    ["does not create a multisig", [transferLamports({ from: own, to: stranger }, 1n)]],
    ["does not create a multisig", [longer]],
    ["does not create a multisig", [{ ...creation, programAddress: other }]],
    ["another multisig", [naming(creation, 2, other)]],
    ["somebody else", [creationBy(own, { members })]],
    ["somebody else", [creationBy(own, { configAuthority: other })]],
    ["somebody else", [creationBy(own, { rentCollector: other })]],
    ["somebody else", [creationBy(own, { threshold: 2 })]],
    ["somebody else", [creationBy(own, { members: [{ key: owner, permissions: 1 }] })]],
    ["the agent's owner", [creationBy(own, {}, stranger)]],
    ["the agent's owner", [creationBy(own, {}, stranger)], stranger],
  ];
  for (const [why, instructions, feePayer] of refused) {
    expect(attempt(instructions, feePayer)).toContain(why);
  }
});
