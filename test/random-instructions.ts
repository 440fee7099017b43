import { AccountRole, type Address, type Instruction } from "@solana/kit";
import fc from "fast-check";
import { SigningRefusedError } from "../src/server/custody/account/trading-key-signer.ts";

/** Fewer while code is mutated, where each of several hundred changes is judged. */
const SETS = Number(process.env["RANDOM_SETS"] ?? 10_000);

/** Parts of the random instructions, chosen close to what is allowed. */
interface Parts {
  readonly addresses: readonly Address[];
  readonly programs: readonly Address[];
  /** First bytes of the instructions' data. */
  readonly starts: readonly Uint8Array[];
  readonly mostAccounts: number;
}

/** Requests signatures for random sets of instructions, ten thousand unless told, and returns how many were signed. */
export async function countSigned(
  sign: (instructions: readonly Instruction[]) => Promise<unknown>,
  { addresses, programs, starts, mostAccounts }: Parts,
): Promise<number> {
  const anyMeta = fc.record({
    address: fc.constantFrom(...addresses),
    role: fc.constantFrom(
      AccountRole.READONLY,
      AccountRole.WRITABLE,
      AccountRole.READONLY_SIGNER,
      AccountRole.WRITABLE_SIGNER,
    ),
  });
  const anyInstruction: fc.Arbitrary<Instruction> = fc.record({
    programAddress: fc.oneof(fc.constantFrom(...addresses), fc.constantFrom(...programs)),
    accounts: fc.array(anyMeta, { maxLength: mostAccounts }),
    data: fc
      .tuple(fc.constantFrom(...starts, new Uint8Array()), fc.uint8Array({ maxLength: 40 }))
      .map(([start, rest]) => Uint8Array.from([...start, ...rest])),
  });
  const sets = fc.sample(fc.array(anyInstruction, { minLength: 1, maxLength: 4 }), {
    numRuns: SETS,
    seed: 20261121,
  });
  let signed = 0;
  for (const instructions of sets) {
    try {
      await sign(instructions);
      signed += 1;
    } catch (error) {
      if (!(error instanceof SigningRefusedError)) throw error;
    }
  }
  return signed;
}
