import { describe, expect, it } from "vitest";
import { openJupiterFixture, type JupiterFixture } from "../../../test/jupiter-fixture.ts";
import { fundVenueAccount, runStep } from "../../../test/venue-conformance.ts";
import { setComputeUnitLimit, setComputeUnitPrice } from "../../solana/programs/compute-budget.ts";
import { spendingLimitCodec } from "../../solana/programs/squads-accounts.ts";
import { squadsArguments, vaultLife } from "../../solana/programs/squads.ts";
import { compileTransaction, roomOf, TRANSACTION_SIZE_LIMIT } from "../../solana/transaction.ts";
import type { PlanStep } from "../plan-step.ts";
import type { VenueAccount } from "../venue.ts";
import { assetOf } from "./instance.ts";
import { addLimit, limitAddress, remainingOf } from "./spending-limits.ts";

const PRICE = 150_000_000n;

/**
 * Returns the size in bytes of a step as the owner signs it, including priority fee, compute limit and the vault's five
 * instructions.
 */
async function sizeOf({ chain, account }: JupiterFixture, step: PlanStep): Promise<number> {
  const inVault =
    step.asVault.length === 0
      ? []
      : vaultLife({
          multisig: account.multisig,
          transactionIndex: 1n,
          member: account.owner,
          vault: account.vault,
          rentCollector: account.owner,
          instructions: step.asVault,
        });
  return compileTransaction({
    feePayer: account.owner,
    lifetime: await chain.latestBlockhash(),
    instructions: [
      setComputeUnitLimit(step.computeUnitLimit),
      setComputeUnitPrice(5_000n),
      ...step.before,
      ...inVault,
      ...step.after,
    ],
  }).length;
}

const limitsOf = async ({ chain, venue, account }: JupiterFixture) => {
  const mints = [venue.instance.quote.mint, ...venue.instance.assets.map(({ mint }) => mint)];
  const { accounts } = await chain.accounts(mints.map((mint) => limitAddress(account, mint)));
  return accounts.flatMap((found, at) =>
    found === null || mints[at] === undefined ? [] : [spendingLimitCodec.decode(found.data)],
  );
};

const only = (steps: readonly PlanStep[]): PlanStep => {
  const [step, ...others] = steps;
  if (step === undefined || others.length > 0) throw new Error(`Expected one step`);
  return step;
};

