import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { EffectLines } from "./effect-lines.tsx";
import type { Effect } from "../../venues/effect.ts";

const [WALLET, VAULT, KEY, ACCOUNT] = ["wallet", "vault", "key", "account"];

function linesOf(effects: readonly Effect[]): readonly (string | undefined)[] {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <EffectLines
        effects={effects}
        network="practice"
        quoteSymbol="USDC"
        quoteDecimals={6}
        wallet={WALLET}
        vault={VAULT}
        stolenKey="A stolen key can lose it all."
      />
    </QueryClientProvider>,
  );
  const list = screen.getByRole("list", { name: "What the transaction does" });
  return within(list)
    .getAllByRole("listitem")
    .map((item) => item.querySelector("p")?.textContent);
}

const move = (by: string, symbol = "USDC", amount = 2_500_000n): Effect => ({
  kind: "tokens",
  by,
  from: "a",
  to: "b",
  mint: "m",
  amount,
  decimals: 6,
  symbol,
  namesMint: true,
});

it("names direction and token of every transfer", () => {
  const large = move(WALLET, "USDC", 1_234_567_890_001n);
  expect(linesOf([move(VAULT, "NVDAx"), move(WALLET), large])).toEqual([
    "Moves 2.5 NVDAx to your wallet",
    "Moves 2.5 USDC into the vault",
    "Moves 1,234,567.890001 USDC into the vault",
  ]);
});

it("names owner and token of each account that is opened or closed", () => {
  const opening = (owner: string, symbol = "USDC"): Effect => ({
    kind: "create-token-account",
    account: ACCOUNT,
    owner,
    symbol,
  });
  const closing = (owner: string, symbol = "USDC"): Effect => ({
    kind: "close-token-account",
    account: ACCOUNT,
    owner,
    to: VAULT,
    symbol,
  });
  expect(
    linesOf([opening(VAULT), opening(WALLET, "SOL"), opening(KEY, "BTC"), closing(VAULT, "BTC")]),
  ).toEqual([
    "Opens the vault's USDC account, unless it is open",
    "Opens your SOL account, unless it is open",
    "Opens the trading key's BTC account, unless it is open",
    "Closes the vault's empty BTC account; its rent returns",
  ]);
});
