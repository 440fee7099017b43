import { type AccountMeta, type Address, getBase16Codec, type Instruction } from "@solana/kit";
import * as fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { type DriftFixture, openDriftFixture } from "../../../test/drift-fixture.ts";
import { connectRpc } from "../../../test/connect-rpc.ts";
import { startRpcServer } from "../../../test/rpc-server.ts";
import type { RpcNetworkOptions } from "../../solana/rpc-network.ts";
import vectors from "../../../test/vectors.json" with { type: "json" };
import { fundVenueAccount } from "../../../test/venue-conformance.ts";
import { batchedReads } from "../../solana/batched-reads.ts";
import { linkChain } from "../../solana/chain-links.ts";
import { type Chain, ChainUnavailableError } from "../../solana/chain.ts";
import { readonly, signer, writable } from "../../solana/encoding/instruction.ts";
import { keypairFromSeed } from "../../solana/encoding/keys.ts";
import type { SigningPurpose, SigningTerms } from "../order-signing.ts";
import { DRIFT_V2_INSTANCE as instance } from "./instance.ts";
import { userLayout } from "./layout-user.ts";
import { perpMarketLayout } from "./layout-perp-market.ts";
import { createDriftOrderLimits } from "./order-limits.ts";
import {
  derivePerpMarket,
  deriveSpotMarket,
  deriveSpotMarketVault,
  deriveState,
  deriveUser,
  deriveUserStats,
} from "./pdas.ts";

/** Free collateral of the account, and the price of SOL; every other market's is ten times that. */
const FREE = 500_000_000n;
const PRICE = 150_000_000n;
const ONE_SOL = 1_000_000_000n;

const stranger = keypairFromSeed(new Uint8Array(32).fill(9)).address;
const terms: SigningTerms = {
  marketId: "SOL-PERP",
  slippageBps: 50,
  leverage: 1,
  stop: null,
  tradingState: "active",
};

/** Places of an order's figures in the bytes of the exchange's own client, behind the discriminator. */
const AT = { direction: 10, size: 12, price: 20, market: 28, reduceOnly: 30 } as const;

interface Figures {
  readonly side?: "long" | "short";
  readonly size?: bigint;
  readonly price?: bigint;
  readonly market?: number;
  readonly reduceOnly?: boolean;
}

/** Bytes that the exchange's own client made. */
const goldenBytes = (name: keyof typeof vectors.drift): Uint8Array =>
  Uint8Array.from(getBase16Codec().encode(vectors.drift[name].data));

/** The same bytes of an order with other figures written at their places. */
function orderBytes(name: keyof typeof vectors.drift, figures: Figures): Uint8Array {
  const bytes = goldenBytes(name);
  const view = new DataView(bytes.buffer);
  const { side = "long", size = ONE_SOL, price = PRICE, market = 0, reduceOnly = false } = figures;
  view.setUint8(AT.direction, side === "long" ? 0 : 1);
  view.setBigUint64(AT.size, size, true);
  view.setBigUint64(AT.price, price, true);
  view.setUint16(AT.market, market, true);
  view.setUint8(AT.reduceOnly, reduceOnly ? 1 : 0);
  return bytes;
}

/** "fill_perp_order" of order 7, which the golden vectors leave out; its discriminator as Anchor makes it. */
const FILL_BYTES = Uint8Array.of(13, 188, 248, 103, 134, 217, 106, 240, 1, 7, 0, 0, 0, 0);

let fixture: DriftFixture;
let oracles: Record<number, Address>;

const state = deriveState(instance);
const spot = deriveSpotMarket(instance, 0);

async function oraclesOf(chain: Chain): Promise<Record<number, Address>> {
  const { accounts } = await chain.accounts([0, 1, 2].map((at) => derivePerpMarket(instance, at)));
  return accounts.map((account) => {
    if (account === null) throw new Error("The practice chain lacks a market");
    return perpMarketLayout.decode(account.data).amm.oracle;
  });
}

beforeAll(async () => {
  fixture = await openDriftFixture();
  await fundVenueAccount(fixture, FREE);
  oracles = await oraclesOf(fixture.chain);
});

