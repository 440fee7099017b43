import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it } from "vitest";
import { agentIdOf } from "../../../../test/ids.ts";
import { answerApprovals, connectPageWallet } from "../../../../test/approval-answers.ts";
import { buildAgent } from "../../../../test/shown-agent.ts";
import { parseOwner } from "../../../domain/ids.ts";
import { replaceFetch } from "../../lib/api.ts";
import { openDepositDialog, useDialogs } from "../../lib/dialogs.ts";
import { toasts } from "../../lib/toast.ts";
import DepositDialog from "./deposit-dialog.tsx";
import { session } from "../../lib/session.ts";

const OWNER = parseOwner("5E9rRCLgieqMgY1vyKfvRNSGHf9ovvKakHmUG8PCFCSn");

session.setState({ status: "signed-in", address: OWNER });
const BOT = agentIdOf("a");
const OPEN = "d".repeat(32);

const agent = buildAgent({ id: BOT, chatId: "c".repeat(32), owner: OWNER });

/** Shows the dialog for as long as the workspace has it open. */
function OpenedDialog() {
  if (useDialogs().open.kind !== "deposit") return <p>No dialog is open</p>;
  return <DepositDialog agent={agent} />;
}

const isClosed = () => screen.queryByText("No dialog is open") !== null;

function open(openTransactionId: string | null = null, hasWallet = true, held = "1000") {
  connectPageWallet(hasWallet ? OWNER : null);
  const approvals = answerApprovals(BOT, { openTransactionId });
  const answers: Record<string, unknown> = {
    "/api/deployment": { networks: [] },
    [`/api/wallets/${OWNER}/balances`]: { sol: "1", quote: held, quoteSymbol: "USDC", assets: [] },
    [`/api/tx/${OPEN}`]: {
      id: OPEN,
      agentId: BOT,
      intent: "deposit",
      step: 1,
      stepCount: 1,
      label: "Deposit USDC",
      state: "sent",
      amount: "42",
      hasNext: false,
    },
  };
  replaceFetch((input, init) => {
    const path = (input as string).split("?")[0] ?? "";
    const answered = approvals.answer(path, init);
    if (answered !== null) return answered;
    return path in answers
      ? Promise.resolve(Response.json(answers[path]))
      : Promise.reject(new Error(`unexpected ${path}`));
  });
  openDepositDialog(agent);
  render(
    <QueryClientProvider client={new QueryClient()}>
      <OpenedDialog />
    </QueryClientProvider>,
  );
  return { user: userEvent.setup(), asked: approvals.asked, land: approvals.land };
}

afterEach(() => connectPageWallet(null));

