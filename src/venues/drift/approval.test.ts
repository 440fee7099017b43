import { address, type Address, type Blockhash, type Instruction } from "@solana/kit";
import { describe, expect, it } from "vitest";
import { instruction, readonly, signer, writable } from "../../solana/encoding/instruction.ts";
import { keypairFromSeed } from "../../solana/encoding/keys.ts";
import {
  associatedTokenAddress,
  createAssociatedTokenIdempotent,
} from "../../solana/programs/associated-token.ts";
import { setComputeUnitLimit, setComputeUnitPrice } from "../../solana/programs/compute-budget.ts";
import {
  multisigCreateV2,
  vaultLife,
  deriveMultisig,
  deriveVault,
} from "../../solana/programs/squads.ts";
import { SYSTEM_PROGRAM, transferLamports } from "../../solana/programs/system.ts";
import { transferChecked } from "../../solana/programs/token.ts";
import { compileTransaction, compileV1Transaction } from "../../solana/transaction.ts";
import {
  deposit,
  initializeUser,
  initializeUserStats,
  ownMarginRatio,
  updateUserCustomMarginRatio,
  updateUserDelegate,
  updateUserName,
  withdraw,
  cancelOrders,
  fillPerpOrder,
  type MarketAccounts,
  placeAndTakePerpOrder,
  placePerpOrder,
} from "./instructions.ts";
import { type OrderParams, ORDER_TYPE } from "./instruction-arguments.ts";
import { auctionOrderParams, type OrderTerms, takeOrderParams } from "./order-params.ts";
import { derivePerpMarket, deriveSpotMarket, deriveUser, deriveUserStats } from "./pdas.ts";
import { DRIFT_V2_INSTANCE as instance } from "./instance.ts";
import type { ApprovalRequest } from "../venue-approval.ts";
import { checkTransaction } from "../../client/custody/check/check-transaction.ts";
import { DRIFT_APPROVAL } from "./approval.ts";

const keyOf = (seed: number) => keypairFromSeed(new Uint8Array(32).fill(seed)).address;
const wallet = keyOf(1);
const createKey = keyOf(2);
const tradingKey = keyOf(3);
const thief = keyOf(4);
const treasury = keyOf(5);
const multisig = deriveMultisig(createKey).address;
const vault = deriveVault(multisig).address;
const thiefMultisig = deriveMultisig(thief).address;
const thiefVault = deriveVault(thiefMultisig).address;
const { mint } = instance.quote;
const AMOUNT = 500_000_000n;
const terms = DRIFT_APPROVAL.on("mainnet");

const check = (bytes: Uint8Array, request: ApprovalRequest) =>
  checkTransaction(bytes, request, terms);

const budget = [setComputeUnitLimit(600_000), setComputeUnitPrice(5_000n)];
const walletTokens = associatedTokenAddress(wallet, mint);
const vaultTokens = associatedTokenAddress(vault, mint);
const markets = {
  oracles: [],
  spotMarkets: [deriveSpotMarket(instance, 0)],
  perpMarkets: [],
};
const user = { authority: vault, subAccountId: 0 };
const thiefUser = { authority: thiefVault, subAccountId: 0 };

const compile = (instructions: readonly Instruction[], feePayer: Address = wallet): Uint8Array =>
  compileTransaction({
    feePayer,
    lifetime: {
      blockhash: "5E9rRCLgieqMgY1vyKfvRNSGHf9ovvKakHmUG8PCFCSn" as Blockhash,
      lastValidBlockHeight: 150n,
    },
    instructions,
  });

const life = (
  instructions: readonly Instruction[],
  changes: Partial<Parameters<typeof vaultLife>[0]> = {},
) =>
  vaultLife({
    multisig,
    transactionIndex: 1n,
    member: wallet,
    vault,
    rentCollector: wallet,
    instructions,
    ...changes,
  });

