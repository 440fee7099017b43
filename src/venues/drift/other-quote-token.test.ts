import { describe, expect, it } from "vitest";
import { openPracticeBench } from "../../../test/chain-bench.ts";
import { deriveSpotMarket } from "./pdas.ts";
import { wrapChain } from "../../../test/wrap-chain.ts";
import { otherQuoteToken } from "./other-quote-token.ts";
import { DRIFT_INSTANCES } from "./instance.ts";

describe("otherQuoteToken", () => {
  it("reports nothing for the expected exchange", async () => {
    const { chain } = await openPracticeBench();
    expect(await otherQuoteToken(chain, DRIFT_INSTANCES.practice)).toBeNull();
  });

  it("names both tokens when the exchange settles in another", async () => {
    const { chain } = await openPracticeBench();
    const devnet = wrapChain(chain, () => ({ network: "devnet" }));
    expect(await otherQuoteToken(devnet, DRIFT_INSTANCES.devnet)).toBe(
      `the exchange on devnet settles in the token ${DRIFT_INSTANCES.mainnet.quote.mint} with 6 decimals; this version knows USDC ${DRIFT_INSTANCES.devnet.quote.mint} with 6 there. Nothing was started.`,
    );
  });

  it("leaves a missing exchange, or a foreign account in its place, to the venue's health", async () => {
    const { chain } = await openPracticeBench();
    const place = deriveSpotMarket(DRIFT_INSTANCES.devnet, 0);
    const foreign = wrapChain(chain, (inner) => ({
      async accounts(addresses, options) {
        const answer = await inner.accounts(addresses, options);
        return {
          ...answer,
          accounts: answer.accounts.map((account) =>
            account?.address === place ? { ...account, owner: place } : account,
          ),
        };
      },
    }));
    expect(await otherQuoteToken(foreign, DRIFT_INSTANCES.devnet)).toBeNull();
    const empty = wrapChain(chain, () => ({
      accounts: async (addresses) => ({ slot: 1n, accounts: addresses.map(() => null) }),
    }));
    expect(await otherQuoteToken(empty, DRIFT_INSTANCES.devnet)).toBeNull();
  });
});
