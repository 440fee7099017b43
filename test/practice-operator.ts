import { rentSysvar } from "../src/practice/genesis.ts";
import type { PracticeChain } from "../src/practice/practice-chain.ts";
import { RENT_SYSVAR } from "../src/solana/programs/system.ts";
import { DRIFT_V2_INSTANCE } from "../src/venues/drift/instance.ts";
import { perpMarketLayout } from "../src/venues/drift/layout-perp-market.ts";
import { stateLayout } from "../src/venues/drift/layout-state.ts";
import { derivePerpMarket, deriveState } from "../src/venues/drift/pdas.ts";

type Operated = Pick<PracticeChain, "operate">;

/** Settings that an operator of the practice exchange can change. */
interface ExchangeSettings {
  /** Slots an order waits before the AMM fills it; 0: it fills at once. */
  readonly minPerpAuctionDuration?: number;
  /** Pause bits; 127 pauses everything. */
  readonly exchangeStatus?: number;
  /** Fee for opening an account in hundredths of a SOL; above 0, accounts younger than 13 days cannot be deleted. */
  readonly maxInitializeUserFee?: number;
}

/** Writes the exchange's settings, as its admin would. */
export const changeExchange = (chain: Operated, settings: ExchangeSettings): Promise<void> =>
  chain.operate((state) => {
    const address = deriveState(DRIFT_V2_INSTANCE);
    const account = state.account(address);
    const data = stateLayout.encode({ ...stateLayout.decode(account.data), ...settings });
    state.put(new Map([[address, { ...account, data }]]));
  });

/** Pauses or resumes deposits, withdrawals and trades of the exchange. */
export const setExchangePaused = (chain: Operated, isPaused: boolean): Promise<void> =>
  changeExchange(chain, { exchangeStatus: isPaused ? 127 : 0 });

/** Lets one fill of the first market take at most so many base units, half of what its curve has left on either side. */
export const boundFills = (chain: Operated, most: bigint): Promise<void> =>
  chain.operate((state) => {
    const address = derivePerpMarket(DRIFT_V2_INSTANCE, 0);
    const account = state.account(address);
    const market = perpMarketLayout.decode(account.data);
    const { baseAssetReserve } = market.amm;
    const amm = {
      ...market.amm,
      minBaseAssetReserve: baseAssetReserve - 2n * most,
      maxBaseAssetReserve: baseAssetReserve + 2n * most,
    };
    const data = perpMarketLayout.encode({ ...market, amm });
    state.put(new Map([[address, { ...account, data }]]));
  });

/** Sets the rent per byte of an account, in lamports. */
export const setRentPerByte = (chain: Operated, perByte: bigint): Promise<void> =>
  chain.operate((state) => state.put(new Map([[RENT_SYSVAR, rentSysvar(perByte)]])));