const venueDeposit = (amount = AMOUNT, of = user, tokenAccount = vaultTokens) =>
  deposit(instance, of, { spotMarketIndex: 0, tokenAccount, amount, markets });

const move = (
  changes: { destination?: Address; amount?: bigint; mint?: Address; decimals?: number } = {},
) =>
  transferChecked(
    {
      source: walletTokens,
      mint: changes.mint ?? mint,
      destination: changes.destination ?? vaultTokens,
      authority: wallet,
    },
    { amount: changes.amount ?? AMOUNT, decimals: changes.decimals ?? 6 },
  );

const openTokens = (owner = vault) =>
  createAssociatedTokenIdempotent({ payer: wallet, owner, mint });

const createMultisig = (changes: Partial<Parameters<typeof multisigCreateV2>[1]> = {}) =>
  multisigCreateV2(
    { treasury, createKey, creator: wallet },
    {
      configAuthority: wallet,
      threshold: 1,
      members: [{ key: wallet, permissions: 7 }],
      rentCollector: wallet,
      ...changes,
    },
  );

const fund = (lamports = 100_000_000n, to = vault) =>
  transferLamports({ from: wallet, to }, lamports);

const delegation = (key = tradingKey) => [
  initializeUserStats(instance, vault),
  initializeUser(instance, user, "Agent ** SOL-1h"),
  updateUserCustomMarginRatio(instance, user, ownMarginRatio(1)),
  updateUserDelegate(instance, user, key),
];

const asked = (changes: Partial<ApprovalRequest> = {}): ApprovalRequest => ({
  intent: "deposit",
  method: "signAndSend",
  wallet,
  multisig,
  vault,
  pinnedMultisig: multisig,
  tables: {},
  amount: AMOUNT,
  market: "SOL-PERP",
  moved: null,
  ...changes,
});
const setUp = { intent: "set-up", amount: null, pinnedMultisig: null } as const;
const creation = { ...setUp, method: "sign" } as const;

const compileWide = (instructions: readonly Instruction[], priorityFeeLamports = 3_000n) =>
  compileV1Transaction({
    feePayer: wallet,
    lifetime: {
      blockhash: "5E9rRCLgieqMgY1vyKfvRNSGHf9ovvKakHmUG8PCFCSn" as Blockhash,
      lastValidBlockHeight: 150n,
    },
    instructions,
    computeUnitLimit: 600_000,
    priorityFeeLamports,
  });

describe("checkTransaction of version 1", () => {
  it("accepts a whole set-up in one transaction and adds the header's fee", () => {
    const bytes = compileWide([createMultisig(), fund(), ...life(delegation())]);
    expect(bytes.length).toBeGreaterThan(1_232);
    expect(check(bytes, asked(creation))).toMatchObject({
      kind: "matches",
      summary: { feeLamports: 13_000n },
    });
  });

  it.each<[string, Uint8Array, string]>([
    [
      "a fee nobody needs",
      compileWide([createMultisig(), fund()], 10_000_001n),
      "The network fee is far higher than this needs.",
    ],
    [
      "budget instructions beside its header",
      compileWide([...budget, createMultisig(), fund()]),
      "The transaction sets a fee option this page does not know.",
    ],
    [
      "more bytes than it may have",
      Uint8Array.from([...compileWide([createMultisig()]), ...new Uint8Array(4_096)]),
      "The prepared transaction is too large.",
    ],
    [
      "a delegation to another's exchange account",
      compileWide([
        createMultisig(),
        fund(),
        ...life([
          updateUserDelegate(instance, { authority: thiefVault, subAccountId: 0 }, tradingKey),
        ]),
      ]),
      "",
    ],
  ])("refuses %s", (_name, bytes, reason) => {
    expect(check(bytes, asked(creation))).toMatchObject({
      kind: "mismatch",
      reason: reason === "" ? expect.any(String) : reason,
    });
  });
});

