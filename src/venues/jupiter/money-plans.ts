import type { JupiterOptions } from "./jupiter-options.ts";
import type { CustodyPort } from "../ports.ts";
import { readSetUpRents } from "./plan-set-up.ts";
import {
  emptyStep,
  planDepositFrom,
  planHandOverFrom,
  planRemovalFrom,
  planWithdrawFrom,
} from "./plan-transfer.ts";
import {
  tokenAccountOf,
  quoteToken,
  SALE_SLIPPAGE_BPS,
  type SpotAsset,
  type SpotToken,
  valueOf,
} from "./instance.ts";
import { readVault, type VaultReading } from "./vault-reader.ts";
import type { Address, Instruction } from "@solana/kit";
import { createAssociatedTokenIdempotent } from "../../solana/programs/associated-token.ts";
import { closeTokenAccount, transferChecked } from "../../solana/programs/token.ts";
import { readTables } from "../../solana/programs/address-lookup-table.ts";
import { NoRouteError, type PlanStep } from "../plan-step.ts";
import type { VenueAccount } from "../venue.ts";
import { DUST } from "./account-state.ts";
import type { OrderSurroundings } from "./build-order.ts";
import { isNearPrice } from "./order-swap.ts";
import { readRoute } from "./route-instruction.ts";
import { RouteNotFoundError, type SwapBuild, type SwapRequest } from "./swap-router.ts";
import { refuseBuild } from "./verify-build.ts";

/** Compute unit limit of a transfer out of the vault, 118,221 measured, plus a route of four exchanges. */
const SALE_COMPUTE_UNITS = 800_000;

/** Largest number of accounts requested of the router; the transaction also holds a vault transfer. */
const SALE_ACCOUNTS = 28;

/** Plans of the owner's transactions that deposit and withdraw money and assets. */
export function moneyPlans(
  options: JupiterOptions,
): Pick<
  CustodyPort,
  "planDeposit" | "planWithdraw" | "planClose" | "planMoveOut" | "planSettle" | "planTearDown"
> {
  const { chain, instance } = options;
  return {
    planDeposit: async (account, amount) => planDepositFrom(instance, account, amount),
    planWithdraw: async (account, amount) => planWithdrawFrom(instance, account, amount),
    async planClose(account) {
      return planSaleFrom(options, account, await readVault(chain, instance, account));
    },
    async planMoveOut(account, marketId) {
      const reading = await readVault(chain, instance, account);
      const wanted = reading.assets.filter(
        ({ asset }) => marketId === undefined || asset.marketId === marketId,
      );
      const held = wanted.find((each) => (each.held ?? 0n) > 0n);
      if (held === undefined) return emptyStep("Move assets to your wallet");
      const [step = emptyStep("")] = planHandOverFrom(account, { ...reading, assets: [held] });
      const target = tokenAccountOf(account.owner, held.asset);
      const [present] = (await chain.accounts([target])).accounts;
      if (present != null) return step;
      return { ...step, ownerRentLamports: (await readSetUpRents(chain)).tokenAccount };
    },
    planSettle: async () => emptyStep("Settle PnL"),
    async planTearDown(account) {
      const reading = await readVault(chain, instance, account);
      const held = reading.quote.held ?? 0n;
      return [
        ...planHandOverFrom(account, reading),
        ...(held > 0n ? [planWithdrawFrom(instance, account, held)] : []),
        ...planRemovalFrom(instance, account, reading),
      ];
    },
  };
}

interface Sale {
  readonly asset: SpotAsset;
  readonly held: bigint;
}

/**
 * Returns the step with which the owner sells the first asset the vault holds. Dust stays in the vault, and what has
 * no price to hold an offer against.
 *
 * The vault transfers the asset to the owner's own token account, the owner swaps it, and the swap pays into the vault,
 * atomically. A swap with the vault's authority would not fit into a transaction and would exceed the runtime's call
 * depth. Throws `NoRouteError` when no held asset finds a buyer near the market price.
 */
