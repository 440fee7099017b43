import type { Address, Instruction } from "@solana/kit";
import { describe, expect, it } from "vitest";
import { addressBytes } from "../solana/encoding/address-codec.ts";
import type { BenchResult, ChainBench } from "../../test/chain-bench.ts";
import { explanationsFor, openTwinBench } from "../../test/twin/twin-bench.ts";
import {
  instruction,
  readonly,
  signer,
  writable,
  writableSigner,
} from "../solana/encoding/instruction.ts";
import {
  associatedTokenAddress,
  createAssociatedTokenIdempotent,
} from "../solana/programs/associated-token.ts";
import { setComputeUnitLimit, setComputeUnitPrice } from "../solana/programs/compute-budget.ts";
import { SYSTEM_PROGRAM, transferLamports } from "../solana/programs/system.ts";
import { closeTokenAccount, TOKEN_PROGRAM, transferChecked } from "../solana/programs/token.ts";
import { practiceKeyPair } from "./sign-transaction.ts";
import { rentExemptMinimum } from "./runtime/account-state.ts";
import { u64Bytes } from "./runtime/bytes.ts";
import { concatBytes } from "../solana/encoding/pda.ts";

const alice = practiceKeyPair("alice");
const bob = practiceKeyPair("bob");
const mint = practiceKeyPair("mint");
const fresh = practiceKeyPair("fresh");
const aliceTokens = associatedTokenAddress(alice.address, mint.address);
const bobTokens = associatedTokenAddress(bob.address, mint.address);

const SOL = 1_000_000_000n;

interface Case {
  readonly name: string;
  readonly run: (bench: ChainBench) => Promise<BenchResult>;
  /** Expected error of the real runtime; both chains must return it. */
  readonly error: string | null;
}

function tokenInstruction(
  accounts: Parameters<typeof instruction>[1],
  ...parts: Uint8Array[]
): Instruction {
  return instruction(TOKEN_PROGRAM, accounts, concatBytes(parts));
}

function createAccount(
  accounts: { readonly payer: Address; readonly account: Address },
  args: { readonly lamports: bigint; readonly space: bigint; readonly owner: Address },
): Instruction {
  const { lamports, space, owner } = args;
  const parts = [
    Uint8Array.of(0, 0, 0, 0),
    u64Bytes(lamports),
    u64Bytes(space),
    addressBytes(owner),
  ];
  return instruction(
    SYSTEM_PROGRAM,
    [writableSigner(accounts.payer), writableSigner(accounts.account)],
    concatBytes(parts),
  );
}

const initializeMint = () =>
  tokenInstruction(
    [writable(mint.address)],
    Uint8Array.of(20, 6),
    addressBytes(alice.address),
    new Uint8Array(33),
  );

const mintTo = (account: Address, amount: bigint, authority = alice) =>
  tokenInstruction(
    [writable(mint.address), writable(account), signer(authority.address)],
    Uint8Array.of(7),
    u64Bytes(amount),
  );

const createTokens = (owner: Address, payer = alice) =>
  createAssociatedTokenIdempotent({ payer: payer.address, owner, mint: mint.address });

const createMintAccount = (rent = rentExemptMinimum(82)) =>
  createAccount(
    { payer: alice.address, account: mint.address },
    { lamports: rent, space: 82n, owner: TOKEN_PROGRAM },
  );

const pay = (amount: bigint, decimals = 6, authority = alice) =>
  transferChecked(
    {
      source: aliceTokens,
      mint: mint.address,
      destination: bobTokens,
      authority: authority.address,
    },
    { amount, decimals },
  );

/** Gives Alice 1,000 tokens and Bob an empty account. */
async function withTokens(bench: ChainBench): Promise<void> {
  const made = await bench.send(
    [alice, mint],
    [
      createMintAccount(),
      initializeMint(),
      createTokens(alice.address),
      createTokens(bob.address),
      mintTo(aliceTokens, 1_000n),
    ],
  );
  expect(made.error).toBeNull();
}

const sol = (amount: bigint, to = bob.address) =>
  transferLamports({ from: alice.address, to }, amount);

const closing = (account: Address, authority = alice) =>
  closeTokenAccount({ account, destination: bob.address, authority: authority.address });

function afterTokens(name: string, error: string | null, ...instructions: Instruction[]): Case {
  return {
    name,
    error,
    async run(bench) {
      await withTokens(bench);
      return bench.send([alice], instructions);
    },
  };
}

