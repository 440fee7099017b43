import { AccountRole, type Address, type Instruction } from "@solana/kit";
import { describe, expect, it } from "vitest";
import { agentIdOf } from "../../../../test/ids.ts";
import {
  passingLedger,
  rulesSaying,
  theAgent,
  SOL_TERMS,
} from "../../../../test/passing-ledger.ts";
import { signSpoiltSets } from "../../../../test/random-instructions.ts";
import { verifyStrictly } from "../../../practice/practice-chain.ts";
import { instruction, readonly, signer, writable } from "../../../solana/encoding/instruction.ts";
import { keypairFromSeed } from "../../../solana/encoding/keys.ts";
import {
  COMPUTE_BUDGET_PROGRAM,
  setComputeUnitLimit,
  setComputeUnitPrice,
} from "../../../solana/programs/compute-budget.ts";
import { SYSTEM_PROGRAM, transferLamports } from "../../../solana/programs/system.ts";
import {
  closeTokenAccount,
  TOKEN_PROGRAM,
  transferChecked,
} from "../../../solana/programs/token.ts";
import { signatureOf, unsignedSigners } from "../../../solana/signing.ts";
import { ChainUnavailableError } from "../../../solana/chain.ts";
import { createDriftAllowList } from "../../../venues/drift/allow-list.ts";
import {
  driftArguments,
  MARKET_TYPE,
  ORDER_TYPE,
  type OrderParams,
} from "../../../venues/drift/instruction-arguments.ts";
import {
  auctionOrderParams,
  takeOrderParams,
  triggerOrderChange,
  triggerOrderParams,
} from "../../../venues/drift/order-params.ts";
import {
  deleteUser,
  deposit,
  updateUserDelegate,
  withdraw,
  cancelOrders,
  cancelOrdersByIds,
  fillPerpOrder,
  modifyOrderByUserId,
  placeAndTakePerpOrder,
  placePerpOrder,
  settlePnl,
} from "../../../venues/drift/instructions.ts";
import { derivePerpMarket, deriveSpotMarket } from "../../../venues/drift/pdas.ts";
import { DRIFT_V2_INSTANCE as instance } from "../../../venues/drift/instance.ts";
import type { VenueAccount } from "../../../venues/venue.ts";
import { createCustodyKeys } from "../account/custody-keys.ts";
import { SigningRefusedError, type SigningRequest } from "../account/trading-key-signer.ts";
import { createTradingKeySigner } from "./create-trading-key-signer.ts";
import { MAX_UNIT_PRICE_MICRO_LAMPORTS } from "../../../solana/compute-limit.ts";

/** Words of the limits for a market that moved. */
const TOO_FAR = "its price is too far from the market's";

const NOW_SECONDS = 1_764_000_000n;
const clock = { now: () => Number(NOW_SECONDS) * 1_000 };
const keys = createCustodyKeys(new Uint8Array(32).fill(7));
const allow = createDriftAllowList(instance, clock);
const network = "practice" as const;
/** The limits have tests of their own: here nothing but the allow-list refuses. */
const signerFor = (whose: VenueAccount) =>
  createTradingKeySigner({
    keys,
    ledger: passingLedger,
    agents: theAgent({ account: whose, network, rules: rulesSaying(allow), terms: SOL_TERMS }),
  });

const addressNamed = (n: number): Address => keypairFromSeed(new Uint8Array(32).fill(n)).address;
const owner = addressNamed(1);
const stranger = addressNamed(2);
const oracle = addressNamed(3);

const accountOf = (digit: string): VenueAccount => {
  const { multisig, vault, tradingKey } = keys.of(agentIdOf(digit));
  return { owner, multisig, vault, tradingKey: tradingKey.address, subAccountId: 0 };
};
const account = accountOf("a");
const { tradingKey, vault } = account;
const tradingKeys = signerFor(account);

const lifetime = {
  blockhash: stranger as unknown as SigningRequest["lifetime"]["blockhash"],
  lastValidBlockHeight: 150n,
  slot: 0n,
};
const sign = (instructions: readonly Instruction[], whose = account, agentId = agentIdOf("a")) =>
  signerFor(whose).sign({ agentId, purpose: "order", isUrgent: false, instructions, lifetime });