describe("checkTransaction, matching requests", () => {
  it("accepts a deposit and says what it does", () => {
    const bytes = compile([...budget, openTokens(), move(), ...life([venueDeposit()])]);
    const result = check(bytes, asked());
    expect(result).toMatchObject({
      kind: "matches",
      summary: { feePayer: wallet, signers: [wallet], feeLamports: 8_000n },
    });
    expect(result.kind === "matches" && result.summary.effects).toMatchObject([
      { kind: "create-token-account", account: vaultTokens },
      { kind: "tokens", to: vaultTokens, amount: AMOUNT },
      { kind: "venue-deposit", amount: AMOUNT },
    ]);
  });

  it("accepts a deposit that gives the venue's account the agent's name, and shows it", () => {
    const naming = updateUserName(instance, user, "Agent ** BTC-4h");
    const bytes = compile([move(), ...life([venueDeposit(), naming])]);
    const result = check(bytes, asked());
    expect(result.kind === "matches" && result.summary.effects.at(-1)).toMatchObject({
      kind: "venue-name",
      text: 'Names the venue\'s trading account "Agent ** BTC-4h"',
    });
  });

  it("accepts creating the multisig and funding its vault", () => {
    const result = check(compile([...budget, createMultisig(), fund()]), asked(creation));
    expect(result).toMatchObject({ kind: "matches" });
  });

  it("accepts funding the vault alone, and names the account it opens once", () => {
    const again = createAssociatedTokenIdempotent({ payer: vault, owner: vault, mint });
    const bytes = compile([...budget, fund(), openTokens(), ...life([again])]);
    const result = check(bytes, asked(setUp));
    expect(result.kind === "matches" && result.summary.effects.map(({ kind }) => kind)).toEqual([
      "lamports",
      "create-token-account",
    ]);
  });

  it("accepts opening the venue account and naming the trading key", () => {
    const result = check(compile([...budget, ...life(delegation())]), asked(setUp));
    expect(result.kind === "matches" && result.summary.effects.at(-1)).toMatchObject({
      kind: "trading-key",
      tradingKey,
    });
  });

  it("accepts a withdrawal to the wallet", () => {
    const out = withdraw(instance, user, {
      spotMarketIndex: 0,
      tokenAccount: vaultTokens,
      amount: AMOUNT,
      reduceOnly: true,
      markets: { oracles: [], spotMarkets: [], perpMarkets: [] },
    });
    const home = transferChecked(
      { source: vaultTokens, mint, destination: walletTokens, authority: vault },
      { amount: AMOUNT, decimals: 6 },
    );
    const bytes = compile(life([out, home]));
    expect(check(bytes, asked({ intent: "withdraw" }))).toMatchObject({
      kind: "matches",
    });
  });
});

const perpMarkets = { ...markets, perpMarkets: [derivePerpMarket(instance, 0)] };
const closeTerms = {
  marketIndex: 0,
  side: "short",
  baseSize: 3_200_000_000n,
  price: 147_250_000n,
  reduceOnly: true,
} as const;
const auction = {
  startPrice: 155_000_000n,
  endPrice: 154_845_000n,
  duration: 10,
  maxTs: 1_764_000_045n,
};
const order = (changes: Partial<OrderParams> = {}, of = user) =>
  placePerpOrder(
    instance,
    of,
    of.authority,
    { ...auctionOrderParams(closeTerms, auction), ...changes },
    perpMarkets,
  );
const take = (changes: Partial<OrderParams> = {}) =>
  placeAndTakePerpOrder(
    instance,
    user,
    vault,
    { ...takeOrderParams(closeTerms), ...changes },
    perpMarkets,
  );
const takeWith = (terms: OrderTerms, named: MarketAccounts = perpMarkets) =>
  placeAndTakePerpOrder(instance, user, vault, takeOrderParams(terms), named);
