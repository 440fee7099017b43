import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { agentIdOf } from "../../../../test/ids.ts";
import { signFact, TERMS } from "../../../../test/signed-fact.ts";
import { createTestWallet } from "../../../../test/wallet.ts";
import type { OwnerFact } from "../../../contract/owner-facts.ts";
import { encodeBase58 } from "../../../domain/base58.ts";
import { parseOwner } from "../../../domain/ids.ts";
import { replaceFetch } from "../../lib/api.ts";
import { session } from "../../lib/session.ts";
import { SignedList } from "./signed-list.tsx";

const OWNER = parseOwner("5E9rRCLgieqMgY1vyKfvRNSGHf9ovvKakHmUG8PCFCSn");

session.setState({ status: "signed-in", address: OWNER });

function open(facts: readonly OwnerFact[]): void {
  replaceFetch(() => Promise.resolve(Response.json(facts)));
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <SignedList agentId={agentIdOf("a")} />
    </QueryClientProvider>,
  );
}

it("shows what was signed with its text and signature, and what ended it", async () => {
  const { kind, wallet, text, signature, parts } = signFact(createTestWallet());
  const tradingKey = TERMS.custody?.tradingKey ?? "";
  open([
    { kind: "key_withdrawn", at: "2026-11-23T08:00:00.000Z", tradingKey },
    { kind: "off", at: "2026-11-22T08:00:00.000Z" },
    {
      kind,
      at: "2026-11-21T08:00:00.000Z",
      wallet,
      text,
      signature: encodeBase58(signature),
      parts,
    },
  ]);
  const [withdrawn, off, signed] = within(await screen.findByRole("list")).getAllByRole("listitem");
  expect(withdrawn?.textContent).toContain(`withdrew the trading key ${tradingKey}`);
  expect(off?.textContent).toContain("Turned off");
  expect(signed?.textContent).toContain('Signed by you: Turn on auto-trade of the agent "A".');
  expect(signed?.querySelector("pre")?.textContent).toBe(text);
  expect(signed?.textContent).toContain(encodeBase58(signature));
  expect(screen.getByRole("button", { name: "Download" })).toBeDefined();
});

it("says that nothing was signed since texts are kept", async () => {
  open([]);
  expect(await screen.findByText(/^Nothing yet: the agent keeps/)).toBeDefined();
  expect(screen.queryByRole("button")).toBeNull();
});
