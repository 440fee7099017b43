import { type JupiterOptions, type JupiterVenue, unixSeconds } from "./jupiter-options.ts";
import { moneyPlans } from "./money-plans.ts";
import { readingPart } from "./vault-reading.ts";
import { buildOrderFrom } from "./build-order.ts";
import { readVault, type TokenReading } from "./vault-reader.ts";
import type { Chain, TransactionOutcome } from "../../solana/chain.ts";
import {
  type LedgerReading,
  LAMPORTS,
  VAULT,
  VAULT_SOL,
  flowMovements,
  lamportMovements,
  tokenChange,
  walletChange,
} from "../ledger-reading.ts";
import type { VenueAccount } from "../venue.ts";
import {
  type JupiterInstance,
  JUPITER_PROGRAM,
  assetOf,
  quoteToken,
  type SpotToken,
  tokenAccountOf,
  priceOf,
} from "./instance.ts";
import type { Fill } from "../../domain/order/order.ts";
import { explainFailure, orderFailure, type ProgramErrors } from "../../solana/program-errors.ts";
import type { OrderReport } from "../placed-order.ts";
import type { PlanStep } from "../plan-step.ts";
import { assetLimitFor, planLimitsFrom, readSetUpRents } from "./plan-set-up.ts";
import { planRevokeFrom } from "./plan-transfer.ts";
import { isOurLimit, limitAddress } from "./spending-limits.ts";
import type { ExternalActivity, OwnerActivity } from "../ports.ts";
import type { Address } from "@solana/kit";
import type { LedgerMovement } from "../../domain/ledger/entry.ts";

/** Vault and trading key: a transfer between the two is neither a trade nor a flow. */
const holders = ({ vault, tradingKey }: VenueAccount): readonly Address[] => [vault, tradingKey];

/** Returns the agent's accounts of one token. */
function tokenAccounts(account: VenueAccount, token: SpotToken): readonly Address[] {
  return holders(account).map((holder) => tokenAccountOf(holder, token));
}

/** Returns the accounts whose transactions can change the agent's balances, whether they exist or not. */
function bookAddresses(instance: JupiterInstance, account: VenueAccount): readonly Address[] {
  return [
    account.vault,
    ...[quoteToken(instance), ...instance.assets].flatMap((token) => tokenAccounts(account, token)),
  ];
}

/** Returns the ledger movements of a landed transaction, from the balance changes of vault and trading key. */
function bookTransaction(
  instance: JupiterInstance,
  account: VenueAccount,
  outcome: TransactionOutcome,
): readonly LedgerMovement[] {
  if (outcome.error !== null) return [];
  const { quote } = instance;
  const changeOf = (token: SpotToken): bigint =>
    tokenAccounts(account, token).reduce(
      (sum, address) => sum + tokenChange(outcome, address, token.mint),
      0n,
    );
  const quoteAsset = { asset: quote.symbol, decimals: quote.decimals };
  const quoteChange = changeOf(quoteToken(instance));
  const changed = instance.assets
    .map((asset) => ({ asset, change: changeOf(asset) }))
    .filter(({ change }) => change !== 0n);
  const tokens = [quoteToken(instance), ...instance.assets];
  const rented = [
    ...tokens.map((token) => tokenAccountOf(account.vault, token)),
    ...tokens.map(({ mint }) => limitAddress(account, mint)),
    account.multisig,
  ];
  const lamports = lamportMovements(withoutWrapped(instance, account, outcome), account, rented);
  const [only] = changed;
  if (changed.length === 1 && only !== undefined && only.change * quoteChange < 0n) {
    const { marketId, decimals } = only.asset;
    const base = { marketId, decimals, amount: only.change };
    return [{ ...VAULT, ...quoteAsset, kind: "trade", amount: quoteChange, base }, ...lamports];
  }
  return [
    ...flowMovements(
      quoteAsset,
      [{ at: VAULT, change: quoteChange }],
      walletChange(outcome, account.owner, quote.mint),
    ),
    ...changed.flatMap(({ asset: { marketId, mint, decimals }, change }) =>
      flowMovements(
        { asset: marketId, decimals },
        [{ at: VAULT, change }],
        walletChange(outcome, account.owner, mint),
      ).map((movement) => ({
        ...movement,
        base: { marketId, decimals, amount: movement.amount },
      })),
    ),
    ...lamports,
  ];
}

/** Wrapped SOL is also included in its account's lamports; it is counted as the token. */
function withoutWrapped(
  { assets }: JupiterInstance,
  account: VenueAccount,
  outcome: TransactionOutcome,
): TransactionOutcome {
  const wrapped = assets.find(({ marketId }) => marketId === "SOL");
  if (wrapped === undefined) return outcome;
  const lamportDeltas = new Map(outcome.lamportDeltas);
  for (const address of [
    ...tokenAccounts(account, wrapped),
    tokenAccountOf(account.owner, wrapped),
  ]) {
    const tokens = tokenChange(outcome, address, wrapped.mint);
    const lamports = lamportDeltas.get(address);
    if (lamports !== undefined) lamportDeltas.set(address, lamports - tokens);
  }
  return { ...outcome, lamportDeltas };
}