const fill = (of = user) => fillPerpOrder(instance, of, of.authority, 7, perpMarkets);
const beside = (made: Instruction, further: Address, as = writable) => ({
  ...made,
  accounts: [...(made.accounts ?? []), as(further)],
});
const closes = { intent: "close-positions", amount: null } as const;

describe("checkTransaction, closing", () => {
  it.each([
    ["sale", take(), { side: "sell", price: 147_250_000n }],
    ["sale in an auction", order(), { side: "sell", price: 147_250_000n }],
    [
      "purchase",
      takeWith({ ...closeTerms, side: "long", price: 162_750_000n }),
      { side: "buy", price: 162_750_000n },
    ],
  ] as const)("reads the worst price of a %s from its bytes", (_, made, worst) => {
    const result = check(compile([...budget, ...life([made])]), asked(closes));
    expect(result).toMatchObject({
      kind: "matches",
      summary: { effects: [{ kind: "venue-close", worst: { asset: "SOL", ...worst } }] },
    });
  });

  const oracle = keyOf(11);
  it.each<[string, Partial<MarketAccounts>]>([
    ["its prices and markets", { oracles: [oracle, keyOf(12)] }],
    [
      "further markets the account holds something in",
      {
        oracles: [oracle],
        otherMarkets: [derivePerpMarket(instance, 77), deriveSpotMarket(instance, 19)],
      },
    ],
  ])("accepts an order that names %s", (_, changes) => {
    const made = takeWith(closeTerms, { ...perpMarkets, ...changes });
    expect(check(compile([...budget, ...life([made])]), asked(closes)).kind).toBe("matches");
  });

  const without = { ...perpMarkets, spotMarkets: [] };
  it.each<[string, Instruction]>([
    [
      "another token's market in place of the quote token's",
      takeWith(closeTerms, { ...perpMarkets, spotMarkets: [deriveSpotMarket(instance, 1)] }),
    ],
    [
      "a stranger's account as the quote token's market",
      takeWith(closeTerms, { ...perpMarkets, spotMarkets: [thief] }),
    ],
    ["an account that is only read after the markets", beside(take(), thief, readonly)],
    ["more prices than markets", takeWith(closeTerms, { ...without, oracles: [oracle, thief] })],
    [
      "a price account it could write",
      beside(takeWith(closeTerms, { ...without, perpMarkets: [] }), thief),
    ],
    ["a further account that signs", beside(take(), wallet, signer)],
    [
      "the account of somebody who takes the other side",
      beside(beside(take(), deriveUser(instance, thief, 0)), deriveUserStats(instance, thief)),
    ],
  ])("blocks an order that names %s", (_, made) => {
    expect(check(compile([...budget, ...life([made])]), asked(closes)).kind).toBe("mismatch");
  });

  it("blocks a cancellation, a deposit and a withdrawal that name an account of no market", () => {
    const away = { ...perpMarkets, spotMarkets: [thief] };
    const moved = { spotMarketIndex: 0, tokenAccount: vaultTokens, amount: AMOUNT, markets: away };
    const cancelled = cancelOrders(instance, user, vault, away);
    const reason = "The transaction names an account that is no market of the exchange.";
    for (const [made, request] of [
      [[...life([cancelled])], closes],
      [[move(), ...life([deposit(instance, user, moved)])], {}],
      [[...life([withdraw(instance, user, moved)])], { intent: "withdraw" }],
    ] as const) {
      expect(check(compile(made), asked(request))).toEqual({ kind: "mismatch", reason });
    }
  });

  it.each([
    ["at once", [take()], ["Closes 3.2 SOL-PERP, selling for at least 147.25"]],
    [
      "in an auction",
      [cancelOrders(instance, user, vault, perpMarkets), order()],
      [
        "Cancels every open order, a stop that rests too",
        "Orders to close 3.2 SOL-PERP, selling for at least 147.25, after the exchange's auction",
      ],
    ],
    ["by a fill after it", [fill()], ["Fills this account's waiting order 7"]],
  ])("accepts it %s and says what it does", (_, instructions, texts) => {
    const result = check(compile([...budget, ...life(instructions)]), asked(closes));
    expect(result).toMatchObject({
      kind: "matches",
      summary: {
        effects: texts.map((text) => ({ account: deriveUser(instance, vault, 0), text })),
      },
    });
  });

  it.each<[string, Instruction]>([
    ["that could open a position", order({ reduceOnly: false })],
    ["at any price", order({ price: 0n, auctionEndPrice: 0n })],
    ["whose auction ends below its price", order({ auctionEndPrice: 147_249_999n })],
    ["that never expires", order({ maxTs: null })],
    ["that rests in the book", order({ orderType: ORDER_TYPE.limit })],
    ["that could rest instead of filling at once", take({ bitFlags: 0 })],
    ["on a market the page does not know", order({ marketIndex: 99 })],
    ["of somebody else's account", order({}, thiefUser)],
    ["by filling somebody else's order", fill(thiefUser)],
    ["against somebody the transaction chose", beside(take(), deriveUser(instance, thief, 0))],
    ["by a fill against somebody it chose", beside(fill(), deriveUser(instance, thief, 0))],
  ])("blocks an order %s", (_, made) => {
    const result = check(compile([...budget, ...life([made])]), asked(closes));
    expect(result.kind).toBe("mismatch");
    expect(result.kind === "mismatch" && result.reason).not.toMatch(/too large|cannot be read/);
  });
});

