import type { Instruction } from "@solana/kit";
import { beforeAll, describe, expect, it } from "vitest";
import { type JupiterFixture, openJupiterFixture } from "../../../test/jupiter-fixture.ts";
import { fundVenueAccount } from "../../../test/venue-conformance.ts";
import { writable } from "../../solana/encoding/instruction.ts";
import { keypairFromSeed } from "../../solana/encoding/keys.ts";
import { setComputeUnitLimit, setComputeUnitPrice } from "../../solana/programs/compute-budget.ts";
import { createAssociatedTokenIdempotent } from "../../solana/programs/associated-token.ts";
import { vaultLife, multisigAddSpendingLimit } from "../../solana/programs/squads.ts";
import { transferLamports } from "../../solana/programs/system.ts";
import { transferChecked } from "../../solana/programs/token.ts";
import { compileTransaction } from "../../solana/transaction.ts";
import {
  assetOf,
  JUPITER_PRACTICE_INSTANCE as instance,
  quoteToken,
  tokenAccountOf,
} from "./instance.ts";
import { readRoute, routeV2 } from "./route-instruction.ts";
import type { PlanStep } from "../plan-step.ts";
import { checkTransaction } from "../../client/custody/check/check-transaction.ts";
import type { CustodyIntent } from "../../domain/custody-intent.ts";
import { JUPITER_APPROVAL } from "./approval.ts";

const thief = keypairFromSeed(new Uint8Array(32).fill(9)).address;
const AMOUNT = 25_000_000n;
const quote = quoteToken(instance);
const sol = assetOf(instance, "SOL");

let fixture: JupiterFixture;
let fresh: JupiterFixture;

beforeAll(async () => {
  fresh = await openJupiterFixture();
  fixture = await openJupiterFixture();
  await fundVenueAccount(fixture);
  await fixture.giveAsset(fixture.account.vault, 1_000_000_000n);
});

const bytesOf = (instructions: readonly Instruction[]): Uint8Array =>
  compileTransaction({
    feePayer: fixture.account.owner,
    lifetime: {
      blockhash: thief as unknown as Parameters<
        typeof compileTransaction
      >[0]["lifetime"]["blockhash"],
      lastValidBlockHeight: 1n,
    },
    instructions: [setComputeUnitLimit(300_000), setComputeUnitPrice(5_000n), ...instructions],
  });

const inVault = (instructions: readonly Instruction[]): readonly Instruction[] => {
  const { multisig, owner, vault } = fixture.account;
  return vaultLife({
    multisig,
    transactionIndex: 1n,
    member: owner,
    vault,
    rentCollector: owner,
    instructions,
  });
};

const stepBytes = (step: PlanStep | undefined): Uint8Array => {
  if (step === undefined) throw new Error("There is no such step");
  const middle = step.asVault.length === 0 ? [] : inVault(step.asVault);
  return bytesOf([...step.before, ...middle, ...step.after]);
};

const check = (
  bytes: Uint8Array,
  intent: CustodyIntent,
  amount: bigint | null = null,
  moved: string | null = null,
) => {
  const { owner, multisig, vault } = fixture.account;
  const request = {
    intent,
    method: "signAndSend" as const,
    wallet: owner,
    multisig,
    vault,
    pinnedMultisig: multisig,
    market: "SOL",
    moved,
    tables: {},
    amount,
  };
  return checkTransaction(bytes, request, JUPITER_APPROVAL.on("practice"));
};

const fundingAlone = (): Uint8Array => {
  const { owner, vault } = fixture.account;
  const { mint } = quoteToken(instance);
  const opened = (payer: typeof vault) =>
    createAssociatedTokenIdempotent({ payer, owner: vault, mint });
  const funding = transferLamports({ from: owner, to: vault }, 100_000_000n);
  return bytesOf([funding, opened(owner), ...inVault([opened(vault)])]);
};

