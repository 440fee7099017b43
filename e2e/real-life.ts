import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Address, Signature } from "@solana/kit";
import { createCustodyKeys } from "../src/server/custody/account/custody-keys.ts";
import { formatDecimal, formatFixed } from "../src/domain/amount.ts";
import { perpMarketLayout } from "../src/venues/drift/layout-perp-market.ts";
import { priceUpdateLayout } from "../src/solana/programs/pyth-receiver.ts";
import { spotMarketLayout } from "../src/venues/drift/layout-spot-market.ts";
import { userLayout } from "../src/venues/drift/layout-user.ts";
import { ORDER_ACTION, parseOrderActionLog } from "../src/venues/drift/order-action-record.ts";
import { deriveSpotMarket, deriveUser } from "../src/venues/drift/pdas.ts";
import { DRIFT_V2_INSTANCE as IDS } from "../src/venues/drift/instance.ts";
import { SOL_ORACLE, SOL_PERP } from "../test/drift-cases/initialised-exchange.ts";
import { writeKeyFile } from "../test/key-file.ts";
import type { RealNetwork } from "../test/twin/real-network.ts";

const OPERATE = join(import.meta.dirname, "../dist/server/operate.js");
const SOL = 1_000_000_000n;

/** Creates a deployment's settings: funds the fee payer and creates the lookup table by the operator's command. */
export async function deployOn(network: RealNetwork, dataDir: string, operate = OPERATE) {
  const [tradingKeySecret, sessionSecret] = [randomBytes(32), randomBytes(32)].map((secret) =>
    secret.toString("hex"),
  ) as [string, string];
  const keys = createCustodyKeys(Buffer.from(tradingKeySecret));
  await network.give(keys.feePayer.address, 100n * SOL);
  const settings = {
    NETWORKS: "practice,devnet",
    RPC_URL_DEVNET: network.url,
    RPC_REQUESTS_PER_SECOND: "1000",
    DELEGATE_SECRET_FILE: writeKeyFile(dataDir, tradingKeySecret),
    SESSION_SECRET: sessionSecret,
  };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [operate, "lookup-table", "devnet"],
    { env: { ...process.env, ...settings, DATA_DIR: dataDir } },
  );
  const table = /LOOKUP_TABLE_DEVNET=(\w+)/.exec(stdout)?.[1];
  if (table === undefined) throw new Error(`No table was made: ${stdout}`);
  return { keys, settings: { ...settings, LOOKUP_TABLE_DEVNET: table } };
}

/** Returns an agent's account, decoded from chain bytes, in the terms of the product's answers. */
export function accountOnChain(network: RealNetwork, vault: Address) {
  const bytes = (at: Address): Uint8Array => {
    const state = network.account(at);
    if (state === null) throw new Error(`There is nothing at ${at}`);
    return state.data;
  };
  const user = userLayout.decode(bytes(deriveUser(IDS, vault, 0)));
  const market = spotMarketLayout.decode(bytes(deriveSpotMarket(IDS, 0)));
  const { price } = priceUpdateLayout.decode(bytes(SOL_ORACLE));
  const { amm } = perpMarketLayout.decode(bytes(SOL_PERP));
  const [held] = user.spotPositions;
  const deposit = ((held?.scaledBalance ?? 0n) * market.cumulativeDepositInterest) / 10n ** 13n;
  const slot = user.perpPositions.find((each) => each.marketIndex === 0);
  const base = slot?.baseAssetAmount ?? 0n;
  const quote = slot?.quoteAssetAmount ?? 0n;
  const value = ((base < 0n ? -base : base) * price) / SOL;
  const rate = base < 0n ? amm.cumulativeFundingRateShort : amm.cumulativeFundingRateLong;
  // Nine decimals of quote per base asset, times nine of the base, in units of six
  const funding =
    base === 0n ? 0n : ((rate - (slot?.lastCumulativeFundingRate ?? 0n)) * -base) / 10n ** 12n;
  const pnl = (base < 0n ? -value : value) + quote + funding;
  return {
    base,
    deposit,
    pnl,
    openOrders: user.openOrders,
    figures: {
      position: formatDecimal(base, 9),
      portfolioValue: formatFixed(deposit + pnl, 6, 2),
      positionValue: formatFixed(base === 0n ? 0n : value, 6, 2),
    },
  };
}

const recordsOf = async ({ chain }: RealNetwork, signature: Signature) =>
  ((await chain.transaction(signature))?.logs ?? []).flatMap(
    (line) => parseOrderActionLog(line) ?? [],
  );

/** Returns the fill of an order from chain events, in any transaction; `signature` placed it or, an owner's, filled it. */
export async function filledOnChain(
  network: RealNetwork,
  vault: Address,
  signature: string,
): Promise<string> {
  const told = await recordsOf(network, signature as Signature);
  const named = [ORDER_ACTION.place, ORDER_ACTION.fill].flatMap((wanted) =>
    told.filter(({ action }) => action === wanted),
  );
  const orderId = named[0]?.takerOrderId;
  const signatures = await network.chain.signaturesFor(deriveUser(IDS, vault, 0), 1_000);
  const all = await Promise.all(signatures.map((signature) => recordsOf(network, signature)));
  const base = all
    .flat()
    .filter(({ action, takerOrderId }) => action === ORDER_ACTION.fill && takerOrderId === orderId)
    .reduce((sum, { baseAssetAmountFilled }) => sum + (baseAssetAmountFilled ?? 0n), 0n);
  return formatDecimal(base, 9);
}
