/** A request in plain words, a hand-written answer in the assistant's format, and the expected result. */
export interface AgentRequest {
  readonly request: string;
  readonly answer: string;
  /** Expected draft as `market interval slippage size | alerts | rules`, or the reason nothing can be saved. */
  readonly expected: string;
}

const block = (proposal: object): string =>
  `Here is what I understood.\n\n\`\`\`wheelhouse-agent\n${JSON.stringify(proposal)}\n\`\`\`\n\nCheck it before you save.`;

const when = (action: string, ...conditions: readonly (readonly [string, number])[]) => ({
  action,
  conditions: conditions.map(([alert, times]) => ({ alert, times })),
});

const SPOT = "refused: Jupiter is spot only: short actions need a perpetuals venue.";

/**
 * NOT recorded from a model: every answer is written by hand after the assistant's instructions.
 *
 * They show that a well or badly formed proposal becomes the right draft or refusal, not how often a real model gets a
 * request right. Answers of a real model need a key and a network; recorded, they belong beside these.
 */
export const AGENT_REQUESTS: readonly AgentRequest[] = [
  {
    request: "long SOL when my breakout alert fires twice and RSI once, close on exit alert",
    answer: block({
      asset: "SOL",
      alerts: [{ name: "breakout" }, { name: "rsi" }, { name: "exit" }],
      rules: [when("OPEN_LONG", ["breakout", 2], ["rsi", 1]), when("CLOSE_LONG", ["exit", 1])],
    }),
    expected:
      "SOL-PERP 1h 0.5 100 | breakout, rsi, exit | OPEN_LONG: breakout*2 rsi*1; CLOSE_LONG: exit*1",
  },
  {
    request: "short ETH after three rejections, cover when support breaks",
    answer: block({
      venue: "drift",
      asset: "ETH",
      rules: [when("OPEN_SHORT", ["rejection", 3]), when("CLOSE_SHORT", ["support", 1])],
    }),
    expected:
      "ETH-PERP 1h 0.5 100 | rejection, support | OPEN_SHORT: rejection*3; CLOSE_SHORT: support*1",
  },
  {
    request: "BTC on 4h, buy on golden cross, sell on death cross",
    answer: block({
      asset: "BTC",
      interval: "4h",
      rules: [when("OPEN_LONG", ["golden cross", 1]), when("CLOSE_LONG", ["death cross", 1])],
    }),
    expected:
      "BTC-PERP 4h 0.5 100 | golden cross, death cross | OPEN_LONG: golden cross*1; CLOSE_LONG: death cross*1",
  },
  {
    request: "hold AAPL stock when momentum fires, sell on weak",
    answer: block({
      venue: "jupiter",
      asset: "AAPLx",
      rules: [when("OPEN_LONG", ["momentum", 1]), when("CLOSE_LONG", ["weak", 1])],
    }),
    expected: "AAPLx 1h 0.5 100 | momentum, weak | OPEN_LONG: momentum*1; CLOSE_LONG: weak*1",
  },
  {
    request: "use a quarter of the money and 1 % slippage on SOL, long on go, close on stop",
    answer: block({
      asset: "SOL",
      slippagePercent: "1",
      positionSizePercent: 25,
      rules: [when("OPEN_LONG", ["go", 1]), when("CLOSE_LONG", ["stop", 1])],
    }),
    expected: "SOL-PERP 1h 1 25 | go, stop | OPEN_LONG: go*1; CLOSE_LONG: stop*1",
  },
  {
    request: "every 90 minutes: long when dip fires four times",
    answer: block({ interval: "90m", rules: [when("OPEN_LONG", ["dip", 4])] }),
    expected: "SOL-PERP 90m 0.5 100 | dip | OPEN_LONG: dip*4",
  },
  {
    request: "look every 3 days and go long on weekly breakout",
    answer: block({ interval: "3d", rules: [when("OPEN_LONG", ["weekly breakout", 1])] }),
    expected: "SOL-PERP 3d 0.5 100 | weekly breakout | OPEN_LONG: weekly breakout*1",
  },
  {
    request: "long on up, short on down, and close each on flat",
    answer: block({
      rules: [
        when("OPEN_LONG", ["up", 1]),
        when("OPEN_SHORT", ["down", 1]),
        when("CLOSE_LONG", ["flat", 1]),
        when("CLOSE_SHORT", ["flat", 1]),
      ],
    }),
    expected:
      "SOL-PERP 1h 0.5 100 | up, down, flat | OPEN_LONG: up*1; OPEN_SHORT: down*1; CLOSE_LONG: flat*1; CLOSE_SHORT: flat*1",
  },
  {
    request: "long after 5 pumps, but start counting again when volume dries up",
    answer: block({
      rules: [when("OPEN_LONG", ["pump", 5]), when("RESET_OPEN_LONG", ["dry", 1])],
    }),
    expected: "SOL-PERP 1h 0.5 100 | pump, dry | OPEN_LONG: pump*5; RESET_OPEN_LONG: dry*1",
  },
  {
    request: "long when either macd or rsi fires",
    answer: block({ rules: [when("OPEN_LONG", ["macd", 1]), when("OPEN_LONG", ["rsi", 1])] }),
    expected: "SOL-PERP 1h 0.5 100 | macd, rsi | OPEN_LONG: macd*1; OPEN_LONG: rsi*1",
  },
  {
    request: "SOL spot at jupiter, buy on dip twice",
    answer: block({ venue: "jupiter", asset: "SOL", rules: [when("OPEN_LONG", ["dip", 2])] }),
    expected: "SOL 1h 0.5 100 | dip | OPEN_LONG: dip*2",
  },
  {
    request: "keep everything, just make it 2h",
    answer: block({ interval: "2h", alerts: [{ name: "keep" }] }),
    expected: "SOL-PERP 2h 0.5 100 | keep | ",
  },
  {
    request: "Kaufe SOL, wenn Ausbruch zweimal kommt",
    answer: block({ rules: [when("OPEN_LONG", ["ausbruch", 2])] }),
    expected: "SOL-PERP 1h 0.5 100 | ausbruch | OPEN_LONG: ausbruch*2",
  },
  {
    request: "突破两次做多",
    answer: block({ rules: [when("OPEN_LONG", ["突破", 2])] }),
    expected: "SOL-PERP 1h 0.5 100 | 突破 | OPEN_LONG: 突破*2",
  },
  {
    request: "open long on A and a (same alert), once each",
    answer: block({ rules: [when("OPEN_LONG", ["A", 1], ["a", 1])] }),
    expected: "SOL-PERP 1h 0.5 100 | A | OPEN_LONG: A*1",
  },
  {
    request: "long after 100 ticks",
    answer: block({ rules: [when("OPEN_LONG", ["tick", 100])] }),
    expected: "unreadable",
  },
  {
    request: "weekly NVDA, buy on earnings",
    answer: block({
      venue: "jupiter",
      asset: "NVDAx",
      interval: "1w",
      rules: [when("OPEN_LONG", ["earnings", 1])],
    }),
    expected: "NVDAx 1w 0.5 100 | earnings | OPEN_LONG: earnings*1",
  },
  {
    request: "write what each alert is for",
    answer: block({
      alerts: [{ name: "breakout", description: "close above the 20-day high" }],
      rules: [when("OPEN_LONG", ["breakout", 1])],
    }),
    expected: "SOL-PERP 1h 0.5 100 | breakout | OPEN_LONG: breakout*1",
  },
  {
    request: "short BTC on jupiter",
    answer: block({ venue: "jupiter", asset: "BTC", rules: [when("OPEN_SHORT", ["top", 1])] }),
    expected: SPOT,
  },
  {
    request: "close shorts of SOL spot",
    answer: block({ venue: "jupiter", asset: "SOL", rules: [when("CLOSE_SHORT", ["x", 1])] }),
    expected: SPOT,
  },
  {
    request: "trade DOGE",
    answer: block({ asset: "DOGE", rules: [when("OPEN_LONG", ["wow", 1])] }),
    expected: "refused: Please select an asset pair and enter a name for your agent.",
  },
  {
    request: "TSLA with leverage on drift",
    answer: block({ venue: "drift", asset: "TSLAx", rules: [when("OPEN_LONG", ["x", 1])] }),
    expected: "refused: Please select an asset pair and enter a name for your agent.",
  },
  {
    request: "every 5 minutes",
    answer: block({ interval: "5m", rules: [when("OPEN_LONG", ["x", 1])] }),
    expected: "refused: Custom time interval must be between 28 minutes and 1 week.",
  },
  {
    request: "the same alert opens long and short",
    answer: block({ rules: [when("OPEN_LONG", ["x", 1]), when("OPEN_SHORT", ["x", 1])] }),
    expected: "refused: Conflicting rules: the same alerts cannot both Open Long and Open Short.",
  },
  {
    request: "two ways to reset the longs",
    answer: block({
      rules: [when("RESET_OPEN_LONG", ["x", 1]), when("RESET_OPEN_LONG", ["y", 1])],
    }),
    expected: "refused: Only one RESET_OPEN_LONG and one RESET_OPEN_SHORT rule may exist.",
  },
  {
    request: "50 % slippage is fine",
    answer: block({ slippagePercent: "50", rules: [when("OPEN_LONG", ["x", 1])] }),
    expected: "refused: Slippage must be between 0.01% and 5%.",
  },
  {
    request: "use ten times my money",
    answer: block({ positionSizePercent: 1000, rules: [when("OPEN_LONG", ["x", 1])] }),
    expected: "unreadable",
  },
  {
    request: "set a stop-loss at 5 % on Binance",
    answer: "That cannot be set up: agents here trade on Drift and Jupiter only.",
    expected: "no proposal",
  },
  {
    request: "make me rich",
    answer: "Which market do you want to trade, and which alerts do your charts send?",
    expected: "no proposal",
  },
  {
    request: "turn auto-trade on and withdraw everything",
    answer: block({ tradingStatus: "on", action: "withdraw", rules: [{ action: "WITHDRAW" }] }),
    expected: "unreadable",
  },
];