const markets = {
  oracles: [oracle],
  spotMarkets: [deriveSpotMarket(instance, 0)],
  perpMarkets: [derivePerpMarket(instance, 0)],
};
const user = { authority: vault, subAccountId: 0 };
const params = takeOrderParams({
  marketIndex: 0,
  side: "long",
  baseSize: 2_000_000_000n,
  price: 155_000_000n,
  reduceOnly: false,
});

const orderTerms = {
  marketIndex: 0,
  side: "long",
  baseSize: 2_000_000_000n,
  price: 156_000_000n,
  reduceOnly: false,
} as const;
const auction = {
  startPrice: 155_000_000n,
  endPrice: 155_500_000n,
  duration: 10,
  maxTs: NOW_SECONDS + 45n,
};
const waiting = auctionOrderParams(orderTerms, auction);

const budget = [setComputeUnitLimit(200_000), setComputeUnitPrice(5_000n)];
const order = placeAndTakePerpOrder(instance, user, tradingKey, params, markets);
const stopTerms = { ...orderTerms, side: "short", reduceOnly: true } as const;
const trigger = { userOrderId: 100, triggerPrice: 150_000_000n, triggersWhen: "below" } as const;
const stop = triggerOrderParams(stopTerms, trigger);
const moved = triggerOrderChange(stopTerms, trigger);
const templates: readonly [string, ReturnType<typeof instruction>][] = [
  ["placeAndTakePerpOrder", order],
  ["placePerpOrder", placePerpOrder(instance, user, tradingKey, waiting, markets)],
  ["a stop", placePerpOrder(instance, user, tradingKey, stop, markets)],
  ["its change", modifyOrderByUserId(instance, user, tradingKey, 100, moved, markets)],
  ["fillPerpOrder", fillPerpOrder(instance, user, tradingKey, 7, markets)],
  ["cancelOrders", cancelOrders(instance, user, tradingKey, markets)],
  ["cancelOrdersByIds", cancelOrdersByIds(instance, user, tradingKey, [7, 9], markets)],
  ["settlePnl", settlePnl(instance, user, tradingKey, 0, 0, markets)],
];