/** Accounts of the agent's own that each kind of instruction begins with. */
function fixedOf(kind: Kind): readonly AccountMeta[] {
  const { vault, tradingKey } = fixture.account;
  const user = writable(deriveUser(instance, vault, 0));
  const stats = writable(deriveUserStats(instance, vault));
  const [exchange, key] = [readonly(state), signer(tradingKey)];
  switch (kind) {
    case "take":
      return [exchange, user, stats, key];
    case "fill":
      return [exchange, key, user, stats, user, stats];
    case "settle":
      return [exchange, user, key, readonly(deriveSpotMarketVault(instance, 0))];
    default:
      return [exchange, user, key];
  }
}

type Kind = "take" | "place" | "fill" | "cancel" | "cancel named" | "settle";

const NAMES = {
  take: "placeAndTakePerpOrder close long 2 SOL",
  place: "placePerpOrder short with auction",
  cancel: "cancelOrders",
  "cancel named": "cancelOrdersByIds 7 and 300",
  settle: "settlePnl SOL-PERP",
} as const;

function dataOf(kind: Kind, figures: Figures): Uint8Array {
  if (kind === "fill") return FILL_BYTES;
  return kind === "take" || kind === "place"
    ? orderBytes(NAMES[kind], figures)
    : goldenBytes(NAMES[kind]);
}

function make(kind: Kind, figures: Figures = {}): Required<Instruction> {
  const { market = 0 } = figures;
  const shown = [spot, derivePerpMarket(instance, market)].map(writable);
  return {
    programAddress: instance.programId,
    accounts: [...fixedOf(kind), readonly(oracles[market] ?? stranger), ...shown],
    data: dataOf(kind, figures),
  };
}

const limitsOver = (chain: Chain, shiftMs = 0) =>
  createDriftOrderLimits({
    chain,
    instance,
    clock: { now: () => fixture.clock.now() + shiftMs },
  });

interface Circumstances {
  readonly purpose?: SigningPurpose;
  readonly terms?: Partial<SigningTerms>;
  /** How much later than the chain's prices the signer looks, in milliseconds. */
  readonly shiftMs?: number;
}

const judge = async (
  instructions: readonly Required<Instruction>[],
  { purpose = "order", terms: other = {}, shiftMs = 0 }: Circumstances = {},
) =>
  (
    await limitsOver(fixture.chain, shiftMs)(fixture.account, instructions, purpose, {
      ...terms,
      ...other,
    })
  ).refusal;

const TOO_FAR = "its price is too far from the market's";
const TOO_LARGE = "it is larger than the account";
const STRANGE = "it names an account that is no market and no oracle";

