import { passAuction } from "./auctions.ts";
import { createTestClock, type TestClock } from "./clock.ts";
import type { VenueFixture } from "./venue-conformance.ts";
import { createMemoryLedger } from "./memory-ledger.ts";
import type { LedgerView } from "../src/practice/ledger.ts";
import { createPracticeChain } from "../src/practice/practice-chain.ts";
import { keypairFromSeed } from "../src/solana/encoding/keys.ts";
import { programConfigCodec } from "../src/solana/programs/squads-accounts.ts";
import {
  multisigCreateV2,
  deriveMultisig,
  deriveProgramConfig,
  deriveVault,
} from "../src/solana/programs/squads.ts";
import { transferLamports } from "../src/solana/programs/system.ts";
import { rentOf } from "../src/solana/chain.ts";
import { signTransaction } from "../src/solana/signing.ts";
import { compileTransaction } from "../src/solana/transaction.ts";
import { createDriftVenue } from "../src/venues/drift/drift-venue.ts";
import { DRIFT_V2_INSTANCE as instance } from "../src/venues/drift/instance.ts";
import { lazerPriceLayout } from "../src/venues/drift/layout-oracle.ts";
import { perpMarketLayout } from "../src/venues/drift/layout-perp-market.ts";
import { ORACLE_SOURCE } from "../src/venues/drift/layout-spot-market.ts";
import { stateLayout } from "../src/venues/drift/layout-state.ts";
import { derivePerpMarket, deriveState } from "../src/venues/drift/pdas.ts";
import { findMarket } from "../src/venues/profiles.ts";
import { changeExchange } from "./practice-operator.ts";

const key = (fill: number) => keypairFromSeed(new Uint8Array(32).fill(fill));
const ONE_SOL = 1_000_000_000n;
const START_PRICE = 150_000_000n;

/** Oracle of SOL after the market moved to the exchange's own Pyth Lazer account. */
const lazerOracle = key(40).address;

function lazerPrice(price: bigint, atMs: number, postedSlot: bigint) {
  const data = lazerPriceLayout.encode({
    ...lazerPriceLayout.zero(),
    price,
    exponent: -6,
    publishTime: BigInt(atMs) * 1_000n,
    postedSlot,
  });
  const account = { lamports: ONE_SOL, owner: instance.programId, data, executable: false };
  return {
    value: undefined,
    change: { accounts: new Map([[lazerOracle, account]]), records: [] },
  };
}

/** Moves the market to Pyth Lazer, as the exchange's operators do. */
function toLazer(view: LedgerView) {
  const address = derivePerpMarket(instance, 0);
  const state = view.account(address);
  if (state === undefined) throw new Error("The practice chain has no SOL market");
  const market = perpMarketLayout.decode(state.data);
  const amm = { ...market.amm, oracle: lazerOracle, oracleSource: ORACLE_SOURCE.pythLazer };
  const data = perpMarketLayout.encode({ ...market, amm });
  return {
    value: undefined,
    change: { accounts: new Map([[address, { ...state, data }]]), records: [] },
  };
}

/** The exchange on a fresh practice chain, with controls for its surroundings. */
export interface DriftFixture extends VenueFixture {
  readonly clock: TestClock;
  /** Moves the SOL market to another oracle with the same price. */
  moveOracle(): Promise<void>;
}

/**
 * Opens one agent's account-to-be on the exchange; prices are pulled Pyth's or, from the start, Pyth Lazer's, and orders
 * wait for so many slots.
 */
export async function openDriftFixture(
  oracle: "pull" | "lazer" = "pull",
  minPerpAuctionDuration = 0,
): Promise<DriftFixture> {
  const clock = createTestClock();
  const ledger = createMemoryLedger();
  let price = START_PRICE;
  const chain = await createPracticeChain({
    ledger,
    clock,
    prices: {
      label: "test",
      // Ten times SOL's elsewhere, so that no market's price passes for another's
      quote: (asset) => ({
        price: asset === "SOL" ? price : 10n * price,
        confidence: 0n,
        publishedAtMs: clock.now(),
      }),
    },
  });
  await changeExchange(chain, { minPerpAuctionDuration });
  let isLazer = false;
  const publish = async (next: bigint) => {
    price = next;
    if (!isLazer) return;
    const { slot } = await chain.progress("processed");
    await ledger.transact(() => lazerPrice(next, clock.now(), slot));
  };
  const moveOracle = async () => {
    isLazer = true;
    await ledger.transact((view) => toLazer(view));
    await publish(price);
  };
  if (oracle === "lazer") await moveOracle();
  const [owner, tradingKey, createKey] = [key(1), key(2), key(3)];
  await chain.fund(owner.address, { lamports: 10n * ONE_SOL, quoteUnits: 1_000_000_000n });
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
      transferLamports(
        { from: owner.address, to: vault },
        await rentOf(chain, [0, ...instance.setUpSizes]),
      ),
    ],
  });
  await chain.send(signTransaction(signTransaction(creation, owner), createKey));
  const market = findMarket("drift", "SOL-PERP");
  if (market === undefined) throw new Error("SOL-PERP is not a market");
  return {
    chain,
    clock,
    moveOracle,
    venue: createDriftVenue({ chain, instance, clock }),
    account: {
      owner: owner.address,
      multisig,
      vault,
      tradingKey: tradingKey.address,
      subAccountId: 0,
    },
    market,
    owner,
    tradingKey,
    setPrice: publish,
    async passAuction() {
      await passAuction({ chain, clock });
      await publish(price);
    },
    async setPaused(isPaused) {
      const address = deriveState(instance);
      await ledger.transact((view) => {
        const state = view.account(address);
        if (state === undefined) throw new Error("The practice chain has no exchange");
        const data = stateLayout.encode({
          ...stateLayout.decode(state.data),
          exchangeStatus: isPaused ? 127 : 0,
        });
        return {
          value: undefined,
          change: { accounts: new Map([[address, { ...state, data }]]), records: [] },
        };
      });
    },
  };
}
