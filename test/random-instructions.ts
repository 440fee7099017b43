import type { Address, Instruction } from "@solana/kit";
import fc from "fast-check";
import { SigningRefusedError } from "../src/server/custody/account/trading-key-signer.ts";

/** Fewer while code is mutated, where each of several hundred changes is judged. */
const SETS = Number(process.env["RANDOM_SETS"] ?? 10_000);

type Part = Pick<Instruction, "programAddress"> & Required<Pick<Instruction, "accounts" | "data">>;

/** Sets of instructions that the signer signs, and what spoils them. */
interface SignedSets {
  /** Instructions that accompany every set and are not changed. */
  readonly budget: readonly Instruction[];
  readonly valid: readonly (readonly Part[])[];
  /** Addresses that take the place of others. */
  readonly addresses: readonly Address[];
  /** Addresses that others of the list may replace without harm: oracles, markets, pools. */
  readonly free: readonly Address[];
  /** Instructions that no set may contain. */
  readonly forbidden: readonly Instruction[];
}

/** One change of a set, by numbers that are taken modulo what there is to choose from. */
type Spoil = readonly [
  kind: "account" | "program" | "kind of instruction" | "added",
  instruction: number,
  place: number,
  by: number,
];

/**
 * Requests signatures for every valid set as it is and with one to three places changed at random, ten thousand times
 * unless told. Returns how many sets were signed as they are, and the changes that were signed nonetheless.
 */
export async function signSpoiltSets(
  sign: (instructions: readonly Instruction[]) => Promise<unknown>,
  sets: SignedSets,
): Promise<{ readonly asTheyAre: number; readonly spoilt: readonly string[] }> {
  let asTheyAre = 0;
  for (const set of sets.valid)
    asTheyAre += (await isSigned(sign, [...sets.budget, ...set])) ? 1 : 0;
  const kinds = [
    "account",
    "account",
    "account",
    "program",
    "kind of instruction",
    "added",
  ] as const;
  const spoils = fc.array(
    fc.tuple(fc.constantFrom(...kinds), fc.nat(1_000), fc.nat(1_000), fc.nat(1_000)),
    { minLength: 1, maxLength: 3 },
  );
  const cases = fc.sample(fc.tuple(fc.constantFrom(...sets.valid), spoils), {
    numRuns: SETS,
    seed: 20261121,
  });
  const spoilt: string[] = [];
  for (const [set, drawn] of cases) {
    // Added last: a change of what was added could make it harmless
    const changes = drawn.toSorted((one, other) => +(one[0] === "added") - +(other[0] === "added"));
    const changed = changes.reduce<readonly Part[]>((now, spoil) => apply(now, spoil, sets), set);
    // Two changes of one place may undo each other
    if (textOf(changed) === textOf(set)) continue;
    if (await isSigned(sign, [...sets.budget, ...changed])) spoilt.push(textOf(changed));
  }
  return { asTheyAre, spoilt };
}

async function isSigned(
  sign: (instructions: readonly Instruction[]) => Promise<unknown>,
  instructions: readonly Instruction[],
): Promise<boolean> {
  try {
    await sign(instructions);
    return true;
  } catch (error) {
    if (error instanceof SigningRefusedError) return false;
    throw error;
  }
}

const textOf = (set: readonly Part[]): string =>
  JSON.stringify(
    set.map(({ programAddress, accounts, data }) => [programAddress, accounts, [...data]]),
  );

const at = <T>(list: readonly T[], n: number): T => list[n % list.length] as T;

function apply(set: readonly Part[], [kind, which, place, by]: Spoil, sets: SignedSets): Part[] {
  if (kind === "added") {
    const added = at(sets.forbidden, by) as Part;
    return [
      ...set.slice(0, place % (set.length + 1)),
      added,
      ...set.slice(place % (set.length + 1)),
    ];
  }
  const spoilt = at(set, which);
  return set.map((part) => (part === spoilt ? spoil(part, kind, place, by, sets) : part));
}

function spoil(
  part: Part,
  kind: Exclude<Spoil[0], "added">,
  place: number,
  by: number,
  { addresses, free }: SignedSets,
): Part {
  switch (kind) {
    case "program":
      return { ...part, programAddress: otherThan(part.programAddress) };
    case "kind of instruction":
      return {
        ...part,
        data: part.data.map((byte, n) => (n === 0 ? byte ^ (1 + (by % 255)) : byte)),
      };
    case "account": {
      const fixed = part.accounts.filter(({ address }) => !free.includes(address));
      const meta = at(fixed, place);
      return {
        ...part,
        accounts: part.accounts.map((each) =>
          each === meta ? { ...each, address: otherThan(each.address) } : each,
        ),
      };
    }
  }

  function otherThan(address: Address): Address {
    return at(
      addresses.filter((other) => other !== address),
      by,
    );
  }
}
