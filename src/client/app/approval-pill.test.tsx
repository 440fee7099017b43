import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { agentIdOf, chatIdOf } from "../../../test/ids.ts";
import { buildAgent } from "../../../test/shown-agent.ts";
import { parseOwner } from "../../domain/ids.ts";
import { replaceFetch } from "../lib/api.ts";
import { ApprovalPill } from "./workspace-header.tsx";
import { closeDialog, useDialogs } from "../lib/dialogs.ts";
import { session } from "../lib/session.ts";

const OWNER = parseOwner("5E9rRCLgieqMgY1vyKfvRNSGHf9ovvKakHmUG8PCFCSn");

session.setState({ status: "signed-in", address: OWNER });
const BOT = agentIdOf("a");
const CHAT = chatIdOf("c");
const OPEN = "d".repeat(32);

const agent = buildAgent({ id: BOT, chatId: CHAT, owner: OWNER });

const custody = (openTransactionId: string | null) => ({
  multisig: null,
  steps: [],
  vaultLamports: null,
  ownerLamports: null,
  ownerQuote: "1000",
  quoteSymbol: "USDC",
  unrecoverableLamports: "0",
  openTransactionId,
});

const transaction = (state: string) => ({
  id: OPEN,
  agentId: BOT,
  intent: "deposit",
  step: 1,
  stepCount: 2,
  label: "Deposit USDC",
  state,
  amount: "42",
  hasNext: false,
});

function OpenDialog() {
  return <output>{JSON.stringify(useDialogs().open)}</output>;
}

function show(answers: Record<string, unknown>) {
  const asked: string[] = [];
  replaceFetch((input) => {
    const path = (input as string).split("?")[0] ?? "";
    asked.push(path);
    return Promise.resolve(Response.json(answers[path]));
  });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ApprovalPill agent={agent} />
      <OpenDialog />
    </QueryClientProvider>,
  );
  return { asked, user: userEvent.setup() };
}

describe("the header's approval pill", () => {
  beforeEach(closeDialog);

  it("is shown while a transaction is pending, and reopens its approval", async () => {
    const { user } = show({
      [`/api/agents/${BOT}/custody`]: custody(OPEN),
      [`/api/tx/${OPEN}`]: transaction("sent"),
    });
    const pill = await screen.findByRole("button", { name: /Deposit USDC - transaction 1 of 2/ });
    await user.click(pill);
    expect(JSON.parse(screen.getByText(/approval/).textContent ?? "")).toEqual({
      kind: "approval",
      chatId: CHAT,
      transactionId: OPEN,
    });
  });

  it("is hidden without a transaction and for an unsent one", async () => {
    for (const [answers, last] of [
      [{ [`/api/agents/${BOT}/custody`]: custody(null) }, `/api/agents/${BOT}/custody`],
      [
        {
          [`/api/agents/${BOT}/custody`]: custody(OPEN),
          [`/api/tx/${OPEN}`]: transaction("prepared"),
        },
        `/api/tx/${OPEN}`,
      ],
    ] as const) {
      const { asked } = show(answers);
      await expect.poll(() => asked).toContain(last);
      await new Promise((resolve) => setTimeout(resolve));
      expect(screen.queryByRole("button")).toBeNull();
    }
  });
});
