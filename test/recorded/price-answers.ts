/**
 * Answers of price sources in the form of their documentation; the test server puts its own market, prices and times in.
 */

/** Pyth, Hermes API, `GET /v2/updates/price/latest?parsed=true`. */
export const PYTH_ANSWER = {
  binary: { encoding: "hex", data: ["504e41550100000003b801000000040d00"] },
  parsed: [
    {
      id: "e62df6c8b4a85fe1a67db44dc12de5db330f7ac66b72dc658afedf0f4a415b43",
      price: {
        price: "6140993501000",
        conf: "3287868567",
        expo: -8,
        publish_time: 1_714_746_101,
      },
      ema_price: {
        price: "6094004700000",
        conf: "3464669600",
        expo: -8,
        publish_time: 1_714_746_101,
      },
      metadata: {
        slot: 138_881_186,
        proof_available_time: 1_714_746_103,
        prev_publish_time: 1_714_746_101,
      },
    },
  ],
};

/** Bybit, API v5, `GET /v5/market/orderbook?category=spot`. */
export const BYBIT_ANSWER = {
  retCode: 0,
  retMsg: "OK",
  result: {
    s: "BTCUSDT",
    a: [["65557.7", "16.606555"]],
    b: [["65485.47", "47.081829"]],
    ts: 1_716_863_719_031,
    u: 230_704,
    seq: 1_432_604_333,
    cts: 1_716_863_718_905,
  },
  retExtInfo: {},
  time: 1_716_863_719_382,
};

/** Binance, spot, one of `GET /api/v3/ticker/24hr?symbols=…`. */
export const BINANCE_TICKER = {
  symbol: "BNBBTC",
  priceChange: "-94.99999800",
  priceChangePercent: "-95.960",
  weightedAvgPrice: "0.29628482",
  prevClosePrice: "0.10002000",
  lastPrice: "4.00000200",
  lastQty: "200.00000000",
  bidPrice: "4.00000000",
  bidQty: "100.00000000",
  askPrice: "4.00000200",
  askQty: "100.00000000",
  openPrice: "99.00000000",
  highPrice: "100.00000000",
  lowPrice: "0.10000000",
  volume: "8913.30000000",
  quoteVolume: "15.30000000",
  openTime: 1_499_783_499_040,
  closeTime: 1_499_869_899_040,
  firstId: 28_385,
  lastId: 28_460,
  count: 76,
};

/** Coinbase Exchange, `GET /products/{product_id}/book?level=1`. */
export const COINBASE_BOOK = {
  sequence: 13_051_505_638,
  bids: [["6247.58", "6.3578146", 2]],
  asks: [["6251.52", "2", 1]],
  time: "2021-02-12T01:09:23.334723Z",
  auction_mode: false,
  auction: null,
};

/** Kraken, one pair of `GET /0/public/Ticker`. */
export const KRAKEN_TICKER = {
  a: ["30300.10000", "1", "1.000"],
  b: ["30300.00000", "1", "1.000"],
  c: ["30303.20000", "0.00067643"],
  v: ["4083.67001100", "4412.73601799"],
  p: ["30706.77771", "30689.13205"],
  t: [34_619, 38_907],
  l: ["29868.30000", "29868.30000"],
  h: ["31631.00000", "31631.00000"],
  o: "30502.80000",
};

/** Jupiter, price API v3, one token of `GET /price/v3`. */
export const JUPITER_PRICE = {
  createdAt: "2024-06-05T08:55:25.527Z",
  liquidity: 621_679_197.67,
  usdPrice: 147.48,
  blockId: 348_004_023,
  decimals: 9,
  priceChange24h: 1.29,
};

/** Bybit, API v5, `GET /v5/market/funding/history?category=linear`. */
export const BYBIT_FUNDING = {
  retCode: 0,
  retMsg: "OK",
  result: {
    category: "linear",
    list: [{ symbol: "ETHPERP", fundingRate: "0.0001", fundingRateTimestamp: "1672041600000" }],
  },
  retExtInfo: {},
  time: 1_672_051_897_447,
};