/** Classifies a foreign transaction: tokens that left the vault for another wallet than the owner's are a trade. */
function classifyExternalOf(
  instance: JupiterInstance,
  { vault, owner }: VenueAccount,
  outcome: TransactionOutcome,
): ExternalActivity {
  const isDrawn = [instance.quote, ...instance.assets].some(({ mint }) => {
    const lost = -walletChange(outcome, vault, mint);
    return lost > 0n && walletChange(outcome, owner, mint) < lost;
  });
  return { kind: isDrawn ? "trade" : "unknown", fills: new Map() };
}

/** Returns the owner's sales inside the vault and transfers from it to the owner's wallet in a landed transaction. */
function ownerActivityOf(
  instance: JupiterInstance,
  { vault, owner }: VenueAccount,
  outcome: TransactionOutcome,
): readonly OwnerActivity[] {
  if (outcome.error !== null) return [];
  const gained = walletChange(outcome, vault, instance.quote.mint);
  return instance.assets.flatMap((asset): OwnerActivity[] => {
    const { marketId, mint } = asset;
    const baseSize = -walletChange(outcome, vault, mint);
    if (baseSize <= 0n) return [];
    if (gained > 0n) {
      const fill = {
        price: priceOf(asset, baseSize, gained),
        baseSize,
        quoteSize: gained,
        fee: 0n,
      };
      return [{ kind: "trade", marketId, side: "sell", fill }];
    }
    return walletChange(outcome, owner, mint) === baseSize
      ? [{ kind: "transfer", marketId, baseSize }]
      : [];
  });
}

/** Plans of the owner's transactions that set up, replace or revoke the spending limits. */
function limitPlans(
  options: JupiterOptions,
): Pick<JupiterVenue, "planSetUp" | "planLimits" | "limitAccounts" | "planRevoke"> {
  const { chain, prices, instance } = options;
  return {
    async planSetUp(account: VenueAccount): Promise<readonly PlanStep[]> {
      const asset = assetOf(instance, account.marketId);
      const reading = await readVault(chain, instance, account);
      const traded = reading.assets.find((known) => known.asset === asset);
      const { limit } = reading.quote;
      const quote = isOurLimit(limit, account, instance.quote.mint)
        ? limit.amount
        : instance.dailyLimit;
      const present = traded?.limit ?? null;
      const assetLimit = isOurLimit(present, account, asset.mint)
        ? present.amount
        : assetLimitFor(asset, quote, (await prices.price(asset.marketId)).price);
      const wanted = { quote, asset: assetLimit };
      return planLimitsFrom(instance, account, asset, reading, wanted, await readSetUpRents(chain));
    },
    async planLimits(account, quoteLimit) {
      const asset = assetOf(instance, account.marketId);
      const reading = await readVault(chain, instance, account);
      const { price } = await prices.price(asset.marketId);
      const wanted = { quote: quoteLimit, asset: assetLimitFor(asset, quoteLimit, price) };
      return planLimitsFrom(instance, account, asset, reading, wanted, await readSetUpRents(chain));
    },
    limitAccounts: (account) => ({
      quote: limitAddress(account, instance.quote.mint),
      asset: limitAddress(account, assetOf(instance, account.marketId).mint),
    }),
    async planRevoke(account) {
      return planRevokeFrom(instance, account, await readVault(chain, instance, account));
    },
  };
}

const ROUTE = "The swap's route is not one the router's program takes. Please try again.";
const ACCOUNTS = "The swap was shown an account it did not expect. Please try again.";

