import { expect } from "vitest";
import type { Instruction } from "@solana/kit";
import type { Approved, OrderIntent } from "../src/domain/order/order.ts";
import type { Chain, TransactionOutcome } from "../src/solana/chain.ts";
import { transferLamports } from "../src/solana/programs/system.ts";
import { transferChecked } from "../src/solana/programs/token.ts";
import type { Keypair } from "../src/solana/encoding/keys.ts";
import { signTransaction } from "../src/solana/signing.ts";
import { compileTransaction } from "../src/solana/transaction.ts";
import { quoteToken, tokenAccountOf } from "../src/venues/jupiter/instance.ts";
import { OrderRefusedError } from "../src/venues/placed-order.ts";
import type { PlanStep } from "../src/venues/plan-step.ts";
import { type JupiterFixture, openJupiterFixture } from "./jupiter-fixture.ts";
import { expectBookedHowever, type Reading } from "./memory-book.ts";
import { fundVenueAccount, runStep } from "./venue-conformance.ts";

/** One event in an agent's history on the swap venue; `part` is a percentage of the possible amount. */
export type SwapEvent =
  | { readonly kind: "deposit" | "withdraw" | "buy" | "sell"; readonly part: number }
  /** Action of the owner: sells everything, withdraws the asset unsold, sets another limit. */
  | { readonly kind: "owner sells" | "owner moves out" }
  | { readonly kind: "limits"; readonly dollars: number }
  /** An unrequested transfer to the agent's accounts. */
  | { readonly kind: "gift"; readonly what: "SOL" | "USDC" | "asset" | "asset to the key" }
  | { readonly kind: "price"; readonly percent: number }
  | { readonly kind: "wait"; readonly hours: number };

const START_PRICE = 150_000_000n;
const ONE_SOL = 1_000_000_000n;
const DOLLAR = 1_000_000n;
const FINAL_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Runs a history on the swap venue and expects its ledger to equal the chain in every order of reading; returns the events. */
export async function liveAndBookSwaps(
  events: readonly SwapEvent[],
  isTakenDown: boolean,
  reading: Reading,
): Promise<readonly string[]> {
  const fixture = await openJupiterFixture();
  const { venue, account, clock } = fixture;
  const done: string[] = [];
  await fundVenueAccount(fixture, 500n * DOLLAR);
  let price = START_PRICE;
  for (const event of events) {
    clock.advance(1_000);
    if (event.kind === "price") {
      price += (price * BigInt(event.percent)) / 100n;
      await fixture.setPrice(price);
    } else if (event.kind === "wait") clock.advance(event.hours * HOUR_MS);
    else if (await live(fixture, event, price)) done.push(event.kind);
  }
  for (let steps = isTakenDown ? await venue.planTearDown(account) : []; steps.length > 0;) {
    clock.advance(1_000);
    for (const step of steps) await runStep(fixture, step);
    steps = await venue.planTearDown(account);
    done.push("take down");
  }
  clock.advance(FINAL_MS);
  const nodeOf = nodesOf(fixture.chain);
  const landed = await everyOutcome(fixture);
  await expectBookedHowever({ venue, account, clock, opening: [], landed, nodeOf }, reading);
  return done;
}

/** Runs one event and returns whether it was done; the venue refuses impossible ones. */
async function live(
  fixture: JupiterFixture,
  event: Exclude<SwapEvent, { readonly kind: "price" | "wait" }>,
  price: bigint,
): Promise<boolean> {
  const { venue, account } = fixture;
  switch (event.kind) {
    case "deposit": {
      const wallet = await fixture.tokens(
        tokenAccountOf(account.owner, quoteToken(venue.instance)),
      );
      const amount = shareOf(wallet, event.part);
      return amount > 0n && runSteps(fixture, [await venue.planDeposit(account, amount)]);
    }
    case "withdraw": {
      const amount = shareOf((await venue.accountState(account)).withdrawable, event.part);
      return amount > 0n && runSteps(fixture, [await venue.planWithdraw(account, amount)]);
    }
    case "buy": {
      const { freeCollateral } = await venue.accountState(account);
      const baseSize = (shareOf(freeCollateral, event.part) * ONE_SOL) / price;
      return order(fixture, { baseSize, referencePrice: price });
    }
    case "sell": {
      const { positions } = await venue.accountState(account);
      const baseSize = shareOf(positions[0]?.baseSize ?? 0n, event.part);
      const closing = { side: "short", reduceOnly: true, signal: "CLOSE_LONG" } as const;
      return order(fixture, { ...closing, baseSize, referencePrice: price });
    }
    case "owner sells":
      return runSteps(fixture, [await venue.planClose(account)]);
    case "owner moves out":
      return runSteps(fixture, venue.planMoveOut ? [await venue.planMoveOut(account)] : []);
    case "limits":
      return runSteps(fixture, await venue.planLimits(account, BigInt(event.dollars) * DOLLAR));
    case "gift":
      return give(fixture, event.what);
  }
}

