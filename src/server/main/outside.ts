import { PRICE_DIALECTS } from "../../venues/price-dialects.ts";
import {
  assetOf,
  JUPITER_INSTANCE,
  JUPITER_PROGRAM,
  quoteToken,
  tokenAccountOf,
} from "../../venues/jupiter/instance.ts";
import { buildUrl, JUPITER_API_URL, parseBuildResponse } from "../../venues/jupiter/http-router.ts";

/** Price sources that are asked for more than prices: for what, and what stops without them. */
const MORE: Readonly<Record<string, readonly [use: string, stops: string]>> = {
  Binance: [", candles", "conditions and simulations, where no other source has candles"],
  Bybit: [", candles, funding", "conditions and simulations, where no other source has candles"],
  Jupiter: [", swaps", "entries, exits and sales of agents that swap"],
};

const SOURCES = Object.values(PRICE_DIALECTS).flatMap((source) =>
  source.kind === "accounts"
    ? []
    : {
        host: new URL(source.origin).host,
        use: `prices${MORE[source.label]?.[0] ?? ""}`,
        askedBy: "server, signer",
        answer: "a bid and an ask of each asset",
        key: source.key ?? "",
        stops: MORE[source.label]?.[1] ?? "one source of prices",
        terms: source.page,
      },
);

/** Host, what for, who asks, the answer expected, the setting of its key, what stops without it, where its terms stand. */
const OTHERS = `
api.telegram.org | notices | server | that the bot is unknown | | notices by Telegram | https://core.telegram.org/bots/api
api.openai.com | the assistant | page | models, answers | AI_ORIGINS | the chat with it | https://platform.openai.com/docs/guides/rate-limits
api.anthropic.com | the assistant | page | models, answers | AI_ORIGINS | the chat with it | https://docs.anthropic.com/en/api/rate-limits
generativelanguage.googleapis.com | the assistant | page | models, answers | AI_ORIGINS | the chat with it | https://ai.google.dev/gemini-api/docs/rate-limits
platform.openai.com | where a key is made | reader | a page | | nothing | https://openai.com/policies/terms-of-use
console.anthropic.com | where a key is made | reader | a page | | nothing | https://www.anthropic.com/legal/commercial-terms
aistudio.google.com | where a key is made | reader | a page | | nothing | https://ai.google.dev/gemini-api/terms
explorer.solana.com | a look at a transaction | reader | a page | | nothing | https://explorer.solana.com
phantom.com | a wallet | reader | a page | | nothing | https://phantom.com/terms
solflare.com | a wallet | reader | a page | | nothing | https://www.solflare.com/terms
www.tradingview.com | who made the chart | reader | a page | | nothing | https://www.tradingview.com/policies
registry.npmjs.org | packages | build | the packages of the lock | | installing from the sources | https://docs.npmjs.com/policies/terms
`;

/** Every host outside that the sources name; nodes, the mail server and whatever owners name are settings. */
export const OUTSIDE = [
  ...SOURCES,
  ...OTHERS.trim()
    .split("\n")
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .map(([host = "", use = "", askedBy = "", answer = "", key = "", stops = "", terms = ""]) => {
      return { host, use, askedBy, answer, key, stops, terms };
    }),
];

/** The swap router of mainnet, and the swap that is asked for to see whether it works: nobody signs it. */
export const SWAP_ROUTER = {
  source: "jupiter",
  network: "mainnet",
  venue: "jupiter",
  url: buildUrl(JUPITER_API_URL, {
    inputMint: assetOf(JUPITER_INSTANCE, "SOL").mint,
    outputMint: JUPITER_INSTANCE.quote.mint,
    amount: 10_000_000n,
    slippageBps: 100,
    taker: JUPITER_PROGRAM,
    destination: tokenAccountOf(JUPITER_PROGRAM, quoteToken(JUPITER_INSTANCE)),
    maxAccounts: 40,
  }),
  /** Throws for an answer of another form. */
  read: (body: unknown) => parseBuildResponse(JSON.stringify(body)),
} as const;
