import type { Address } from "@solana/kit";
import {
  type JupiterInstance,
  quoteToken,
  type SpotToken,
  tokenAccountOf,
} from "../../venues/jupiter/instance.ts";
import { MAX_VAULT_FUNDING_LAMPORTS } from "./check-effects.ts";
import type { CustodyIntent } from "./custody-intent.ts";
import { insist, Mismatch } from "./mismatch.ts";
import type { SpotParties } from "./read-spot-instruction.ts";
import type { Effect } from "./transaction-summary.ts";

type Kind = Effect["kind"];

/** What the user asked for on a swap venue, from this browser's own knowledge. */
export interface SpotIntent extends SpotParties {
  readonly intent: CustodyIntent;
  readonly instance: JupiterInstance;
  /** Asset the agent trades, for instance SOL. */
  readonly market: string;
  /** The one asset that was asked to be moved; null for all of them, and where none is moved. */
  readonly moved: string | null;
  /** Base units; null when the intent has no amount. */
  readonly amount: bigint | null;
}

const LIMITS: readonly Kind[] = ["create-token-account", "spending-limit", "limit-removal"];

/** What each intent may do at all. */
const ALLOWED: Readonly<Record<CustodyIntent, readonly Kind[]>> = {
  "set-up": [...LIMITS, "create-multisig", "lamports"],
  "update-limits": LIMITS,
  deposit: ["create-token-account", "tokens"],
  withdraw: ["create-token-account", "tokens"],
  "close-positions": ["create-token-account", "tokens", "sale", "close-token-account"],
  "move-assets": ["create-token-account", "tokens"],
  revoke: ["limit-removal"],
  delete: ["create-token-account", "tokens", "limit-removal", "close-token-account", "lamports"],
};

const LIMITS_AT_ONCE = 2;

const tokensOf = ({ instance }: SpotIntent): readonly SpotToken[] => [
  quoteToken(instance),
  ...instance.assets,
];

const isAccountOf = (request: SpotIntent, owner: Address, account: string): boolean =>
  tokensOf(request).some((token) => tokenAccountOf(owner, token) === account);

const isAssetOf = ({ assets }: JupiterInstance, marketId: string, mint: string | null): boolean =>
  assets.some((asset) => asset.marketId === marketId && asset.mint === mint);

function checkMove(effect: Extract<Effect, { kind: "tokens" }>, request: SpotIntent): void {
  const { wallet, vault, intent, amount, instance } = request;
  const token = tokensOf(request).find(({ mint }) => mint === effect.mint);
  insist(token !== undefined, "Another token would move than the agent trades.");
  const isQuote = token.mint === instance.quote.mint;
  const [from, to] = intent === "deposit" ? [wallet, vault] : [vault, wallet];
  insist(
    effect.from === tokenAccountOf(from, token) && effect.to === tokenAccountOf(to, token),
    intent === "deposit"
      ? "The money would go somewhere else than this agent's vault."
      : "The money would go somewhere else than your wallet.",
  );
  if (intent === "close-positions") {
    insist(!isQuote, "The transaction would withdraw instead of closing.");
  } else if (intent === "move-assets") {
    const isAsked = request.moved === null || isAssetOf(instance, request.moved, effect.mint);
    insist(!isQuote && isAsked, "Another token would move than the one you asked for.");
  } else if (intent !== "delete") {
    insist(isQuote, "Another token would move than the one you asked for.");
    insist(effect.amount === amount, "The amount is not what you asked for.");
  }
}

function checkLimit(
  { mint, amount }: Extract<Effect, { kind: "spending-limit" }>,
  { instance, market, amount: asked }: SpotIntent,
): void {
  if (mint !== instance.quote.mint) {
    const traded = instance.assets.find(({ marketId }) => marketId === market);
    insist(mint === traded?.mint, "The trading key would be allowed another asset.");
    return;
  }
  if (asked === null) {
    insist(
      amount <= instance.dailyLimit,
      "The trading key would be allowed more a day than a new agent is.",
    );
  } else insist(amount === asked, "The limit is not what you asked for.");
}

function checkEffect(effect: Effect, request: SpotIntent, tradingKey: string | null): void {
  const { wallet, vault, multisig, intent } = request;
  switch (effect.kind) {
    case "create-multisig":
      insist(
        effect.multisig === multisig,
        "The multisig would get another address than announced.",
      );
      return;
    case "lamports": {
      const isOut = intent === "delete";
      const [from, to] = isOut ? [vault, wallet] : [wallet, vault];
      insist(effect.from === from && effect.to === to, "SOL would go somewhere else.");
      insist(
        isOut || effect.lamports <= MAX_VAULT_FUNDING_LAMPORTS,
        "More SOL would go to the vault than the set-up needs.",
      );
      return;
    }
    case "create-token-account": {
      const isSetUp = intent === "set-up" || intent === "update-limits";
      const owners: readonly (string | null)[] = isSetUp
        ? [vault, tradingKey]
        : intent === "close-positions"
          ? [vault, wallet]
          : [intent === "deposit" ? vault : wallet];
      insist(owners.includes(effect.owner), "A token account would be opened for somebody else.");
      return;
    }
    case "tokens":
      checkMove(effect, request);
      return;
    case "close-token-account": {
      // A sale closes the account it opened for the moment; one that holds anything cannot be closed
      const owner = intent === "close-positions" ? wallet : vault;
      insist(
        isAccountOf(request, owner, effect.account) &&
          (effect.to === vault || effect.to === wallet),
        "A token account would be closed that is not this agent's.",
      );
      return;
    }
    case "spending-limit":
      insist(effect.delegate === tradingKey, "Two different keys would be allowed to trade.");
      checkLimit(effect, request);
      return;
    default:
  }
}

/** What leaves the vault to be sold is sold whole, and nothing else is. */
function checkSale(effects: readonly Effect[]): void {
  const [sale, ...others] = effects.filter((effect) => effect.kind === "sale");
  const move = effects.find((effect) => effect.kind === "tokens");
  if (sale === undefined || move === undefined) {
    throw new Mismatch("The transaction would not close the position.");
  }
  insist(others.length === 0, "The transaction does something twice.");
  insist(
    sale.mint === move.mint && sale.amount === move.amount,
    "What would leave the vault is not what would be sold.",
  );
}

/** Insists that the effects are exactly what the intent is for: nothing foreign, nothing twice, nothing missing. */
export function checkSpotEffects(effects: readonly Effect[], request: SpotIntent): void {
  const limits = effects.filter((effect) => effect.kind === "spending-limit");
  const tradingKey = limits[0]?.delegate ?? null;
  for (const effect of effects) {
    insist(
      ALLOWED[request.intent].includes(effect.kind),
      "The transaction does more than what you asked for.",
    );
    checkEffect(effect, request, tradingKey);
  }
  const { quote } = request.instance;
  const quoteLimits = limits.filter(({ mint }) => mint === quote.mint);
  insist(
    limits.length <= LIMITS_AT_ONCE &&
      quoteLimits.length <= 1 &&
      limits.length - quoteLimits.length <= 1,
    "The trading key would be allowed more than one asset.",
  );
  const moves = effects.filter(({ kind }) => kind === "tokens").length;
  const { intent } = request;
  const wantsMove = intent === "deposit" || intent === "withdraw" || intent === "move-assets";
  insist(moves <= 1, "The transaction does something twice.");
  if (intent === "close-positions") checkSale(effects);
  if (wantsMove && moves === 0) throw new Mismatch("The transaction would not move the money.");
}
