import type { Instruction } from "@solana/kit";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openPracticeBench } from "../../test/chain-bench.ts";
import {
  associatedTokenAddress,
  createAssociatedTokenIdempotent,
} from "../solana/programs/associated-token.ts";
import { transferLamports } from "../solana/programs/system.ts";
import {
  closeTokenAccount,
  mintCodec,
  tokenAccountCodec,
  transferChecked,
} from "../solana/programs/token.ts";
import { FAUCET, PRACTICE_QUOTE_MINT } from "./genesis.ts";
import { practiceKeyPair } from "./sign-transaction.ts";

const people = ["ann", "ben", "cas"].map((name) => practiceKeyPair(name));
const tokenAccounts = people.map(({ address }) =>
  associatedTokenAddress(address, PRACTICE_QUOTE_MINT),
);

type Step =
  | { readonly kind: "pay"; readonly from: number; readonly to: number; readonly amount: bigint }
  | { readonly kind: "tokens"; readonly from: number; readonly to: number; readonly amount: bigint }
  | { readonly kind: "create" | "close"; readonly from: number; readonly to: number };

const person = fc.nat(people.length - 1);
const stepOf = (kind: "pay" | "tokens", max: bigint) =>
  fc.record({
    kind: fc.constant(kind),
    from: person,
    to: person,
    amount: fc.bigInt({ min: 0n, max }),
  });
const steps = fc.array(
  fc.oneof(
    stepOf("pay", 1_200_000_000n),
    stepOf("tokens", 1_500n),
    fc.record({
      kind: fc.constantFrom<"create" | "close">("create", "close"),
      from: person,
      to: person,
    }),
  ),
  { minLength: 1, maxLength: 12 },
);

function instructionOf(step: Step): Instruction {
  const from = people[step.from]!.address;
  const to = people[step.to]!.address;
  const mint = PRACTICE_QUOTE_MINT;
  switch (step.kind) {
    case "pay":
      return transferLamports({ from, to }, step.amount);
    case "tokens":
      return transferChecked(
        {
          source: tokenAccounts[step.from]!,
          mint,
          destination: tokenAccounts[step.to]!,
          authority: from,
        },
        { amount: step.amount, decimals: 6 },
      );
    case "create":
      return createAssociatedTokenIdempotent({ payer: from, owner: to, mint });
    case "close":
      return closeTokenAccount({
        account: tokenAccounts[step.from]!,
        destination: to,
        authority: from,
      });
  }
}

describe("conservation on the practice chain", () => {
  it("loses lamports only to fees, and never a token", async () => {
    const property = fc.asyncProperty(steps, async (script) => {
      const { bench, chain } = await openPracticeBench();
      for (const { address } of people) {
        await chain.fund(address, { lamports: 1_000_000_000n, quoteUnits: 1_000n });
      }
      const watched = [FAUCET.address, ...people.map(({ address }) => address), ...tokenAccounts];
      const sum = async () => {
        const states = await Promise.all(watched.map((address) => bench.account(address)));
        const tokens = states
          .slice(1 + people.length)
          .map((state) => (state === null ? 0n : tokenAccountCodec.decode(state.data).amount));
        return {
          lamports: states.reduce((total, state) => total + (state?.lamports ?? 0n), 0n),
          tokens: tokens.reduce((total, amount) => total + amount, 0n),
        };
      };
      const supply = async () =>
        mintCodec.decode((await bench.account(PRACTICE_QUOTE_MINT))!.data).supply;
      const [before, supplyBefore] = [await sum(), await supply()];
      const landed = async () => {
        const lists = people.map(({ address }) => chain.signaturesFor(address, 1_000));
        return new Set((await Promise.all(lists)).flat());
      };
      const earlier = await landed();
      for (const step of script) await bench.send([people[step.from]!], [instructionOf(step)]);
      let fees = 0n;
      for (const signature of await landed()) {
        if (!earlier.has(signature)) fees += (await chain.transaction(signature))!.feeLamports;
      }
      const after = await sum();
      expect(after.lamports).toBe(before.lamports - fees);
      expect(after.tokens).toBe(before.tokens);
      expect(await supply()).toBe(supplyBefore);
    });
    await fc.assert(property, { numRuns: 60 });
  });
});