describe("the trading key's signer", () => {
  it.each(templates)("signs %s of its own account, paid by our fee payer", async (_, template) => {
    const signed = await sign([...budget, template]);
    expect(unsignedSigners(signed.transaction, verifyStrictly)).toEqual([]);
    expect(signatureOf(signed.transaction)).toBe(signed.signature);
    expect(signed.lastValidBlockHeight).toBe(150n);
  });

  it.each(templates)("refuses %s with any one account exchanged", async (_, template) => {
    const isFixed = (at: number) => at < template.accounts.length - 3;
    for (let at = 0; at < template.accounts.length; at += 1) {
      const accounts = template.accounts.map((meta, place) =>
        place === at ? { ...meta, address: stranger } : meta,
      );
      const isOracle = !isFixed(at) && template.accounts[at]?.address === oracle;
      const attempt = sign([...budget, { ...template, accounts }]);
      if (isOracle) await expect(attempt).resolves.toBeDefined();
      else await expect(attempt, `account ${at}`).rejects.toThrow(SigningRefusedError);
    }
  });

  it.each(templates)("refuses %s of another program or with other bytes", async (_, template) => {
    await expect(sign([...budget, { ...template, programAddress: stranger }])).rejects.toThrow(
      "the program is not the exchange",
    );
    for (let at = 0; at < 8; at += 1) {
      const data = Uint8Array.from(template.data);
      data[at] = (data[at] ?? 0) ^ 1;
      await expect(sign([...budget, { ...template, data }])).rejects.toThrow(SigningRefusedError);
    }
    const longer = Uint8Array.from([...template.data, 0]);
    await expect(sign([...budget, { ...template, data: longer }])).rejects.toThrow(
      SigningRefusedError,
    );
  });

  it.each<[string, Partial<OrderParams>]>([
    ["for spot", { marketType: MARKET_TYPE.spot }],
    ["for an unknown market", { marketIndex: 9 }],
    ["for nothing", { baseAssetAmount: 0n }],
    ["at any price", { price: 0n }],
    ["in no direction", { direction: 2 }],
    ["that rests", { bitFlags: 0 }],
    ["that waits for a taker", { orderType: ORDER_TYPE.limit, postOnly: 1 }],
    ["that follows the oracle", { orderType: ORDER_TYPE.oracle, oraclePriceOffset: 1 }],
    ["that waits for a price", { triggerPrice: 1n, triggerCondition: 1 }],
    ["in an auction", { auctionDuration: 10, auctionStartPrice: 1n, auctionEndPrice: 2n }],
  ])("refuses an order %s", async (_, change) => {
    const changed = { ...params, ...change };
    const taking = placeAndTakePerpOrder(instance, user, tradingKey, changed, markets);
    await expect(sign([...budget, taking])).rejects.toThrow(SigningRefusedError);
  });

  it.each<[string, Partial<OrderParams>]>([
    ["of another type", { orderType: ORDER_TYPE.limit }],
    ["that follows the oracle", { orderType: ORDER_TYPE.oracle, price: 0n }],
    ["for spot", { marketType: MARKET_TYPE.spot }],
    ["for an unknown market", { marketIndex: 9 }],
    ["for nothing", { baseAssetAmount: 0n }],
    ["at any price", { price: 0n }],
    ["without an auction", { auctionDuration: null, auctionStartPrice: null }],
    ["with half an auction", { auctionEndPrice: null }],
    ["whose auction has no length", { auctionDuration: 0 }],
    ["whose auction outlasts what the program makes", { auctionDuration: 181 }],
    ["whose auction passes its price", { auctionEndPrice: 156_000_001n }],
    ["whose auction runs backwards", { auctionStartPrice: 155_500_001n }],
    ["whose auction begins below nothing", { auctionStartPrice: -1n }],
    ["that never dies", { maxTs: null }],
    ["that is dead", { maxTs: NOW_SECONDS }],
    ["that lives too long", { maxTs: NOW_SECONDS + 46n }],
    ["that waits for a taker", { postOnly: 1 }],
    ["with a name", { userOrderId: 1 }],
    ["that waits for a price", { triggerPrice: 1n, triggerCondition: 1 }],
  ])("refuses a resting order %s", async (_, change) => {
    const resting = placePerpOrder(instance, user, tradingKey, { ...waiting, ...change }, markets);
    await expect(sign([...budget, resting])).rejects.toThrow(SigningRefusedError);
  });

  it("signs only falling auctions for a short", async () => {
    const falling = { ...auction, startPrice: 157_000_000n, endPrice: 156_500_000n };
    const place = (with_: typeof auction) =>
      placePerpOrder(
        instance,
        user,
        tradingKey,
        auctionOrderParams({ ...orderTerms, side: "short" }, with_),
        markets,
      );
    await expect(sign([...budget, place(falling)])).resolves.toBeDefined();
    const rising = { ...falling, startPrice: 156_100_000n };
    await expect(sign([...budget, place(rising)])).rejects.toThrow("short auction");
    const beyond = { ...falling, endPrice: 155_999_999n };
    await expect(sign([...budget, place(beyond)])).rejects.toThrow("short auction");
  });

  it("fills only the account's own order, by its number, with its own user", async () => {
    const other = { authority: accountOf("b").vault, subAccountId: 0 };
    const theirs = fillPerpOrder(instance, other, tradingKey, 7, markets);
    await expect(sign([...budget, theirs])).rejects.toThrow("not the agent's");
    const own = fillPerpOrder(instance, user, tradingKey, 7, markets);
    const mixed = [...own.accounts];
    mixed.splice(4, 2, ...theirs.accounts.slice(4, 6));
    await expect(sign([...budget, { ...own, accounts: mixed }])).rejects.toThrow("not the agent's");
    for (const named of [
      { orderId: null, makerOrderId: null },
      { orderId: 7, makerOrderId: 1 },
    ]) {
      const data = driftArguments.fillPerpOrder.encode(named);
      await expect(sign([...budget, { ...own, data }])).rejects.toThrow(
        "does not name the order it fills",
      );
    }
  });

  it("refuses settling a market that is not traded here", async () => {
    await expect(sign([settlePnl(instance, user, tradingKey, 9, 0, markets)])).rejects.toThrow(
      SigningRefusedError,
    );
  });

  it("refuses a maker of the caller's choice", async () => {
    const accounts = [...order.accounts, writable(stranger), writable(addressNamed(4))];
    await expect(sign([...budget, { ...order, accounts }])).rejects.toThrow(
      "an account is writable that is no market",
    );
  });

  const move = { spotMarketIndex: 0, tokenAccount: stranger, amount: 1n, markets };
  const forbidden: readonly [string, Instruction][] = [
    ["a withdrawal", withdraw(instance, { authority: tradingKey, subAccountId: 0 }, move)],
    ["a deposit", deposit(instance, { authority: tradingKey, subAccountId: 0 }, move)],
    [
      "another delegate",
      updateUserDelegate(instance, { ...user, authority: tradingKey }, stranger),
    ],
    ["deleting the account", deleteUser(instance, { ...user, authority: tradingKey })],
    ["a transfer of SOL", transferLamports({ from: tradingKey, to: stranger }, 1n)],
    [
      "a transfer of the fee payer's SOL",
      transferLamports({ from: tradingKeys.feePayer, to: stranger }, 1n),
    ],
    [
      "a token transfer",
      transferChecked(
        { source: oracle, mint: stranger, destination: stranger, authority: tradingKey },
        { amount: 1n, decimals: 6 },
      ),
    ],
    [
      "closing a token account",
      closeTokenAccount({ account: oracle, destination: stranger, authority: tradingKey }),
    ],
    [
      "setting an authority",
      instruction(TOKEN_PROGRAM, [writable(oracle), signer(tradingKey)], [6]),
    ],
    ["an unknown program", instruction(stranger, [signer(tradingKey)], [1])],
    [
      "a durable nonce",
      instruction(
        SYSTEM_PROGRAM,
        [writable(stranger), readonly(oracle), signer(tradingKey)],
        [4, 0, 0, 0],
      ),
    ],
  ];

  it.each(forbidden)("refuses %s, alone or beside an order", async (_, extra) => {
    await expect(sign([...budget, extra])).rejects.toThrow(SigningRefusedError);
    await expect(sign([...budget, order, extra])).rejects.toThrow(SigningRefusedError);
    await expect(sign([extra, order])).rejects.toThrow(SigningRefusedError);
  });

  it("refuses a priority fee or compute limit above its cap or set twice", async () => {
    const dear = setComputeUnitPrice(MAX_UNIT_PRICE_MICRO_LAMPORTS + 1n);
    await expect(sign([dear, order])).rejects.toThrow("priority fee");
    await expect(sign([setComputeUnitLimit(1_400_001), order])).rejects.toThrow("compute limit");
    await expect(sign([...budget, ...budget, order])).rejects.toThrow("set twice");
    const heap = instruction(COMPUTE_BUDGET_PROGRAM, [], [1, 0, 0, 4, 0]);
    await expect(sign([heap, order])).rejects.toThrow("unknown kind");
  });

  it("refuses an account that is not this agent's, whatever the caller claims", async () => {
    const other = accountOf("b");
    const theirs = placeAndTakePerpOrder(
      instance,
      { authority: other.vault, subAccountId: 0 },
      tradingKey,
      params,
      markets,
    );
    await expect(sign([theirs], other)).rejects.toThrow("not this agent's");
    await expect(sign([theirs], { ...account, vault: other.vault })).rejects.toThrow(
      "not this agent's",
    );
    await expect(sign([theirs])).rejects.toThrow("not the agent's");
  });

  it("refuses accounts hidden in a lookup table", async () => {
    const hidden = {
      ...order,
      accounts: [
        ...order.accounts.slice(0, -1),
        {
          address: stranger,
          role: AccountRole.WRITABLE,
          lookupTableAddress: oracle,
          addressIndex: 0,
        },
      ],
    };
    await expect(sign([...budget, hidden])).rejects.toThrow(SigningRefusedError);
  });

  it("signs every valid set, and none of 10,000 that differ from a valid one in one to three places", async () => {
    const own = templates.flatMap(([, { accounts }]) => accounts.map((meta) => meta.address));
    const signed = await signSpoiltSets(sign, {
      budget,
      valid: templates.map(([, template]) => [template]),
      addresses: [...new Set([owner, stranger, instance.programId, SYSTEM_PROGRAM, ...own])],
      free: Object.values(markets).flat(),
      forbidden: forbidden.map(([, each]) => each),
    });
    expect(signed).toEqual({ asTheyAre: templates.length, spoilt: [] });
  });
});