const nonce = instruction(SYSTEM_PROGRAM, [writable(thief), signer(wallet)], [4, 0, 0, 0]);
const otherMint = address("So11111111111111111111111111111111111111112");
const foreign = instruction(thief, [readonly(wallet)], [1]);
const [created, proposed, approved, executed, closed] = life([venueDeposit()]);
const steps = [created, proposed, approved, executed, closed].filter((each) => each !== undefined);
const deposited = [openTokens(), move(), ...steps];

describe("checkTransaction, tampered", () => {
  const cases: readonly (readonly [string, readonly Instruction[], Partial<ApprovalRequest>?])[] = [
    ["another destination", [move({ destination: associatedTokenAddress(thief, mint) }), ...steps]],
    ["another amount into the vault", [move({ amount: AMOUNT + 1n }), ...steps]],
    ["another amount at the venue", [move(), ...life([venueDeposit(AMOUNT - 1n)])]],
    ["both amounts changed alike", [move({ amount: 1n }), ...life([venueDeposit(1n)])]],
    ["another token", [move({ mint: otherMint }), ...steps]],
    ["another token's decimals", [move({ decimals: 9 }), ...steps]],
    ["no deposit at the venue", [move()]],
    [
      "a name for somebody else's account",
      [move(), ...life([updateUserName(instance, thiefUser, "x")])],
    ],
    ["a name instead of a deposit", [move(), ...life([updateUserName(instance, user, "x")])]],
    ["a new account inside a deposit", [move(), ...life([initializeUser(instance, user, "x")])]],
    ["no transfer", [...steps]],
    ["two transfers", [move(), ...deposited]],
    ["two deposits", [move(), ...life([venueDeposit(), venueDeposit()])]],
    ["SOL to somebody", [...deposited, fund(1n, thief)]],
    ["SOL to the vault that nobody asked for", [...deposited, fund(1n)]],
    ["a durable nonce", [nonce, ...deposited]],
    ["an unknown program", [...deposited, foreign]],
    ["an unknown program in the vault", [move(), ...life([venueDeposit(), foreign])]],
    [
      "SOL out of the vault",
      [move(), ...life([venueDeposit(), transferLamports({ from: vault, to: thief }, 5n)])],
    ],
    [
      "tokens out of the vault",
      [
        move(),
        ...life([
          venueDeposit(),
          transferChecked(
            {
              source: vaultTokens,
              mint,
              destination: associatedTokenAddress(thief, mint),
              authority: vault,
            },
            { amount: AMOUNT, decimals: 6 },
          ),
        ]),
      ],
    ],
    [
      "a withdrawal inside a deposit",
      [
        move(),
        ...life([
          venueDeposit(),
          withdraw(instance, user, {
            spotMarketIndex: 0,
            tokenAccount: vaultTokens,
            amount: 1n,
            markets,
          }),
        ]),
      ],
    ],
    [
      "a change of the trading key inside a deposit",
      [move(), ...life([venueDeposit(), updateUserDelegate(instance, user, thief)])],
    ],
    ["a deposit for somebody else's account", [move(), ...life([venueDeposit(AMOUNT, thiefUser)])]],
    [
      "a deposit from somebody else's tokens",
      [move(), ...life([venueDeposit(AMOUNT, user, associatedTokenAddress(thief, mint))])],
    ],
    [
      "another multisig",
      [move(), ...life([venueDeposit()], { multisig: thiefMultisig, vault: thiefVault })],
    ],
    [
      "rent collected by somebody else",
      [move(), ...life([venueDeposit()], { rentCollector: thief })],
    ],
    ["a vault operation that is not closed", [openTokens(), move(), ...steps.slice(0, 4)]],
    [
      "a vault operation out of order",
      [
        move(),
        ...[created, approved, proposed, executed, closed].filter((each) => each !== undefined),
      ],
    ],
    [
      "another execution than was created",
      [
        move(),
        ...[
          created,
          proposed,
          approved,
          life([venueDeposit(1n)], { transactionIndex: 2n })[3],
          closed,
        ].filter((each) => each !== undefined),
      ],
    ],
    ["a token account for somebody else", [openTokens(thief), move(), ...steps]],
    [
      "an absurd fee",
      [setComputeUnitLimit(1_400_000), setComputeUnitPrice(1_000_000_000n), ...deposited],
    ],
    ["a second signature", [fund(), instruction(SYSTEM_PROGRAM, [signer(thief)], [2])], setUp],
    ["nothing", [...budget]],
    ["a vault that is not the multisig's", deposited, { vault: thiefVault }],
    ["a multisig this browser did not create", deposited, { pinnedMultisig: thiefMultisig }],
    ["another amount than asked", deposited, { amount: AMOUNT * 10n }],
    ["a deposit when a set-up was asked", deposited, setUp],
    ["an intent this page cannot check", deposited, { intent: "delete" }],
    [
      "a second member",
      [
        createMultisig({
          members: [
            { key: wallet, permissions: 7 },
            { key: thief, permissions: 7 },
          ],
        }),
        fund(),
      ],
      creation,
    ],
    [
      "another member",
      [createMultisig({ members: [{ key: thief, permissions: 7 }] }), fund()],
      creation,
    ],
    ["another config authority", [createMultisig({ configAuthority: thief }), fund()], creation],
    [
      "an autonomous multisig",
      [
        multisigCreateV2(
          { treasury, createKey, creator: wallet },
          { threshold: 1, members: [{ key: wallet, permissions: 7 }], rentCollector: wallet },
        ),
        fund(),
      ],
      creation,
    ],
    ["a threshold of two", [createMultisig({ threshold: 2 }), fund()], creation],
    ["another rent collector", [createMultisig({ rentCollector: thief }), fund()], creation],
    ["no rent collector", [createMultisig({ rentCollector: null }), fund()], creation],
    ["more SOL than a set-up needs", [createMultisig(), fund(100_000_001n)], creation],
    ["SOL to another vault", [createMultisig(), fund(100_000_000n, thiefVault)], creation],
    [
      "another multisig than announced",
      [createMultisig(), fund()],
      { ...creation, multisig: thiefMultisig, vault: thiefVault },
    ],
    ["the owner as trading key", [...life(delegation(wallet))], setUp],
    [
      "two trading keys",
      [...life([...delegation(), updateUserDelegate(instance, user, thief)])],
      setUp,
    ],
    [
      "a looser margin ratio",
      [...life([...delegation(), updateUserCustomMarginRatio(instance, user, 1)])],
      setUp,
    ],
    [
      "a ratio of a leverage that the agent does not have",
      [...life([...delegation(), updateUserCustomMarginRatio(instance, user, ownMarginRatio(3))])],
      setUp,
    ],
    [
      "a ratio of more leverage than the agent's",
      [...life([updateUserCustomMarginRatio(instance, user, ownMarginRatio(5))])],
      { intent: "update-limits", amount: null, leverage: 3 },
    ],
    [
      "a ratio between two leverages",
      [...life([updateUserCustomMarginRatio(instance, user, ownMarginRatio(3) - 1)])],
      { intent: "update-limits", amount: null, leverage: 3 },
    ],
    [
      "another key than the trading key's beside the leverage",
      [
        ...life([
          updateUserCustomMarginRatio(instance, user, ownMarginRatio(3)),
          updateUserDelegate(instance, user, thief),
        ]),
      ],
      { intent: "update-limits", amount: null, leverage: 3 },
    ],
    [
      "the venue account of another vault",
      [...life([initializeUser(instance, thiefUser, "x")])],
      setUp,
    ],
  ];

  it("allows the leverage of the agent, and says how much that is", () => {
    const ratio = updateUserCustomMarginRatio(instance, user, ownMarginRatio(3));
    const request = { intent: "update-limits", amount: null, leverage: 3 } as const;
    expect(check(compile([...life([ratio])]), asked(request))).toMatchObject({
      kind: "matches",
      summary: {
        effects: [
          {
            kind: "venue-account",
            text: "Caps new orders at 4 times the account's collateral; only you can change that",
          },
        ],
      },
    });
  });

  const tampered = cases.map(([name, instructions, changes]) => ({ name, instructions, changes }));

  it.each(tampered)("blocks $name", ({ instructions, changes }) => {
    const result = check(compile(instructions), asked(changes));
    expect(result.kind).toBe("mismatch");
    // A refusal for size or encoding would not exercise the check itself
    expect(result.kind === "mismatch" && result.reason).not.toMatch(/too large|cannot be read/);
  });

  it("blocks another fee payer", () => {
    expect(check(compile([fund()], thief), asked(setUp))).toEqual({
      kind: "mismatch",
      reason: "The transaction would be paid for by another wallet.",
    });
  });

  it("blocks accounts behind an unknown lookup table", () => {
    const bytes = compileTransaction({
      feePayer: wallet,
      lifetime: {
        blockhash: "5E9rRCLgieqMgY1vyKfvRNSGHf9ovvKakHmUG8PCFCSn" as Blockhash,
        lastValidBlockHeight: 150n,
      },
      instructions: [...budget, ...deposited],
      tables: { [keyOf(9)]: [vaultTokens, walletTokens] },
    });
    expect(check(bytes, asked()).kind).toBe("mismatch");
  });

  it("blocks every truncation of the bytes", () => {
    const bytes = compile([...budget, ...deposited]);
    for (let length = 0; length < bytes.length; length += 7) {
      expect(check(bytes.slice(0, length), asked()).kind).toBe("mismatch");
    }
  });

  it("never lets a flipped byte of the message change a transfer", () => {
    const bytes = compile([...budget, openTokens(), move(), ...steps]);
    const honest = check(bytes, asked());
    const messageStart = 1 + 64;
    for (let at = messageStart; at < bytes.length; at += 1) {
      const changed = bytes.slice();
      changed[at] = (changed[at] ?? 0) ^ 0x41;
      const result = check(changed, asked());
      if (result.kind === "mismatch") continue;
      expect(honest.kind === "matches" && result.summary.effects).toEqual(
        honest.kind === "matches" && honest.summary.effects,
      );
    }
  });
});