describe("the approval of an owner's transaction on Jupiter", () => {
  it("recognises every step of the venue", async () => {
    const { venue, account } = fixture;
    const [handOver, withdrawAll, removal] = await venue.planTearDown(account);
    const cases: readonly [Uint8Array, CustodyIntent, bigint | null][] = [
      [stepBytes((await fresh.venue.planSetUp(fresh.account, "Agent"))[0]), "set-up", null],
      [fundingAlone(), "set-up", null],
      [stepBytes((await venue.planLimits(account, AMOUNT))[0]), "update-limits", null],
      [stepBytes(await venue.planDeposit(account, AMOUNT)), "deposit", AMOUNT],
      [stepBytes(await venue.planWithdraw(account, AMOUNT)), "withdraw", AMOUNT],
      [stepBytes(await venue.planClose(account)), "close-positions", null],
      [stepBytes(await venue.planMoveOut?.(account)), "move-assets", null],
      [stepBytes(await venue.planRevoke(account)), "revoke", null],
      [stepBytes(handOver), "delete", null],
      [stepBytes(withdrawAll), "delete", null],
      [stepBytes(removal), "delete", null],
    ];
    for (const [bytes, intent, amount] of cases) {
      expect(check(bytes, intent, amount), intent).toMatchObject({ kind: "matches" });
    }
  });

  it("shows the size of both limits and the key that may use them", async () => {
    const result = check(
      stepBytes((await fresh.venue.planSetUp(fresh.account, "Agent"))[0]),
      "set-up",
    );
    if (result.kind !== "matches") throw new Error(result.reason);
    const limits = result.summary.effects.filter(({ kind }) => kind === "spending-limit");
    expect(limits).toMatchObject([
      {
        tradingKey: fixture.account.tradingKey,
        text: "Lets the trading key move at most 1000 USDC a day",
      },
      { text: expect.stringMatching(/^Lets the trading key move at most [\d.]+ SOL a day$/) },
    ]);
  });

  it("accepts a limit only of the requested size and asset", async () => {
    const { venue, account } = fixture;
    const lowered = stepBytes((await venue.planLimits(account, AMOUNT))[0]);
    expect(check(lowered, "update-limits", AMOUNT).kind).toBe("matches");
    expect(check(lowered, "update-limits", AMOUNT - 1n)).toEqual({
      kind: "mismatch",
      reason: "The limit is not what you asked for.",
    });
    const raised = stepBytes((await venue.planLimits(account, instance.dailyLimit + 1n))[0]);
    for (const intent of ["update-limits", "set-up"] as const) {
      expect(check(raised, intent)).toEqual({
        kind: "mismatch",
        reason: "The trading key would be allowed more a day than a new agent is.",
      });
    }
    const elsewhere = stepBytes(
      (await venue.planSetUp({ ...account, marketId: "BTC" }, "Agent"))[0],
    );
    expect(check(elsewhere, "update-limits")).toEqual({
      kind: "mismatch",
      reason: "The trading key would be allowed another asset.",
    });
  });

  it("shows a closing as a sale into the vault, never as a transfer to the wallet", async () => {
    const { venue, account } = fixture;
    const step = await venue.planClose(account);
    const result = check(stepBytes(step), "close-positions");
    if (result.kind !== "matches") throw new Error(result.reason);
    expect(result.summary.effects.find(({ kind }) => kind === "sale")).toMatchObject({
      text: expect.stringMatching(/^Sells 1 SOL for at least 148\.\d+ USDC, into the vault$/),
      account: tokenAccountOf(account.vault, quote),
      worst: {
        asset: "SOL",
        side: "sell",
        price: expect.toSatisfy((price: bigint) => price > 148_000_000n && price < 149_000_000n),
      },
    });
    const moved = stepBytes(await venue.planMoveOut?.(account));
    expect(check(moved, "close-positions").kind).toBe("mismatch");
    expect(check(stepBytes({ ...step, asVault: [] }), "close-positions").kind).toBe("mismatch");
  });

  it("refuses a sale of another asset, to another receiver or without a minimum price", async () => {
    const { venue, account } = fixture;
    const step = await venue.planClose(account);
    const [swap, ...rest] = step.after;
    const route = swap === undefined ? null : readRoute(swap);
    if (route === null) throw new Error("A closing begins with its swap");
    const change = (accounts: Partial<typeof route>, figures: Partial<typeof route> = {}) =>
      check(
        stepBytes({
          ...step,
          after: [routeV2({ ...route, ...accounts }, { ...route, ...figures }), ...rest],
        }),
        "close-positions",
      );
    expect(change({}).kind).toBe("matches");
    const thiefQuote = tokenAccountOf(thief, quote);
    for (const changed of [
      change({ destination: thiefQuote }),
      change({ authority: account.vault }),
      change({ sourceMint: quote.mint }),
      change({ pools: [...route.pools, writable(tokenAccountOf(account.vault, sol))] }),
      change({}, { inAmount: route.inAmount - 1n }),
      change({}, { slippageBps: 101 }),
      change({}, { quotedOutAmount: 0n }),
    ]) {
      expect(changed.kind).toBe("mismatch");
    }
  });

  it("accepts a transfer of the requested asset", async () => {
    const { venue, account } = fixture;
    const bytes = stepBytes(await venue.planMoveOut?.(account, "SOL"));
    expect(check(bytes, "move-assets", null, "SOL").kind).toBe("matches");
    expect(check(bytes, "move-assets", null, "BTC")).toEqual({
      kind: "mismatch",
      reason: "Another token would move than the one you asked for.",
    });
  });

  it("shows the opening of an account once", async () => {
    const { venue, account } = fixture;
    const result = check(stepBytes(await venue.planDeposit(account, AMOUNT)), "deposit", AMOUNT);
    if (result.kind !== "matches") throw new Error(result.reason);
    expect(result.summary.effects.map(({ kind }) => kind)).toEqual([
      "create-token-account",
      "tokens",
    ]);
  });

  type Attack = readonly [
    name: string,
    intent: CustodyIntent,
    instructions: (fixture: JupiterFixture) => readonly Instruction[],
  ];
  const hostile: readonly Attack[] = [
    [
      "a deposit to a stranger",
      "deposit",
      ({ account: { owner } }) => [
        transferChecked(
          {
            source: tokenAccountOf(owner, quote),
            mint: quote.mint,
            destination: tokenAccountOf(thief, quote),
            authority: owner,
          },
          { amount: AMOUNT, decimals: 6 },
        ),
      ],
    ],
    [
      "a withdrawal to a stranger",
      "withdraw",
      ({ account: { vault } }) =>
        inVault([
          transferChecked(
            {
              source: tokenAccountOf(vault, quote),
              mint: quote.mint,
              destination: tokenAccountOf(thief, quote),
              authority: vault,
            },
            { amount: AMOUNT, decimals: 6 },
          ),
        ]),
    ],
    [
      "SOL to a stranger beside a set-up",
      "set-up",
      ({ account: { owner } }) => [transferLamports({ from: owner, to: thief }, 1n)],
    ],
    ...(
      [
        ["anybody", (tradingKey: typeof thief) => ({ members: [tradingKey], destinations: [] })],
        [
          "a stranger",
          (tradingKey: typeof thief) => ({ members: [tradingKey], destinations: [thief] }),
        ],
        [
          "two keys",
          (tradingKey: typeof thief) => ({
            members: [tradingKey, thief],
            destinations: [tradingKey],
          }),
        ],
      ] as const
    ).map(
      ([who, args]) =>
        [
          `a limit that lets ${who} have it`,
          "set-up",
          ({ account }: JupiterFixture) => [
            multisigAddSpendingLimit(
              {
                multisig: account.multisig,
                configAuthority: account.owner,
                rentPayer: account.owner,
              },
              {
                createKey: quote.mint,
                mint: quote.mint,
                amount: 1n,
                period: 1,
                ...args(account.tradingKey),
              },
            ),
          ],
        ] as const,
    ),
  ];

  it.each([...hostile])("refuses %s", (_, intent, instructionsOf) => {
    const bytes = bytesOf(instructionsOf(fixture));
    expect(check(bytes, intent, AMOUNT).kind).toBe("mismatch");
  });

  it("refuses another amount, another intent and another payer's bytes", async () => {
    const { venue, account } = fixture;
    const withdrawal = stepBytes(await venue.planWithdraw(account, AMOUNT));
    expect(check(withdrawal, "withdraw", AMOUNT - 1n).kind).toBe("mismatch");
    expect(check(withdrawal, "deposit", AMOUNT).kind).toBe("mismatch");
    expect(check(withdrawal, "revoke").kind).toBe("mismatch");
    const limits = stepBytes((await venue.planLimits(account, AMOUNT))[0]);
    expect(check(limits, "revoke").kind).toBe("mismatch");
    expect(check(limits, "deposit", AMOUNT).kind).toBe("mismatch");
  });
});
