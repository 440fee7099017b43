import { placePerpOrder } from "../../src/venues/drift/instructions.ts";
import { DRIFT_V2_INSTANCE as IDS } from "../../src/venues/drift/instance.ts";
import { marginAccount } from "../../src/venues/drift/account-state.ts";
import { createExchangeReader } from "../../src/venues/drift/exchange-reader.ts";
import type { DriftPerpMarket } from "../../src/venues/drift/layout-perp-market.ts";
import { marginRequirement, totalCollateral } from "../../src/venues/drift/margin.ts";
import { tradingKey } from "../squads-bench.ts";
import {
  DOLLAR,
  type DriftCase,
  type ExchangeBench,
  expectError,
  orderParams,
  SOL_BASE,
  START_PRICE,
  trade,
  user,
  userAddress,
  withAccount,
  withSol,
} from "./case.ts";
import { openVenue } from "./venue-bench.ts";

const POSITION = 10n * SOL_BASE;

const bid = (baseAssetAmount: bigint) =>
  placePerpOrder(
    IDS,
    user,
    tradingKey.address,
    orderParams({ price: START_PRICE / 2n, bitFlags: 0, baseAssetAmount }),
    withSol,
  );

/** Returns the largest size, in steps of the market, that the account's margin allows to bid for. */
async function largestBid(bench: ExchangeBench): Promise<readonly [bigint, bigint]> {
  const { chain } = await openVenue(bench);
  const reading = await createExchangeReader(chain, IDS).read([userAddress]);
  const [held] = reading.users;
  const step = reading.markets[0]?.market.amm.orderStepSize ?? 0n;
  if (held === undefined || held === null || step === 0n) throw new Error("Nothing to trade with");
  const account = marginAccount(held, reading);
  const fits = (size: bigint): boolean => {
    const positions = account.positions.map((position) => ({
      ...position,
      openBids: position.openBids + size,
      openOrders: position.openOrders + 1,
    }));
    const bidding = { ...account, positions };
    return totalCollateral(bidding, "initial") >= marginRequirement(bidding, "initial");
  };
  let [least, most] = [0n, 1_000_000n];
  while (most - least > 1n) {
    const middle = (least + most) / 2n;
    if (fits(middle * step)) least = middle;
    else most = middle;
  }
  return [least * step, step];
}

interface Edge {
  readonly name: string;
  readonly market: Partial<DriftPerpMarket>;
  readonly price?: bigint;
}

const EDGES: readonly Edge[] = [
  { name: "the market's own ratio", market: {} },
  { name: "more for size", market: { imfFactor: 20_000 } },
  { name: "much more for size", market: { imfFactor: 60_000 } },
  {
    name: "a gain, at most 100 dollars of it",
    market: { unrealizedPnlInitialAssetWeight: 10_000 },
    price: 175n * DOLLAR,
  },
  {
    name: "less of a larger gain",
    market: { unrealizedPnlInitialAssetWeight: 9_000, unrealizedPnlImfFactor: 100_000 },
    price: 160n * DOLLAR,
  },
  {
    name: "less of a gain when all traders together have large gains",
    market: {
      unrealizedPnlInitialAssetWeight: 10_000,
      unrealizedPnlMaxImbalance: 20n * DOLLAR,
    },
    price: 160n * DOLLAR,
  },
];

/** Cases of margin at its edge: the largest bid it allows lands, and one step more is refused. */
export const MARGIN_CASES: readonly DriftCase[] = EDGES.map(({ name, market, price }) => ({
  name: `a bid lands up to the margin and not one step beyond it: ${name}`,
  async run(bench) {
    await withAccount(bench);
    await expectError(bench.send([tradingKey], [trade("long", POSITION)]), null);
    await bench.setMarket((before) => ({ ...before, ...market }));
    if (price !== undefined) await bench.setPrice(price);
    const [size, step] = await largestBid(bench);
    await expectError(bench.send([tradingKey], [bid(size + step)]), "Custom 6003 at 0");
    await expectError(bench.send([tradingKey], [bid(size)]), null);
  },
}));
