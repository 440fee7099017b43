import type { Address, Instruction, Signature } from "@solana/kit";
import { expect } from "vitest";
import { findMarket } from "../../src/venues/profiles.ts";
import type { Approved, OrderIntent } from "../../src/domain/order/order.ts";
import type { Side } from "../../src/domain/position.ts";
import { rentExemptMinimum } from "../../src/practice/runtime/account-state.ts";
import type { Chain, TransactionOutcome } from "../../src/solana/chain.ts";
import { createDriftVenue } from "../../src/venues/drift/drift-venue.ts";
import { DRIFT_V2_INSTANCE as IDS } from "../../src/venues/drift/instance.ts";
import type { WantedProtective } from "../../src/venues/placed-order.ts";
import type { VenueAccount } from "../../src/venues/venue.ts";
import type { BenchResult } from "../chain-bench.ts";
import { tradingKey, owner } from "../squads-bench.ts";
import { type ExchangeBench, SOL_BASE, START_PRICE } from "./case.ts";

/** Account whose vault is the owner's own key; the exchange makes no difference between them. */
export const ownAccount: VenueAccount = {
  owner: owner.address,
  multisig: owner.address,
  vault: owner.address,
  tradingKey: tradingKey.address,
  subAccountId: 0,
};

const SOL_MARKET = findMarket("drift", "SOL-PERP");
if (SOL_MARKET === undefined) throw new Error("SOL-PERP is not a market");

/** Returns a chain that only reads accounts, and tells the rent, which is all the venue needs; every other call throws. */
function readingChain(bench: ExchangeBench): Chain {
  const chain: Pick<Chain, "accounts" | "minimumBalance"> = {
    minimumBalance: async (size) => rentExemptMinimum(size),
    async accounts(addresses: readonly Address[]) {
      const { slot } = await bench.time();
      const accounts = await Promise.all(
        addresses.map(async (address) => {
          const state = await bench.account(address);
          return state === null ? null : { address, ...state };
        }),
      );
      return { slot, accounts };
    },
  };
  return chain as Chain;
}

export interface WantedTrade {
  readonly side: Side;
  readonly baseSize?: bigint;
  readonly reduceOnly?: boolean;
  /** Set for an exit of a part. */
  readonly heldBase?: bigint;
  readonly price?: bigint;
  readonly slippageBps?: number;
  readonly protective?: WantedProtective;
}

/** Opens the venue on an exchange, with calls as the trading key and as the owner. */
export async function openVenue(bench: ExchangeBench, account: VenueAccount = ownAccount) {
  const start = await bench.time();
  const clock = { ms: Number(start.unixTime) * 1_000, now: () => clock.ms };
  const chain = readingChain(bench);
  const venue = createDriftVenue({ chain, instance: IDS, clock });
  const outcomeOf = async (result: BenchResult): Promise<TransactionOutcome> => {
    const custom = /^Custom (\d+) at (\d+)$/.exec(result.error ?? "");
    return {
      signature: "1" as Signature,
      slot: (await bench.time()).slot,
      blockTime: null,
      error:
        result.error === null
          ? null
          : {
              kind: "instruction",
              name: "Custom",
              code: Number(custom?.[1]),
              instructionIndex: Number(custom?.[2]),
            },
      logs: result.logs,
      feeLamports: 0n,
      lamportDeltas: new Map(),
      tokenDeltas: [],
    };
  };
  const land = async (
    instructions: readonly Instruction[],
    by: typeof tradingKey = tradingKey,
  ): Promise<TransactionOutcome> => outcomeOf(await bench.send([by], instructions));
  const build = (wanted: WantedTrade) =>
    venue.buildOrder(
      account,
      {
        orderId: "order",
        agentId: "agent",
        signal: "OPEN_LONG",
        market: SOL_MARKET,
        side: wanted.side,
        reduceOnly: wanted.reduceOnly ?? false,
        baseSize: wanted.baseSize ?? SOL_BASE,
        referencePrice: wanted.price ?? START_PRICE,
        slippageBps: wanted.slippageBps ?? 100,
        percentage: 100,
        ...(wanted.heldBase !== undefined && { heldBase: wanted.heldBase }),
      } as unknown as Approved<OrderIntent>,
      undefined,
      wanted.protective,
    );
  /** Plans the owner's close as the account is now; the owner's key, which stands for the vault, signs it. */
  async function prepareClose(): Promise<() => Promise<TransactionOutcome>> {
    const { asVault } = await venue.planClose(account);
    expect(asVault.length).toBeGreaterThan(0);
    return () => land(asVault, owner);
  }
  return {
    account,
    chain,
    venue,
    clock,
    land,
    build,
    prepareClose,
    trade: async (wanted: WantedTrade) =>
      venue.reportOrder(account, await land((await build(wanted)).instructions)),
    ownerCloses: async (): Promise<TransactionOutcome> => (await prepareClose())(),
    /** Advances slots while the price is posted in each. */
    async pass(slots: number, price = START_PRICE): Promise<void> {
      for (let slot = 0; slot < slots; slot += 1) bench.nextSlot();
      await bench.setPrice(price);
    },
    /** Advances the chain's time and the test's clock. */
    wait(seconds: number): void {
      clock.ms += seconds * 1_000;
      bench.advance(seconds);
    },
    base: async (): Promise<bigint> =>
      (await venue.accountState(account)).positions.reduce(
        (sum, { side, baseSize }) => sum + (side === "long" ? baseSize : -baseSize),
        0n,
      ),
  };
}
