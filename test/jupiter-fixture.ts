import type { Address } from "@solana/kit";
import { findMarket } from "../src/venues/profiles.ts";
import { createMemoryLedger } from "./memory-ledger.ts";
import { createPracticeChain } from "../src/practice/practice-chain.ts";
import {
  createPracticeSpotPrices,
  createPracticeSwapRouter,
} from "../src/practice/programs/swap/practice-swap-router.ts";
import { keypairFromSeed } from "../src/solana/encoding/keys.ts";
import { createAssociatedTokenIdempotent } from "../src/solana/programs/associated-token.ts";
import { programConfigCodec } from "../src/solana/programs/squads-accounts.ts";
import {
  multisigCreateV2,
  deriveMultisig,
  deriveProgramConfig,
  deriveVault,
} from "../src/solana/programs/squads.ts";
import { transferLamports } from "../src/solana/programs/system.ts";
import { tokenAccountCodec } from "../src/solana/programs/token.ts";
import { instruction, writable } from "../src/solana/encoding/instruction.ts";
import { signTransaction } from "../src/solana/signing.ts";
import { compileTransaction } from "../src/solana/transaction.ts";
import type { JupiterVenue } from "../src/venues/jupiter/jupiter-options.ts";
import { createJupiterVenue } from "../src/venues/jupiter/jupiter-venue.ts";
import {
  assetOf,
  JUPITER_PRACTICE_INSTANCE as instance,
  type JupiterInstance,
  tokenAccountOf,
} from "../src/venues/jupiter/instance.ts";
import type { SwapRouter } from "../src/venues/jupiter/swap-router.ts";
import { createTestClock, type TestClock } from "./clock.ts";
import type { VenueFixture } from "./venue-conformance.ts";
import { setSwapPaused } from "./pause-swap.ts";

const key = (fill: number) => keypairFromSeed(new Uint8Array(32).fill(fill));
const ONE_SOL = 1_000_000_000n;
const START_PRICE = 150_000_000n;
const TOKEN_PROGRAM_SYNC_NATIVE = 17;

/** The swap venue on a fresh practice chain, with controls for its surroundings. */
export interface JupiterFixture extends VenueFixture {
  readonly venue: JupiterVenue & { readonly instance: JupiterInstance };
  readonly clock: TestClock;
  /** Amounts the venue reported as left in the trading key's own accounts, in base units. */
  readonly leftovers: bigint[];
  /** Sends wrapped SOL from the owner's wallet to an account. */
  giveAsset(wallet: Address, lamports: bigint): Promise<void>;
  tokens(account: Address): Promise<bigint>;
}

export async function openJupiterFixture(
  options: {
    readonly quoteUnits?: bigint;
    readonly wrapRouter?: (router: SwapRouter) => SwapRouter;
  } = {},
): Promise<JupiterFixture> {
  const { quoteUnits = 1_000_000_000n, wrapRouter = (router) => router } = options;
  const clock = createTestClock();
  const ledger = createMemoryLedger();
  let price = START_PRICE;
  const prices = {
    label: "test",
    quote: () => ({ price, confidence: 0n, publishedAtMs: clock.now() }),
  };
  const chain = await createPracticeChain({ ledger, clock, prices });
  const [owner, tradingKey, createKey] = [key(1), key(2), key(3)];
  await chain.fund(owner.address, { lamports: 10n * ONE_SOL, quoteUnits });
  await chain.fund(tradingKey.address, { lamports: ONE_SOL, quoteUnits: 0n });
  const multisig = deriveMultisig(createKey.address).address;
  const vault = deriveVault(multisig).address;
  const [config] = (await chain.accounts([deriveProgramConfig().address])).accounts;
  if (config == null) throw new Error("The practice chain has no Squads configuration");
  const { treasury } = programConfigCodec.decode(config.data);
  const creation = compileTransaction({
    feePayer: owner.address,
    lifetime: await chain.latestBlockhash(),
    instructions: [
      multisigCreateV2(
        { treasury, createKey: createKey.address, creator: owner.address },
        {
          configAuthority: owner.address,
          threshold: 1,
          members: [{ key: owner.address, permissions: 7 }],
          rentCollector: owner.address,
        },
      ),
      transferLamports({ from: owner.address, to: vault }, ONE_SOL / 10n),
    ],
  });
  await chain.send(signTransaction(signTransaction(creation, owner), createKey));
  const market = findMarket("jupiter", "SOL");
  if (market === undefined) throw new Error("SOL is not a market");
  const asset = assetOf(instance, market.marketId);
  const leftovers: bigint[] = [];
  const tokens = async (address: Address): Promise<bigint> => {
    const [account] = (await chain.accounts([address])).accounts;
    return account == null ? 0n : tokenAccountCodec.decode(account.data).amount;
  };
  const venue = createJupiterVenue({
    chain,
    router: wrapRouter(createPracticeSwapRouter(chain)),
    prices: createPracticeSpotPrices(prices, clock),
    instance,
    clock,
    onLeftover: (_account, _token, amount) => void leftovers.push(amount),
  });
  return {
    chain,
    venue: { ...venue, instance },
    clock,
    leftovers,
    tokens,
    account: {
      owner: owner.address,
      multisig,
      vault,
      tradingKey: tradingKey.address,
      subAccountId: 0,
      marketId: market.marketId,
    },
    market,
    owner,
    tradingKey,
    async setPrice(next) {
      price = next;
    },
    setPaused: (isPaused) => setSwapPaused(ledger, isPaused),
    async ownerAssets() {
      return ((await tokens(tokenAccountOf(owner.address, asset))) * price) / ONE_SOL;
    },
    async giveAsset(wallet, lamports) {
      const account = tokenAccountOf(wallet, asset);
      const wire = compileTransaction({
        feePayer: owner.address,
        lifetime: await chain.latestBlockhash(),
        instructions: [
          createAssociatedTokenIdempotent({
            payer: owner.address,
            owner: wallet,
            mint: asset.mint,
          }),
          transferLamports({ from: owner.address, to: account }, lamports),
          instruction(asset.tokenProgram, [writable(account)], [TOKEN_PROGRAM_SYNC_NATIVE]),
        ],
      });
      await chain.send(signTransaction(wire, owner));
    },
  };
}