describe("the signer's own checks, behind an allow-list that allows everything", () => {
  const allowingAll = createTradingKeySigner({
    keys,
    ledger: passingLedger,
    agents: theAgent({ account, network, rules: rulesSaying(() => null), terms: SOL_TERMS }),
  });
  const refusalOf = (...instructions: readonly Instruction[]) =>
    allowingAll
      .sign({ agentId: agentIdOf("a"), purpose: "order", isUrgent: false, instructions, lifetime })
      .then(
        () => null,
        (error: unknown) => (error as Error).message,
      );
  const doing = (data: number[], ...accounts: Parameters<typeof instruction>[1][number][]) =>
    instruction(SYSTEM_PROGRAM, accounts, Uint8Array.from(data));

  it("accept what is none of the following", async () => {
    expect(await refusalOf(doing([2], signer(tradingKey)))).toBeNull();
  });

  it.each([
    ["names the fee payer", [doing([2], signer(tradingKey), readonly(keys.feePayer.address))]],
    ["someone else has to sign", [doing([2], signer(tradingKey), signer(stranger))]],
    ["the trading key has nothing to sign", [doing([2], writable(vault))]],
    ["a durable nonce", [doing([4, 0, 0, 0], signer(tradingKey))]],
    ["a durable nonce", [doing([4, 0, 0, 0], signer(tradingKey)), doing([2], signer(tradingKey))]],
    ["too few or too many", Array.from({ length: 7 }, () => doing([2], signer(tradingKey)))],
  ])("refuse: %s", async (reason, instructions) => {
    expect(await refusalOf(...instructions)).toContain(reason);
  });

  it("accept six instructions beside those of one compute budget", async () => {
    const six = Array.from({ length: 6 }, () => doing([2], signer(tradingKey)));
    expect(await refusalOf(...budget, ...six)).toBeNull();
  });

  const failing = (options: Partial<Parameters<typeof createTradingKeySigner>[0]>) =>
    createTradingKeySigner({
      keys,
      ledger: passingLedger,
      agents: theAgent({
        account,
        network,
        rules: rulesSaying(() => null, TOO_FAR),
        terms: SOL_TERMS,
      }),
      ...options,
    }).sign({
      agentId: agentIdOf("a"),
      purpose: "order",
      isUrgent: false,
      instructions: [doing([2], signer(tradingKey))],
      lifetime,
      tables: [stranger],
    });

  it("sign nothing for an agent that does not exist", async () => {
    await expect(failing({ agents: theAgent(null) })).rejects.toThrow(
      new SigningRefusedError("Nothing is signed for this agent"),
    );
  });

  it("report an unavailable chain, and refuse what cannot be read", async () => {
    const away = new ChainUnavailableError("No node answered");
    await expect(failing({ readTables: () => Promise.reject(away) })).rejects.toBe(away);
    const cause = new Error("no table");
    await expect(failing({ readTables: () => Promise.reject(cause) })).rejects.toMatchObject({
      message: "The transaction cannot be read",
      cause,
    });
    await expect(failing({})).rejects.toMatchObject({
      cause: new Error("Lookup tables are not read here"),
    });
  });

  it("distinguish a market move from a wrong order", async () => {
    const tables = { readTables: async () => ({}) };
    await expect(failing(tables)).rejects.toMatchObject({ kind: "moved" });
    const rules = rulesSaying(() => null, "wrong");
    const wrong = {
      ...tables,
      agents: theAgent({ account, network, rules, terms: SOL_TERMS }),
    } as const;
    await expect(failing(wrong)).rejects.toMatchObject({ kind: "refused" });
  });

  it("accept a transaction of the largest size, and none larger", async () => {
    const spaceOf = async (bytes: number) =>
      refusalOf(
        doing(
          Array.from({ length: bytes }, () => 2),
          signer(tradingKey),
        ),
      );
    const refusals = await Promise.all([600, 1_100].map(spaceOf));
    expect(refusals).toEqual([null, "The transaction is too large"]);
  });

  it("require an instruction besides the compute budget", async () => {
    expect(await refusalOf(...budget, doing([2], signer(tradingKey)))).toBeNull();
    expect(await refusalOf(...budget)).not.toBeNull();
  });
});
