import { describe, expect, it } from "vitest";
import { openJupiterFixture } from "../../../test/jupiter-fixture.ts";
import { fundVenueAccount } from "../../../test/venue-conformance.ts";
import { type Account, ChainUnavailableError } from "../../solana/chain.ts";
import { SQUADS_PROGRAM } from "../../solana/programs/squads.ts";
import { SYSTEM_PROGRAM } from "../../solana/programs/system.ts";
import { wrapChain } from "../../../test/wrap-chain.ts";
import { quoteToken, tokenAccountOf } from "./instance.ts";
import { limitAddress } from "./spending-limits.ts";
import { readVault } from "./vault-reader.ts";

const lies: readonly [string, (account: Account) => Account][] = [
  ["without its content", (account) => ({ ...account, data: new Uint8Array() })],
  ["shortened", (account) => ({ ...account, data: account.data.slice(0, 100) })],
  ["as zeros", (account) => ({ ...account, data: new Uint8Array(account.data.length) })],
  ["as another program's", (account) => ({ ...account, owner: SQUADS_PROGRAM })],
];

async function openFunded() {
  const fixture = await openJupiterFixture();
  await fundVenueAccount(fixture);
  const { chain, venue, account } = fixture;
  const { instance } = venue;
  const reading = (at: string, change: (account: Account) => Account) =>
    readVault(
      wrapChain(chain, (inner) => ({
        async accounts(addresses, options) {
          const answer = await inner.accounts(addresses, options);
          const accounts = answer.accounts.map((each) =>
            each?.address === at ? change(each) : each,
          );
          return { ...answer, accounts };
        },
      })),
      instance,
      account,
    );
  return { reading, account, quote: quoteToken(instance) };
}

describe("a vault's balance", () => {
  it.each(lies)("answered %s is not a balance of zero", async (_, change) => {
    const { reading, account, quote } = await openFunded();
    const at = tokenAccountOf(account.vault, quote);
    await expect(reading(at, change)).rejects.toThrow(ChainUnavailableError);
    expect((await reading(at, (same) => same)).quote.held).toBe(500_000_000n);
  });

  it("is absent when the account only holds lamports", async () => {
    const { reading, account, quote } = await openFunded();
    const dusted = await reading(tokenAccountOf(account.vault, quote), (held) => ({
      ...held,
      owner: SYSTEM_PROGRAM,
      data: new Uint8Array(),
    }));
    expect(dusted.quote.held).toBeNull();
  });
});

it("treats a spending limit without content as no answer", async () => {
  const { reading, account, quote } = await openFunded();
  const at = limitAddress(account, quote.mint);
  const shortened = reading(at, (limit) => ({ ...limit, data: limit.data.slice(0, 40) }));
  await expect(shortened).rejects.toThrow(ChainUnavailableError);
});
