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

/** Binance, individual symbol ticker of a combined stream. */
export const BINANCE_MESSAGE = {
  stream: "bnbbtc@ticker",
  data: {
    e: "24hrTicker",
    E: 1_672_515_782_136,
    s: "BNBBTC",
    p: "0.0015",
    P: "250.00",
    w: "0.0018",
    x: "0.0009",
    c: "0.0025",
    Q: "10",
    b: "0.0024",
    B: "10",
    a: "0.0026",
    A: "100",
    o: "0.0010",
    h: "0.0025",
    l: "0.0010",
    v: "10000",
    q: "18",
    O: 0,
    C: 86_400_000,
    F: 0,
    L: 18_150,
    n: 18_151,
  },
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