describe("a transaction that an owner signs on the swap venue", () => {
  it("fits without a lookup table and, except the set-up, leaves room for a wallet's additions", async () => {
    const fixture = await openJupiterFixture();
    const { venue, account } = fixture;
    const setUp = only(await venue.planSetUp(account, "Agent"));
    const sizes: Record<string, number> = { setUp: await sizeOf(fixture, setUp) };
    await fundVenueAccount(fixture);
    await fixture.giveAsset(account.vault, 1_000_000_000n);
    const other: VenueAccount = { ...account, marketId: "BTC" };
    const [handOver, withdrawAll, removal] = await venue.planTearDown(account);
    const steps = {
      deposit: await venue.planDeposit(account, 1n),
      withdraw: await venue.planWithdraw(account, 1n),
      moveOut: await venue.planMoveOut?.(account),
      revoke: await venue.planRevoke(account),
      changeAsset: only(await venue.planSetUp(other, "Agent")),
      changeSize: only(await venue.planLimits(account, 2_000_000_000n)),
      handOver,
      withdrawAll,
      removal,
    };
    for (const [name, step] of Object.entries(steps)) {
      if (step === undefined) throw new Error(`No step ${name}`);
      sizes[name] = await sizeOf(fixture, step);
    }
    expect(sizes).toMatchInlineSnapshot(`
      {
        "changeAsset": 772,
        "changeSize": 708,
        "deposit": 877,
        "handOver": 834,
        "moveOut": 834,
        "removal": 854,
        "revoke": 348,
        "setUp": 994,
        "withdraw": 834,
        "withdrawAll": 834,
      }
    `);
    const { setUp: widest, ...others } = sizes;
    expect(widest).toBeLessThanOrEqual(TRANSACTION_SIZE_LIMIT);
    for (const size of Object.values(others)) expect(size).toBeLessThanOrEqual(roomOf(0, true));
  });

  it("allows the trading key to move 1,000 USDC a day, and as much of the asset, to itself alone", async () => {
    const fixture = await openJupiterFixture();
    const { venue, account } = fixture;
    await fixture.setPrice(PRICE);
    const step = only(await venue.planSetUp(account, "Agent"));
    expect(step.label).toBe("Let the trading key move at most 1000 USDC and 6.666666667 SOL a day");
    await runStep(fixture, step);
    expect(await limitsOf(fixture)).toMatchObject([
      {
        mint: venue.instance.quote.mint,
        amount: 1_000_000_000n,
        period: 1,
        members: [account.tradingKey],
        destinations: [account.tradingKey],
      },
      {
        mint: assetOf(venue.instance, "SOL").mint,
        amount: 6_666_666_667n,
        period: 1,
        members: [account.tradingKey],
        destinations: [account.tradingKey],
      },
    ]);
  });

  it("pays from the owner's wallet exactly what the step says", async () => {
    const fixture = await openJupiterFixture();
    const { chain, venue, account } = fixture;
    const lamports = async () =>
      (await chain.accounts([account.owner])).accounts[0]?.lamports ?? 0n;
    const step = only(await venue.planSetUp(account, "Agent"));
    const before = await lamports();
    await runStep(fixture, step);
    const fee = 5_000n;
    expect(before - (await lamports())).toBe((step.ownerRentLamports ?? 0n) + fee);
  });

  it("replaces the asset's limit with the new asset's in one transaction, and nothing else", async () => {
    const fixture = await openJupiterFixture();
    const { venue, account } = fixture;
    await fundVenueAccount(fixture);
    const other: VenueAccount = { ...account, marketId: "NVDAx" };
    await runStep(fixture, only(await venue.planSetUp(other, "Agent")));
    expect((await limitsOf(fixture)).map(({ mint }) => mint)).toEqual([
      venue.instance.quote.mint,
      assetOf(venue.instance, "NVDAx").mint,
    ]);
    expect(await venue.planSetUp(other, "Agent")).toEqual([]);
    expect(await venue.planSetUp(account, "Agent")).toHaveLength(1);
  });

  it("changes both sizes in one transaction, and keeps them through a later set-up", async () => {
    const fixture = await openJupiterFixture();
    const { venue, account } = fixture;
    await fundVenueAccount(fixture);
    await runStep(fixture, only(await venue.planLimits(account, 250_000_000n)));
    expect((await limitsOf(fixture)).map(({ amount }) => amount)).toEqual([
      250_000_000n,
      1_666_666_667n,
    ]);
    expect(await venue.planSetUp(account, "Agent")).toEqual([]);
  });

  it("gives a new trading key the limits of the old one", async () => {
    const fixture = await openJupiterFixture();
    const { venue, account } = fixture;
    await fundVenueAccount(fixture);
    const rotated: VenueAccount = { ...account, tradingKey: fixture.owner.address };
    expect((await venue.readCustody(rotated)).tradingKey).toBe(account.tradingKey);
    await runStep(fixture, only(await venue.planSetUp(rotated, "Agent")));
    for (const { members } of await limitsOf(fixture))
      expect(members).toEqual([rotated.tradingKey]);
  });

  it("leaves no key that may trade after a revocation", async () => {
    const fixture = await openJupiterFixture();
    const { venue, account } = fixture;
    await fundVenueAccount(fixture);
    await runStep(fixture, await venue.planRevoke(account));
    expect(await limitsOf(fixture)).toEqual([]);
    expect((await venue.readCustody(account)).tradingKey).toBeNull();
    expect((await venue.accountState(account)).freeCollateral).toBe(0n);
    expect((await venue.planRevoke(account)).before).toEqual([]);
    expect((await venue.accountState(account)).withdrawable).toBe(500_000_000n);
  });

  it.each([0n, 999_999n, 1_000_000_000_001n])("refuses a daily limit of %s", async (amount) => {
    const { venue, account } = await openJupiterFixture();
    await expect(venue.planLimits(account, amount)).rejects.toThrow(RangeError);
  });

  it("never creates a limit without a destination or an amount", async () => {
    const { account } = await openJupiterFixture();
    const { destinations, members } = spendingLimitArguments(account);
    expect(destinations).toEqual([account.tradingKey]);
    expect(members).toEqual([account.tradingKey]);
    expect(() => addLimit(account, account.owner, 0n)).toThrow(RangeError);
  });
});

function spendingLimitArguments(account: VenueAccount) {
  return squadsArguments.multisigAddSpendingLimit.decode(addLimit(account, account.owner, 1n).data);
}

describe("the rest of a limit", () => {
  const limit = {
    period: 1,
    amount: 100n,
    remainingAmount: 30n,
    lastReset: 1_000n,
  } as Parameters<typeof remainingOf>[0];

  it.each([
    [1_000n, 30n],
    [87_400n, 30n],
    [87_401n, 100n],
  ])("at %s is %s", (now, left) => expect(remainingOf(limit, now)).toBe(left));

  it("is zero without a limit", () => expect(remainingOf(null, 1_000n)).toBe(0n));
});
