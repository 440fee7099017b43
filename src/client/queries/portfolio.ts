import { getPortfolio } from "../../contract/portfolio.ts";
import type { Range } from "../../domain/performance/range.ts";
import { keysOf } from "./keys.ts";
import { keptFor, read } from "./read.ts";
import type { SignedInWallet } from "../lib/session.ts";

/** Poll interval in milliseconds; price changes send no notice. */
const POLL_MS = 15_000;

/** Portfolio of a wallet's agents. The previous range's answer is kept while another one loads. */
export const portfolioQuery = (address: SignedInWallet, range: Range) => ({
  ...read(
    [...keysOf(address).portfolio, range],
    getPortfolio,
    address && { params: { walletAddress: address }, query: { range } },
  ),
  placeholderData: keptFor(address),
  refetchInterval: POLL_MS,
});
