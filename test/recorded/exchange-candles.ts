/**
 * What Binance's spot test network answered on 2021-06-24, recorded by fremantle-industries/ex_binance in
 * `fixture/vcr_cassettes/klines_symbol_interval_with_time_and_limit_ok.json`.
 */
export const RECORDED_BINANCE = {
  request:
    "https://testnet.binance.vision/api/v3/klines?endTime=1624440000000&interval=1m&limit=2&startTime=1624438800000&symbol=BTCUSDT",
  body: '[[1624438800000,"33800.00000000","33800.00000000","33666.01000000","33784.38000000","0.64906000",1624438859999,"21900.06475101",52,"0.45358400","15296.35728097","0"],[1624438860000,"33789.26000000","33845.40000000","33785.58000000","33845.40000000","0.48879200",1624438919999,"16527.62739828",35,"0.48791700","16498.06501578","0"]]',
} as const;

/** Bybit's own example of `GET /v5/market/kline`, as its documentation shows it: an inverse contract, newest first. */
export const DOCUMENTED_BYBIT = {
  request:
    "https://api-testnet.bybit.com/v5/market/kline?category=inverse&symbol=BTCUSD&interval=60&start=1670601600000&end=1670608800000",
  body: '{"retCode":0,"retMsg":"OK","result":{"symbol":"BTCUSD","category":"inverse","list":[["1670608800000","17071","17073","17027","17055.5","268611","15.74462667"],["1670605200000","17071.5","17071.5","17061","17071","4177","0.24469757"],["1670601600000","17086.5","17088","16978","17071.5","6356","0.37288112"]]},"retExtInfo":{},"time":1672025956592}',
} as const;