/** Error table of the swap program. Source: Jupiter v6's interface */
const jupiterErrors: ProgramErrors = {
  programId: JUPITER_PROGRAM,
  errors: {
    6000: ["EmptyRoute", "The swap has no route."],
    6001: ["SlippageToleranceExceeded", "The price moved beyond the slippage tolerance."],
    6002: ["InvalidCalculation", "The swap's amounts do not add up."],
    6003: ["MissingPlatformFeeAccount", ACCOUNTS],
    6004: ["InvalidSlippage", "The swap's slippage is not one the router's program takes."],
    6005: ["NotEnoughPercent", ROUTE],
    6006: ["InvalidInputIndex", ROUTE],
    6007: ["InvalidOutputIndex", ROUTE],
    6008: ["NotEnoughAccountKeys", ACCOUNTS],
    6009: ["NonZeroMinimumOutAmountNotSupported", ROUTE],
    6010: ["InvalidRoutePlan", ROUTE],
    6011: ["InvalidReferralAuthority", ACCOUNTS],
    6012: ["LedgerTokenAccountDoesNotMatch", ACCOUNTS],
    6013: ["InvalidTokenLedger", ACCOUNTS],
    6014: ["IncorrectTokenProgramID", ACCOUNTS],
    6015: ["TokenProgramNotProvided", ACCOUNTS],
    6016: ["SwapNotSupported", "An exchange on the swap's route is not supported any more."],
    6017: ["ExactOutAmountNotMatched", "The swap's amounts do not add up."],
    6018: ["SourceAndDestinationMintCannotBeTheSame", "A token cannot be swapped for itself."],
    6019: ["InvalidMint", ACCOUNTS],
    6020: ["InvalidProgramAuthority", ACCOUNTS],
    6021: ["InvalidOutputTokenAccount", ACCOUNTS],
    6022: ["InvalidFeeWallet", ACCOUNTS],
    6023: ["InvalidAuthority", ACCOUNTS],
    6024: ["InsufficientFunds", "There is not enough of the token for this."],
    6025: ["InvalidTokenAccount", ACCOUNTS],
    6026: ["BondingCurveAlreadyCompleted", "An exchange on the swap's route has closed."],
  },
};

/** Creates the swap venue of a chain. The clock decides only whether a spending limit has been restored. */
export function createJupiterVenue(options: JupiterOptions): JupiterVenue {
  const { chain, instance } = options;
  return {
    id: "jupiter",
    instance,
    keepsNoCost: true,
    programErrors: jupiterErrors,
    ...readingPart(options),
    ...limitPlans(options),
    ...moneyPlans(options),
    async buildOrder(account, order) {
      const reading = await readVault(chain, instance, account);
      return buildOrderFrom(options, account, order, reading, unixSeconds(options));
    },
    buildSettle: async () => [],
    reportOrder: (account, outcome) => reportOrderOf(instance, account, outcome),
    ownerActivity: (account, outcome) => ownerActivityOf(instance, account, outcome),
    classifyExternal: (account, outcome) => classifyExternalOf(instance, account, outcome),
    bookAddresses: (account) => bookAddresses(instance, account),
    ownAddresses: (account) => [
      ...bookAddresses(instance, account),
      ...[instance.quote, ...instance.assets].map(({ mint }) => limitAddress(account, mint)),
      account.tradingKey,
    ],
    bookTransaction: (account, outcome) => bookTransaction(instance, account, outcome),
    readLedger: (account) => readJupiterLedger(options, account),
  };
}

const heldOf = ({ held, heldByTradingKey }: TokenReading): bigint =>
  (held ?? 0n) + (heldByTradingKey ?? 0n);

/** Reads an agent's balances on chain: the vault's SOL, and each token of vault and trading key. */
async function readJupiterLedger(
  { chain, instance }: { readonly chain: Chain; readonly instance: JupiterInstance },
  account: VenueAccount,
): Promise<LedgerReading> {
  const [reading, { slot, accounts }] = await Promise.all([
    readVault(chain, instance, account),
    chain.accounts([account.vault]),
  ]);
  const { symbol, decimals } = instance.quote;
  return {
    slot: slot > reading.slot ? slot : reading.slot,
    balances: [
      { ...VAULT, asset: symbol, decimals, amount: heldOf(reading.quote) },
      { ...VAULT_SOL, ...LAMPORTS, amount: accounts[0]?.lamports ?? 0n },
      ...reading.assets.map(({ asset, ...held }) => ({
        ...VAULT,
        asset: asset.marketId,
        decimals: asset.decimals,
        amount: heldOf(held),
      })),
    ],
    accruing: [],
    unpaidFunding: 0n,
  };
}

/**
 * Returns the outcome of a landed order transaction from the combined balances of vault and trading key before and
 * after: a transfer between the two is no trade.
 */
function reportOrderOf(
  instance: JupiterInstance,
  account: VenueAccount,
  outcome: TransactionOutcome,
): OrderReport {
  if (outcome.error !== null) {
    const failure = explainFailure({ error: outcome.error, logs: outcome.logs }, [jupiterErrors]);
    return { kind: "rejected", reason: orderFailure(failure), retryable: failure.retryable };
  }
  const change = (mint: Address): bigint =>
    holders(account).reduce((sum, holder) => sum + walletChange(outcome, holder, mint), 0n);
  const quoteChange = change(instance.quote.mint);
  const fills = instance.assets.flatMap((asset): Fill[] => {
    const baseChange = change(asset.mint);
    const isTrade = baseChange * quoteChange < 0n;
    if (!isTrade) return [];
    const baseSize = baseChange < 0n ? -baseChange : baseChange;
    const quoteSize = quoteChange < 0n ? -quoteChange : quoteChange;
    return [{ price: priceOf(asset, baseSize, quoteSize), baseSize, quoteSize, fee: 0n }];
  });
  return fills.length === 1 ? { kind: "filled", fills } : { kind: "not_filled" };
}
