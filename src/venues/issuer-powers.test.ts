import { describe, expect, it } from "vitest";
import { openLiteBench } from "../../test/chain-bench.ts";
import { practiceKeyPair } from "../practice/sign-transaction.ts";
import { addressBytes } from "../solana/encoding/address-codec.ts";
import { instruction, writable } from "../solana/encoding/instruction.ts";
import { SYSTEM_PROGRAM } from "../solana/programs/system.ts";
import { TOKEN_2022_PROGRAM } from "../solana/programs/token.ts";
import { issuerPowersOf, readIssuedTokens } from "./issuer-powers.ts";
import { issuerSentence } from "./warnings.ts";
import type { IssuerPower } from "../domain/issuer-power.ts";

const payer = practiceKeyPair("payer");
const issuer = [...addressBytes(practiceKeyPair("issuer").address)];
const mint = practiceKeyPair("mint").address;
const nobody = [...addressBytes(SYSTEM_PROGRAM)];

/** Size of a mint with extensions before its first one. */
const HEAD = 166;

/** Initialisers of Token-2022 as bytes, each with the size of its extension. */
const EXTENSIONS = {
  take_back: { data: [35, ...issuer], size: 36 },
  hook: { data: [36, 0, ...issuer, ...nobody], size: 68 },
  pause: { data: [44, 0, ...issuer], size: 37 },
} as const;

/** Has the real Token-2022 program make a mint with these powers and returns its bytes. */
async function makeMint(powers: readonly IssuerPower[]): Promise<Uint8Array> {
  const bench = openLiteBench();
  await bench.give(payer.address, 1_000_000_000n);
  const extensions = powers.flatMap((power) =>
    power in EXTENSIONS ? [EXTENSIONS[power as keyof typeof EXTENSIONS]] : [],
  );
  const size = extensions.reduce((sum, each) => sum + each.size, HEAD);
  await bench.put(mint, {
    owner: TOKEN_2022_PROGRAM,
    lamports: 1_000_000_000n,
    data: new Uint8Array(extensions.length === 0 ? 82 : size),
    executable: false,
  });
  const freeze = powers.includes("freeze") ? [1, ...issuer] : [0];
  const calls = [...extensions.map(({ data }) => data), [20, 8, ...issuer, ...freeze]];
  const { error, logs } = await bench.send(
    [payer],
    calls.map((data) => instruction(TOKEN_2022_PROGRAM, [writable(mint)], Uint8Array.from(data))),
  );
  expect(error, logs.join("\n")).toBeNull();
  const account = await bench.account(mint);
  if (account === null) throw new Error("The mint was not made");
  return account.data;
}

describe("the powers of a token's issuer, on mints made by the real Token-2022 program", () => {
  it.each<[string, readonly IssuerPower[]]>([
    ["none", []],
    ["freezing alone", ["freeze"]],
    ["taking back alone", ["take_back"]],
    ["those of a tokenised stock", ["freeze", "take_back", "pause", "hook"]],
  ])("%s", async (_name, powers) => {
    expect(issuerPowersOf(await makeMint(powers))).toEqual(powers);
  });

  it("are read from the mint and described in one sentence; a token without any is not mentioned", async () => {
    const account = (data: Uint8Array) => ({
      address: mint,
      owner: TOKEN_2022_PROGRAM,
      lamports: 1n,
      executable: false,
      data,
    });
    const accounts = [
      account(await makeMint(["freeze", "take_back", "pause", "hook"])),
      account(await makeMint([])),
      null,
    ];
    const issued = await readIssuedTokens(
      { accounts: async () => ({ slot: 1n, accounts }) },
      ["AAPLx", "JUP", "GONE"].map((symbol) => ({ symbol, mint })),
    );
    expect(issued.map(issuerSentence)).toEqual([
      "The issuer of AAPLx can freeze it, take it back from any wallet, pause all transfers and run a program of its own at each transfer.",
    ]);
  });
});