async function planSaleFrom(
  surroundings: OrderSurroundings,
  account: VenueAccount,
  reading: VaultReading,
): Promise<PlanStep> {
  let refusal: NoRouteError | null = null;
  for (const { asset, held } of reading.assets) {
    if (held === null || held === 0n) continue;
    if (surroundings.prices.isPriced?.(asset.marketId) === false) continue;
    const { price } = await surroundings.prices.price(asset.marketId);
    if (valueOf(asset, held, price) < DUST) continue;
    try {
      const build = await findBuyer(surroundings, account, { asset, held }, price);
      return await saleStep(surroundings, account, { asset, held }, reading, build);
    } catch (error) {
      if (!(error instanceof NoRouteError)) throw error;
      refusal = error;
    }
  }
  if (refusal !== null) throw refusal;
  return emptyStep("Close positions");
}

async function findBuyer(
  { router, instance }: OrderSurroundings,
  { owner, vault }: VenueAccount,
  { asset, held }: Sale,
  price: bigint,
): Promise<SwapBuild> {
  const { marketId } = asset;
  const output = quoteToken(instance);
  const request: SwapRequest = {
    inputMint: asset.mint,
    outputMint: output.mint,
    amount: held,
    slippageBps: SALE_SLIPPAGE_BPS,
    taker: owner,
    destination: tokenAccountOf(vault, output),
    maxAccounts: SALE_ACCOUNTS,
  };
  const build = await router.build(request).catch((cause: unknown) => {
    if (!(cause instanceof RouteNotFoundError)) throw cause;
    throw new NoRouteError(`Nobody buys ${marketId} through Jupiter now.`, { cause });
  });
  const wrong = refuseBuild(build, { request, input: asset, output });
  if (wrong !== null) {
    throw new NoRouteError(`Jupiter's offer for ${marketId} cannot be used: ${wrong}.`);
  }
  if (
    !isNearPrice({ asset, isBuy: false, amount: held }, build.outAmount, price, SALE_SLIPPAGE_BPS)
  ) {
    throw new NoRouteError(`The best offer for ${marketId} is more than 1% from its market price.`);
  }
  return build;
}

async function saleStep(
  { chain, instance }: OrderSurroundings,
  { owner, vault }: VenueAccount,
  { asset, held }: Sale,
  reading: VaultReading,
  build: SwapBuild,
): Promise<PlanStep> {
  const quote = quoteToken(instance);
  const source = tokenAccountOf(vault, asset);
  const passing = tokenAccountOf(owner, asset);
  const ownQuote = tokenAccountOf(owner, quote);
  const [present, presentQuote] = (await chain.accounts([passing, ownQuote])).accounts;
  const isThroughOwnQuote = readRoute(build.swapInstruction)?.output === ownQuote;
  const rent = (await readSetUpRents(chain)).tokenAccount;
  const openings = [
    ...(present == null ? [open(owner, owner, asset)] : []),
    ...(presentQuote == null && isThroughOwnQuote ? [open(owner, owner, quote)] : []),
    ...(reading.quote.held === null ? [open(owner, vault, quote)] : []),
  ];
  return {
    label: `Sell ${asset.marketId}`,
    before: openings,
    asVault: [
      transferChecked(
        {
          source,
          mint: asset.mint,
          destination: passing,
          authority: vault,
          tokenProgram: asset.tokenProgram,
        },
        { amount: held, decimals: asset.decimals },
      ),
    ],
    after: [
      build.swapInstruction,
      // A temporary account returns its rent
      ...(present == null
        ? [
            closeTokenAccount({
              account: passing,
              destination: owner,
              authority: owner,
              tokenProgram: asset.tokenProgram,
            }),
          ]
        : []),
    ],
    computeUnitLimit: SALE_COMPUTE_UNITS,
    expects: [{ kind: "token_delta", account: source, mint: asset.mint, delta: -held }],
    ownerRentLamports: rent * BigInt(openings.length),
    tables: await readTables(chain, Object.keys(build.tables) as Address[]),
  };
}

const open = (payer: Address, owner: Address, { mint, tokenProgram }: SpotToken): Instruction =>
  createAssociatedTokenIdempotent({ payer, owner, mint, tokenProgram });
