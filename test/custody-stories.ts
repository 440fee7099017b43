import type { VenueId } from "../src/domain/venue-id.ts";
import type { CustodyWorld } from "./custody-world.ts";
import { passAuction } from "./auctions.ts";
import { openLong } from "./open-long.ts";

/** Transaction an owner signs in a custody life. */
export interface LifeStep {
  readonly name: string;
  /** Label of the landed transaction. */
  readonly label: string;
  readonly intent: Parameters<CustodyWorld["prepare"]>[0];
  readonly amount?: string | ((world: CustodyWorld) => Promise<string>);
  /** Prepares the agent for the step. */
  readonly before?: (world: CustodyWorld) => Promise<void>;
  /** True when the step only leads to the tested steps. */
  readonly isPassage?: true;
  /** True when landing twice is harmless, because the step sets an absolute value. */
  readonly isRepeatable?: true;
  /** True when the step is taken again where what it placed expired before the next step. */
  readonly isRenewed?: true;
}

/** Custody life of an agent, from creation to deletion. */
export interface LifeStory {
  readonly name: string;
  readonly venue: VenueId;
  readonly steps: readonly LifeStep[];
  /** Quote units that its trades lose to the market or exchange for the asset. */
  readonly tradedQuote: bigint;
  /** Slots of the exchange's auctions; absent: those of this run of the tests. */
  readonly auctionSlots?: number;
}

async function turnOff({ database, agentId }: CustodyWorld): Promise<void> {
  const off = database.db.updateTable("agents").set({ auto_trade: "off" });
  await off.where("id", "=", agentId).execute();
}

async function stopWithPosition(world: CustodyWorld): Promise<void> {
  await openLong(world);
  await turnOff(world);
}

async function everything({ custody, agentId }: CustodyWorld): Promise<string> {
  return (await custody.summariseAccess(agentId))?.venueQuote ?? "nothing";
}

const CREATION = {
  name: "creating the multisig",
  label: "Create the multisig and fund the vault (0.1 SOL)",
  intent: "set-up",
} as const;

const DELEGATION = {
  drift: {
    name: "giving the trading key its right",
    label: "Open the exchange account and name the trading key",
    intent: "set-up",
  },
  jupiter: {
    name: "giving the trading key its right",
    label: "Let the trading key move at most 1000 USDC and 6.451612904 SOL a day",
    intent: "set-up",
  },
} as const;

const deposit = (amount: string): LifeStep => ({
  name: "deposit",
  label: "Deposit USDC",
  intent: "deposit",
  amount,
});

const withdrawal = (amount: NonNullable<LifeStep["amount"]>): LifeStep => ({
  name: "withdrawal",
  label: "Withdraw USDC",
  intent: "withdraw",
  amount,
  before: turnOff,
});

const DELETION = {
  drift: [
    { name: "deletion, first step", label: "Delete the exchange account", intent: "delete" },
    { name: "deletion, last step", label: "Recover the vault's SOL", intent: "delete" },
  ],
  jupiter: [
    {
      name: "deletion, first step",
      label: "Remove the spending limits and close the token accounts",
      intent: "delete",
    },
    { name: "deletion, last step", label: "Recover the vault's SOL", intent: "delete" },
  ],
} as const;

const REVOCATION = {
  name: "revocation",
  label: "Revoke the trading key",
  intent: "revoke",
} as const;

const passing = (steps: readonly LifeStep[]): readonly LifeStep[] =>
  steps.map((step) => ({ ...step, isPassage: true }));

/** The life of an agent stopped with a position, which its owner closes by these steps. */
const stopped = (auctionSlots: number, closing: readonly LifeStep[]): LifeStory => ({
  name: `an agent stopped with a position, auctions of ${auctionSlots} slots`,
  venue: "drift",
  auctionSlots,
  steps: [
    ...passing([CREATION, DELEGATION.drift, deposit("900")]),
    ...closing,
    { name: "settling", label: "Settle PnL", intent: "close-positions" },
    REVOCATION,
    ...passing([withdrawal(everything), ...DELETION.drift]),
  ],
  // One asset bought and sold on a curve of a million, at an oracle price of 155. The spread shifts the curve by 125 of a
  // million, which moves its price by the square of that: 155.038752 and 154.961252. The order itself moves it by one of a
  // million against itself, 155 units, and the buyer pays a unit for rounding. Either fee is 0.035 %, rounded up
  tradedQuote: 155_038_908n + 54_264n - (154_961_097n - 54_237n),
});

/** All transactions an owner can be asked to sign, in lives in which each occurs. */
export const LIVES: readonly LifeStory[] = [
  {
    name: "an agent that never traded",
    venue: "drift",
    steps: [CREATION, DELEGATION.drift, deposit("100"), withdrawal("100"), ...DELETION.drift],
    tradedQuote: 0n,
  },
  stopped(0, [
    {
      name: "closing the positions",
      label: "Close positions",
      intent: "close-positions",
      before: stopWithPosition,
    },
  ]),
  stopped(10, [
    {
      name: "placing the closing orders",
      label: "Place the closing orders",
      intent: "close-positions",
      before: stopWithPosition,
      isRenewed: true,
    },
    {
      name: "filling the closing orders",
      label: "Fill the closing orders",
      intent: "close-positions",
      before: passAuction,
    },
  ]),
  {
    name: "an agent that never traded",
    venue: "jupiter",
    steps: [CREATION, DELEGATION.jupiter, deposit("100"), withdrawal("100"), ...DELETION.jupiter],
    tradedQuote: 0n,
  },
  {
    name: "an agent stopped with an asset",
    venue: "jupiter",
    steps: [
      ...passing([CREATION, DELEGATION.jupiter]),
      {
        name: "lowering the limits",
        label: "Let the trading key move at most 250 USDC and 1.612903226 SOL a day",
        intent: "update-limits",
        amount: "250",
        isRepeatable: true,
      },
      ...passing([deposit("900")]),
      {
        name: "taking the asset over",
        label: "Move SOL to your wallet",
        intent: "move-assets",
        before: stopWithPosition,
      },
      REVOCATION,
      ...passing([withdrawal(everything), ...DELETION.jupiter]),
    ],
    tradedQuote: 155_000_000n,
  },
  {
    name: "an agent whose asset is sold",
    venue: "jupiter",
    steps: [
      ...passing([CREATION, DELEGATION.jupiter, deposit("900")]),
      {
        name: "closing the position",
        label: "Sell SOL",
        intent: "close-positions",
        before: stopWithPosition,
      },
      ...passing([REVOCATION, withdrawal(everything), ...DELETION.jupiter]),
    ],
    // 155 USDC buy 999,500,249 lamports at half a thousandth above 155, sold at half a thousandth below: 154.845077
    tradedQuote: 155_000_000n - 154_845_077n,
  },
];

/** Returns the amount of a step in the current state. */
export async function amountOf(world: CustodyWorld, step: LifeStep): Promise<string | undefined> {
  return typeof step.amount === "function" ? step.amount(world) : step.amount;
}