const shareOf = (amount: bigint, part: number): bigint => (amount * BigInt(part)) / 100n;

async function runSteps(fixture: JupiterFixture, steps: readonly PlanStep[]): Promise<boolean> {
  const due = steps.filter(
    ({ before, asVault, after }) => before.length + asVault.length + after.length > 0,
  );
  for (const step of due) await runStep(fixture, step);
  return due.length > 0;
}

async function order(fixture: JupiterFixture, changes: Partial<OrderIntent>): Promise<boolean> {
  const { chain, venue, account, tradingKey, market } = fixture;
  const intent = {
    orderId: "order",
    agentId: "agent",
    signal: "OPEN_LONG",
    market,
    side: "long",
    reduceOnly: false,
    slippageBps: 100,
    percentage: 100,
    ...changes,
  } as unknown as Approved<OrderIntent>;
  try {
    const { instructions } = await venue.buildOrder(account, intent);
    await send(chain, tradingKey, instructions);
    return true;
  } catch (error) {
    if (error instanceof OrderRefusedError) return false;
    throw error;
  }
}

/** Sends a gift: SOL from a stranger's key, tokens directly from the owner's wallet. */
async function give(
  { chain, venue, account, owner, tradingKey, tokens, giveAsset }: JupiterFixture,
  what: "SOL" | "USDC" | "asset" | "asset to the key",
): Promise<boolean> {
  if (what === "asset" || what === "asset to the key") {
    await giveAsset(what === "asset" ? account.vault : account.tradingKey, 5_000_000n);
    return true;
  }
  const quote = quoteToken(venue.instance);
  const source = tokenAccountOf(owner.address, quote);
  const amount = 3n * DOLLAR;
  if (what === "USDC" && (await tokens(source)) < amount) return false;
  const destination = tokenAccountOf(account.vault, quote);
  const authority = owner.address;
  const [giver, gift] =
    what === "SOL"
      ? [tradingKey, transferLamports({ from: tradingKey.address, to: account.vault }, 1_000_000n)]
      : [
          owner,
          transferChecked(
            { source, destination, mint: quote.mint, authority },
            { amount, decimals: quote.decimals },
          ),
        ];
  await send(chain, giver, [gift]);
  return true;
}

async function send(
  chain: Chain,
  payer: Keypair,
  instructions: readonly Instruction[],
): Promise<void> {
  const lifetime = await chain.latestBlockhash();
  const wire = compileTransaction({ feePayer: payer.address, lifetime, instructions });
  await chain.send(signTransaction(wire, payer));
}

/** Returns all transactions of the agent's accounts as the chain lists them, oldest first. */
async function everyOutcome({
  chain,
  venue,
  account,
}: JupiterFixture): Promise<readonly TransactionOutcome[]> {
  const addresses = venue.bookAddresses(account);
  const lists = await Promise.all(addresses.map((address) => chain.signaturesFor(address, 1_000)));
  const signatures = [...new Set(lists.flat())];
  const outcomes = await Promise.all(signatures.map((signature) => chain.transaction(signature)));
  const known = outcomes.filter((outcome) => outcome !== null);
  expect(known.length).toBe(signatures.length);
  return known.toSorted((one, other) => Number(one.slot - other.slot));
}

/** Returns a maker of nodes that know only the named transactions of the practice chain. */
function nodesOf(chain: Chain) {
  return (landed: readonly TransactionOutcome[]): Chain => {
    const known = new Set<string>(landed.map(({ signature }) => signature));
    const node: Chain = {
      ...chain,
      signaturesFor: async (...asked) =>
        (await chain.signaturesFor(...asked)).filter((signature) => known.has(signature)),
      withOneNode: (work) => work(node),
    };
    return node;
  };
}