describe.each(["take", "place"] as const)("an order that the signer lets through (%s)", (kind) => {
  const order = (figures: Figures = {}) => judge([make(kind, figures)]);

  it("costs at most the agent's slippage and half a percent for a market that moves", async () => {
    expect(await order({ price: 151_500_000n })).toBeNull();
    expect(await order({ price: 151_500_001n })).toBe(TOO_FAR);
    expect(await order({ side: "short", price: 148_500_000n })).toBeNull();
    expect(await order({ side: "short", price: 148_499_999n })).toBe(TOO_FAR);
    const wide = { terms: { slippageBps: 500 } };
    expect(await judge([make(kind, { price: 158_250_000n })], wide)).toBeNull();
    expect(await judge([make(kind, { price: 158_250_001n })], wide)).toBe(TOO_FAR);
  });

  it("reduces at no worse price than an exit's limit, whatever the agent's slippage", async () => {
    const exit = { side: "short", reduceOnly: true } as const;
    expect(await order({ ...exit, price: 134_250_000n })).toBeNull();
    expect(await order({ ...exit, price: 134_249_999n })).toBe(TOO_FAR);
    expect(await order({ ...exit, side: "long", price: 165_750_001n })).toBe(TOO_FAR);
  });

  it("has at most the account's value plus half a percent", async () => {
    expect(await order({ size: 3_350_000_000n })).toBeNull();
    expect(await order({ size: 3_350_000_001n })).toBe(TOO_LARGE);
    // A reducing order needs no money
    expect(await order({ size: 100n * ONE_SOL, side: "short", reduceOnly: true })).toBeNull();
  });

  it("is in the agent's market, unless it reduces", async () => {
    const btc = { market: 1, price: 10n * PRICE, size: ONE_SOL / 10n };
    expect(await order(btc)).toBe("it is not the agent's market");
    expect(await order({ ...btc, side: "short", reduceOnly: true })).toBeNull();
    const terms = { marketId: "BTC-PERP" };
    expect(await judge([make(kind, btc)], { terms })).toBeNull();
    const most = { ...btc, size: 335_000_000n };
    expect(await judge([make(kind, most)], { terms })).toBeNull();
    expect(await judge([make(kind, { ...most, size: 335_000_001n })], { terms })).toBe(TOO_LARGE);
    expect(await judge([make(kind)], { terms: { marketId: "DOGE-PERP" } })).toBe(
      "it is not the agent's market",
    );
    expect(await order({ market: 9 })).toBe("the market is not traded here");
  });

  it("only reduces while the agent may only reduce, and is refused under a halt", async () => {
    const exit = make(kind, { side: "short", reduceOnly: true });
    const reducing = { terms: { tradingState: "reducing" } } as const;
    expect(await judge([make(kind)], reducing)).toBe("the agent only reduces");
    expect(await judge([exit], reducing)).toBeNull();
    for (const made of [make(kind), exit]) {
      expect(await judge([made], { terms: { tradingState: "halted" } })).toBe("trading is halted");
    }
  });

  it("is checked against a price of the last half minute, or of the last five minutes if it reduces", async () => {
    const none = "there is no price to hold it against";
    const exit = make(kind, { side: "short", reduceOnly: true });
    const entry = make(kind);
    expect(await judge([entry], { shiftMs: 30_000 })).toBeNull();
    expect(await judge([entry], { shiftMs: 30_001 })).toBe(none);
    expect(await judge([exit], { shiftMs: 300_000 })).toBeNull();
    expect(await judge([exit], { shiftMs: 300_001 })).toBe(none);
  });

  it("is accepted exactly when price, size and state allow it, for any figures", async () => {
    const near = fc.bigInt({ min: 130_000_000n, max: 170_000_000n });
    const size = fc.bigInt({ min: 1n, max: 4n * ONE_SOL });
    const side = fc.constantFrom("long" as const, "short" as const);
    const slippage = fc.integer({ min: 1, max: 500 });
    await fc.assert(
      fc.asyncProperty(
        fc.record({ side, size, price: near, reduceOnly: fc.boolean() }),
        slippage,
        async (figures, slippageBps) => {
          const refusal = await judge([make(kind, figures)], { terms: { slippageBps } });
          const bound = BigInt(figures.reduceOnly ? 1_050 : slippageBps + 50);
          // What it loses at worst against the market, and what it is worth, without a division
          const worse = figures.side === "long" ? figures.price - PRICE : PRICE - figures.price;
          const isNear = worse * 10_000n <= bound * PRICE;
          const isAffordable = figures.size * PRICE * 10_000n <= FREE * 10_050n * ONE_SOL;
          const isAllowed = isNear && (figures.reduceOnly || isAffordable);
          expect(refusal === null).toBe(isAllowed);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe("what one signature does on the exchange", () => {
  const every: readonly (readonly [string, readonly Kind[], SigningPurpose])[] = [
    ["an order", ["take"], "order"],
    ["an order that waits", ["place"], "order"],
    ["an order after a cancellation", ["cancel", "take"], "order"],
    ["an order that waits after a cancellation", ["cancel", "place"], "order"],
    ["an order after cancelling named ones", ["cancel named", "take"], "order"],
    ["filling", ["fill"], "follow_up"],
    ["cancelling", ["cancel"], "follow_up"],
    ["cancelling named ones", ["cancel named"], "follow_up"],
    ["settling", ["settle"], "settlement"],
  ];

  it.each(every)("is %s", async (_, kinds, purpose) => {
    expect(
      await judge(
        kinds.map((kind) => make(kind)),
        { purpose },
      ),
    ).toBeNull();
  });

  it("is refused for another purpose", async () => {
    const words = {
      order: "it is more or something else than one order",
      follow_up: "it is more or something else than one follow-up",
      settlement: "it is more or something else than one settlement",
    } as const;
    for (const [, kinds, own] of every) {
      for (const purpose of ["order", "follow_up", "settlement"] as const) {
        if (purpose === own) continue;
        const made = kinds.map((kind) => make(kind));
        expect(await judge(made, { purpose })).toBe(words[purpose]);
      }
    }
  });

  const more: readonly (readonly Kind[])[] = [
    ["take", "take"],
    ["take", "place"],
    ["take", "cancel"],
    ["cancel", "cancel", "take"],
    ["cancel", "cancel named", "take"],
    ["cancel", "take", "take"],
    ["settle", "take"],
    ["fill", "take"],
    ["take", "settle"],
  ];

  it.each(more.map((kinds) => [kinds]))("is refused as %j", async (kinds) => {
    for (const purpose of ["order", "follow_up", "settlement"] as const) {
      const made = kinds.map((kind) => make(kind));
      expect(await judge(made, { purpose })).toContain("more or something else");
    }
    const twice = (["fill", "settle"] as const).map((kind) => [make(kind), make(kind)]);
    for (const made of twice) {
      expect(await judge(made, { purpose: "follow_up" })).toContain("more or something else");
      expect(await judge(made, { purpose: "settlement" })).toContain("more or something else");
    }
  });

  it("is refused when the bytes differ anywhere", async () => {
    const longer = (made: Required<Instruction>) => ({
      ...made,
      data: Uint8Array.from([...made.data, 0]),
    });
    for (const [, kinds, purpose] of every) {
      const made = kinds.map((kind) => longer(make(kind)));
      expect(await judge(made, { purpose })).toContain("more or something else");
    }
    expect(await judge([], { purpose: "order" })).toContain("more or something else");
  });
});

describe("the accounts passed to the exchange", () => {
  const purposes: Record<Kind, SigningPurpose> = {
    take: "order",
    place: "order",
    fill: "follow_up",
    cancel: "follow_up",
    "cancel named": "follow_up",
    settle: "settlement",
  };

  it.each(Object.keys(purposes) as Kind[])(
    "are markets and their oracles only (%s)",
    async (kind) => {
      const purpose = purposes[kind];
      const made = make(kind);
      const fixed = fixedOf(kind).length;
      for (let place = fixed; place <= made.accounts.length; place += 1) {
        const showing = (address: Address) => {
          const accounts = [...made.accounts];
          accounts.splice(place, 0, readonly(address));
          return judge([{ ...made, accounts }], { purpose });
        };
        expect(await showing(stranger), `a stranger's at ${place}`).toBe(STRANGE);
        expect(await showing(oracles[1] ?? stranger), `another oracle at ${place}`).toBeNull();
        expect(await showing(derivePerpMarket(instance, 2))).toBeNull();
        expect(await showing(spot)).toBeNull();
      }
    },
  );

  it("are read from the chain only while one of them is unknown", async () => {
    let reads = 0;
    const counted: Chain = {
      ...fixture.chain,
      accounts: (addresses) => ((reads += 1), fixture.chain.accounts(addresses)),
    };
    const limits = limitsOver(counted);
    const fill = () => limits(fixture.account, [make("fill")], "follow_up", terms);
    expect(await fill()).toEqual({ refusal: null, order: null });
    const first = reads;
    expect(first).toBeGreaterThan(0);
    expect(await fill()).toEqual({ refusal: null, order: null });
    expect(reads).toBe(first);
    const made = make("fill");
    const strange = { ...made, accounts: [...made.accounts, readonly(stranger)] };
    expect(await limits(fixture.account, [strange], "follow_up", terms)).toEqual({
      refusal: STRANGE,
    });
    expect(reads).toBeGreaterThan(first);
  });

  it("are judged by the agent's own account, never by another that a node returns", async () => {
    const user = deriveUser(instance, fixture.account.vault, 0);
    const answering = (change: (data: Uint8Array) => Uint8Array | null): Chain => ({
      ...fixture.chain,
      async accounts(addresses) {
        const answer = await fixture.chain.accounts(addresses);
        const accounts = answer.accounts.map((held) => {
          if (held === null || held.address !== user) return held;
          const data = change(held.data);
          return data === null ? null : { ...held, data };
        });
        return { ...answer, accounts };
      },
    });
    const other = answering((data) =>
      Uint8Array.from(userLayout.encode({ ...userLayout.decode(data), authority: stranger })),
    );
    await expect(
      limitsOver(other)(fixture.account, [make("take")], "order", terms),
    ).rejects.toThrow(ChainUnavailableError);
    const gone = answering(() => null);
    expect(await limitsOver(gone)(fixture.account, [make("take")], "order", terms)).toEqual({
      refusal: TOO_LARGE,
    });
  });
});

it("include a market's new oracle once the exchange uses it", async () => {
  const moving = await openDriftFixture();
  await fundVenueAccount(moving, FREE);
  const limits = createDriftOrderLimits({ chain: moving.chain, instance, clock: moving.clock });
  const [before] = Object.values(await oraclesOf(moving.chain));
  const fillShowing = (oracle: Address) => {
    const made = make("fill");
    const accounts = made.accounts.map((meta) =>
      meta.address === before ? readonly(oracle) : meta,
    );
    const limited = limits(moving.account, [{ ...made, accounts }], "follow_up", terms);
    return limited.then(({ refusal }) => refusal);
  };
  const after = keypairFromSeed(new Uint8Array(32).fill(40)).address;
  expect(await fillShowing(after)).toBe(STRANGE);
  await moving.moveOracle();
  // The reader finds that the oracle has changed and asks to be tried again
  await expect(fillShowing(after)).rejects.toThrow("has just changed");
  expect(await fillShowing(after)).toBeNull();
});

describe("an account on a node", () => {
  const user = () => deriveUser(instance, fixture.account.vault, 0);

  /** Returns how many requests for the account a node gets for one order. */
  async function countReads(figures: Figures, connection: Pick<RpcNetworkOptions, "sharing"> = {}) {
    const node = await startRpcServer(fixture.chain);
    try {
      const network = await connectRpc([node], fixture.chain, {
        clock: fixture.clock,
        ...connection,
      });
      const judged = limitsOver(network.chain);
      // The first reading also finds the exchange's markets
      await judged(fixture.account, [make("take", figures)], "order", terms);
      let reads = 0;
      node.behave({
        before(method, [addresses]) {
          if (method === "getMultipleAccounts" && (addresses as Address[]).includes(user()))
            reads += 1;
          return undefined;
        },
      });
      const { refusal } = await judged(fixture.account, [make("take", figures)], "order", terms);
      return { refusal, reads };
    } finally {
      await node.close();
    }
  }

  it("is read by two requests before an entry, as the signer connects, and by one before an exit", async () => {
    expect(await countReads({})).toEqual({ refusal: null, reads: 2 });
    expect(await countReads({ side: "short", reduceOnly: true })).toEqual({
      refusal: null,
      reads: 1,
    });
  });

  it("is read by two requests even by one chain whose requests are shared", async () => {
    const sharing = {
      budget: { take: async () => {}, limited() {} },
      endOfTick: () => new Promise<void>((resolve) => setImmediate(resolve)),
      wait: () => new Promise<never>(() => {}),
    };
    expect(await countReads({}, { sharing })).toEqual({ refusal: null, reads: 2 });
  });

  it("is read by two requests for all entries of one time, and by its own before an exit", async () => {
    const node = await startRpcServer(fixture.chain);
    try {
      const { chain } = await connectRpc([node], fixture.chain, { clock: fixture.clock });
      const endOfTick = () => new Promise<void>((resolve) => setImmediate(resolve));
      const readings = [
        linkChain(chain, batchedReads({ endOfTick })),
        linkChain(chain, batchedReads({ endOfTick })),
      ] as const;
      const { clock } = fixture;
      const limits = createDriftOrderLimits({ chain, readings, instance, clock });
      const judged = (figures: Figures = {}) =>
        limits(fixture.account, [make("take", figures)], "order", terms);
      await judged();
      node.calls.length = 0;
      const entries = await Promise.all([judged(), judged(), judged()]);
      expect(entries.map(({ refusal }) => refusal)).toEqual([null, null, null]);
      expect(node.calls).toHaveLength(2);
      const exit = { side: "short", reduceOnly: true } as const;
      await judged(exit);
      node.calls.length = 0;
      await Promise.all([judged(), judged(exit), judged(exit)]);
      expect(node.calls).toHaveLength(4);
    } finally {
      await node.close();
    }
  });
});