describe("DepositDialog", () => {
  it("shows agent, venue, balance and the balance afterwards", async () => {
    const { user } = open();
    expect(await screen.findByText("Agent ** SOL-1h on Drift")).toBeTruthy();
    await user.type(screen.getByLabelText("USDC amount"), "8.2");
    expect(await screen.findByText("991.80 USDC")).toBeTruthy();
    expect(screen.getByRole("button", { name: "Deposit 8.2 USDC" })).toBeTruthy();
  });

  it.each([
    ["12,345.67", "Deposit 12,345.67 USDC", "12345.67"],
    ["1 000", "Deposit 1,000 USDC", "1000"],
    ["007", "Deposit 7 USDC", "7"],
    ["5.", "Deposit 5 USDC", "5"],
    ["1,000", "Deposit 1,000 USDC", "1000"],
    ["1,000.50", "Deposit 1,000.5 USDC", "1000.5"],
  ])("reads %s as the user means it", async (typed, button, asked) => {
    const { user } = open(null, true, "20000");
    const field = (await screen.findByLabelText("USDC amount")) as HTMLInputElement;
    await screen.findAllByText("20,000.00 USDC");
    await user.click(field);
    await user.paste(typed);
    expect(await screen.findByRole("button", { name: button })).toBeTruthy();
    await user.tab();
    expect(field.value).toBe(asked);
  });

  it.each([
    [
      "1,00",
      "A comma groups thousands here, as in 1,000. Write 1.00 with a point, or the number without a comma.",
    ],
    ["1e3", "Write digits only, with a point before the decimals."],
    ["-5", "Write digits only, with a point before the decimals."],
  ])(
    "says beside the field that %s is ambiguous, and disables the button",
    async (typed, words) => {
      const { user, asked } = open();
      const field = await screen.findByLabelText("USDC amount");
      await user.type(field, typed);
      expect(screen.getByRole("alert").textContent).toBe(words);
      expect(field.getAttribute("aria-invalid")).toBe("true");
      await user.click(screen.getByRole("button", { name: "Deposit" }));
      expect(asked).toEqual([]);
      expect(screen.getByRole("alert").textContent).toBe(words);
    },
  );

  it("refuses an empty amount and zero with the specified text, without asking the wallet", async () => {
    const { user, asked } = open();
    await user.click(await screen.findByRole("button", { name: "Deposit" }));
    expect((await screen.findByRole("alert")).textContent).toBe(
      "Please enter a valid deposit amount greater than zero.",
    );
    expect(screen.getByLabelText("USDC amount")).toBeTruthy();
    expect(asked).toEqual([]);
  });

  it("refuses more than the wallet holds; Max is exactly that", async () => {
    const { user, asked } = open();
    await screen.findAllByText("1,000.00 USDC");
    await user.type(screen.getByLabelText("USDC amount"), "1000.000001");
    await user.click(screen.getByRole("button", { name: "Deposit" }));
    expect((await screen.findByRole("alert")).textContent).toBe("Your wallet holds 1,000 USDC.");
    await user.click(screen.getByRole("button", { name: "Max" }));
    await user.click(screen.getByRole("button", { name: "Deposit 1,000 USDC" }));
    await expect.poll(() => asked).toMatchObject([{ intent: "deposit", amount: "1000" }]);
  });

  it("asks to connect a missing wallet before signing", async () => {
    const { user, asked } = open(null, false);
    await user.type(await screen.findByLabelText("USDC amount"), "5");
    await user.click(screen.getByRole("button", { name: /^Deposit/ }));
    await expect
      .poll(() => toasts.getState().at(-1))
      .toMatchObject({
        title: "Wallet Not Connected",
        message: "Please reconnect your wallet to proceed with the deposit.",
      });
    // The form is still there, so nothing took its place
    expect(screen.getByLabelText("USDC amount")).toBeTruthy();
    expect(asked).toEqual([]);
  });

  it("says when the deposit has landed, and closes", async () => {
    const { user, asked, land } = open();
    await user.type(await screen.findByLabelText("USDC amount"), "5");
    await user.click(screen.getByRole("button", { name: /^Deposit/ }));
    await expect.poll(() => asked).toMatchObject([{ intent: "deposit", amount: "5" }]);
    expect(isClosed()).toBe(false);
    land();
    await expect.poll(isClosed).toBe(true);
    expect(toasts.getState().at(-1)).toMatchObject({ title: "Deposit successful" });
  });

  it("returns to the amount when the approval is closed", async () => {
    const { user, asked } = open();
    await user.type(await screen.findByLabelText("USDC amount"), "5");
    await user.click(screen.getByRole("button", { name: /^Deposit/ }));
    await expect.poll(() => asked).toHaveLength(1);
    await user.keyboard("{Escape}");
    expect(await screen.findByRole("button", { name: "Deposit 5 USDC" })).toBeTruthy();
    expect(isClosed()).toBe(false);
  });

  it("follows an already sent deposit instead of preparing another", async () => {
    const { asked } = open(OPEN);
    expect(await screen.findByText("Sent. Waiting for the chain.")).toBeTruthy();
    expect(asked).toEqual([]);
  });
});