const CASES: readonly Case[] = [
  { name: "transfer", error: null, run: (bench) => bench.send([alice], [sol(SOL)]) },
  {
    name: "transfer more than held",
    error: "Custom 1 at 0",
    run: (bench) => bench.send([alice], [sol(11n * SOL)]),
  },
  {
    name: "transfer below the rent minimum",
    error: "InsufficientFundsForRent",
    run: (bench) => bench.send([alice], [sol(500_000n, fresh.address)]),
  },
  {
    name: "transfer exactly the rent minimum",
    error: null,
    run: (bench) => bench.send([alice], [sol(890_880n, fresh.address)]),
  },
  {
    name: "leave less than the rent minimum",
    error: "InsufficientFundsForRent",
    run: (bench) => bench.send([alice], [sol(10n * SOL - 5_000n - 1_000n)]),
  },
  {
    name: "leave exactly nothing",
    error: null,
    run: (bench) => bench.send([alice], [sol(10n * SOL - 5_000n)]),
  },
  {
    name: "undo the first instruction when the second fails",
    error: "Custom 1 at 1",
    run: (bench) => bench.send([alice], [sol(SOL), sol(11n * SOL)]),
  },
  {
    name: "pay a priority fee",
    error: null,
    run: (bench) =>
      bench.send([alice], [setComputeUnitLimit(300_000), setComputeUnitPrice(5_000n), sol(SOL)]),
  },
  {
    name: "pay for a second signature",
    error: null,
    run: (bench) =>
      bench.send(
        [alice, fresh],
        [
          createAccount(
            { payer: alice.address, account: fresh.address },
            { lamports: rentExemptMinimum(10), space: 10n, owner: TOKEN_PROGRAM },
          ),
        ],
      ),
  },
  {
    name: "create an account twice",
    error: "Custom 0 at 1",
    run: (bench) => bench.send([alice, mint], [createMintAccount(), createMintAccount()]),
  },
  {
    name: "create an account with too little rent",
    error: "InsufficientFundsForRent",
    run: (bench) => bench.send([alice, mint], [createMintAccount(1_000_000n)]),
  },
  {
    name: "use a payer without money",
    error: "AccountNotFound",
    run: (bench) =>
      bench.send([fresh], [transferLamports({ from: fresh.address, to: bob.address }, 1n)]),
  },
  {
    name: "run out of compute units",
    error: "ComputationalBudgetExceeded at 1",
    run: async (bench) => {
      const result = await bench.send([alice], [setComputeUnitLimit(200), sol(SOL)]);
      return result;
    },
  },
  {
    name: "initialize a mint without rent",
    error: "Custom 0 at 1",
    run: (bench) => bench.send([alice, mint], [createMintAccount(890_880n), initializeMint()]),
  },
  {
    name: "initialize a mint twice",
    error: "Custom 6 at 2",
    run: (bench) =>
      bench.send([alice, mint], [createMintAccount(), initializeMint(), initializeMint()]),
  },
  afterTokens("transfer tokens", null, pay(400n)),
  afterTokens("transfer more tokens than held", "Custom 1 at 0", pay(1_001n)),
  afterTokens("transfer with wrong decimals", "Custom 18 at 0", pay(1n, 9)),
  afterTokens("transfer to oneself", null, {
    ...transferChecked(
      {
        source: aliceTokens,
        mint: mint.address,
        destination: aliceTokens,
        authority: alice.address,
      },
      { amount: 400n, decimals: 6 },
    ),
  }),
  {
    name: "transfer with a stranger's signature",
    error: "Custom 4 at 0",
    async run(bench) {
      await withTokens(bench);
      return bench.send([bob], [pay(1n, 6, bob)]);
    },
  },
  {
    name: "transfer to an account that does not exist",
    error: "InvalidAccountData at 0",
    async run(bench) {
      await withTokens(bench);
      const nowhere = associatedTokenAddress(fresh.address, mint.address);
      const accounts = {
        source: aliceTokens,
        mint: mint.address,
        destination: nowhere,
        authority: alice.address,
      };
      return bench.send([alice], [transferChecked(accounts, { amount: 1n, decimals: 6 })]);
    },
  },
  {
    name: "mint without the authority",
    error: "Custom 4 at 0",
    async run(bench) {
      await withTokens(bench);
      return bench.send([bob], [mintTo(bobTokens, 1n, bob)]);
    },
  },
  afterTokens("close an account that holds tokens", "Custom 11 at 0", closing(aliceTokens)),
  afterTokens("empty and close an account", null, pay(1_000n), closing(aliceTokens)),
  afterTokens(
    "close and use again",
    "InvalidAccountData at 2",
    pay(1_000n),
    closing(aliceTokens),
    pay(0n),
  ),
  afterTokens("create an associated account again", null, createTokens(bob.address)),
  afterTokens(
    "create an associated account at a wrong address",
    "InvalidSeeds at 0",
    instruction(
      createTokens(alice.address).programAddress,
      [
        writableSigner(alice.address),
        writable(bobTokens),
        readonly(alice.address),
        readonly(mint.address),
        readonly(SYSTEM_PROGRAM),
        readonly(TOKEN_PROGRAM),
      ],
      [1],
    ),
  ),
  afterTokens("create an associated account not idempotently when it exists", "IllegalOwner at 0", {
    ...createTokens(bob.address),
    data: Uint8Array.of(0),
  }),
  {
    name: "top up a derived account somebody sent lamports to",
    error: null,
    async run(bench) {
      const made = await bench.send([alice, mint], [createMintAccount(), initializeMint()]);
      expect(made.error).toBeNull();
      return bench.send([alice], [sol(1_000_000n, bobTokens), createTokens(bob.address)]);
    },
  },
];

async function runCase({ run }: Case, explanations: ReturnType<typeof explanationsFor>) {
  const twins = await openTwinBench({}, explanations);
  await twins.give(alice.address, 10n * SOL);
  await twins.give(bob.address, SOL);
  return { twins, result: await run(twins) };
}

describe("System, Token and Associated Token", () => {
  it.each(CASES)("$name: equals the real runtime", async (each) => {
    const { twins, result } = await runCase(each, explanationsFor("native"));
    expect(result.error, result.logs.join("\n")).toBe(each.error);
    expect(twins.unexplained.join("\n")).toBe("");
  });

  it("needs every difference that its table lists", async () => {
    const explanations = explanationsFor("native");
    for (const each of CASES) await runCase(each, explanations);
    expect(explanations.idle()).toEqual([]);
  });
});
