import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { chatIdOf } from "../../../../test/ids.ts";
import { type AgentChanges, buildAgent as buildShown } from "../../../../test/shown-agent.ts";
import { parseOwner } from "../../../domain/ids.ts";
import type { Agent } from "../../../contract/agent.ts";
import { replaceFetch } from "../../lib/api.ts";
import DeleteAgentDialog from "./delete-agent-dialog.tsx";
import { session } from "../../lib/session.ts";

const OWNER = parseOwner("5E9rRCLgieqMgY1vyKfvRNSGHf9ovvKakHmUG8PCFCSn");

session.setState({ status: "signed-in", address: OWNER });
const CHAT = chatIdOf("c");

const buildAgent = (changes: AgentChanges = {}) =>
  buildShown({ id: "a".repeat(32), chatId: CHAT, owner: OWNER, isFunded: true, ...changes });

function open(agent: Agent) {
  replaceFetch(() =>
    Promise.resolve(
      Response.json({
        state: "refused",
        refusal: "Please withdraw all funds first. Current balance: 5 USDC",
        steps: [],
        recoverableLamports: "0",
        recoveredLamports: "0",
        keptLamports: "0",
        unrecoverableLamports: "0",
        warnings: [],
      }),
    ),
  );
  const onStop = vi.fn();
  const onWithdraw = vi.fn();
  render(
    <QueryClientProvider client={new QueryClient()}>
      <DeleteAgentDialog
        agent={agent}
        onDeleted={() => {}}
        onClose={() => {}}
        onStop={onStop}
        onWithdraw={onWithdraw}
      />
    </QueryClientProvider>,
  );
  return { onStop, onWithdraw };
}

it("leads from a refused deletion to the withdrawal", async () => {
  const { onWithdraw, onStop } = open(buildAgent());
  await userEvent.setup().click(await screen.findByRole("button", { name: "Withdraw funds" }));
  expect([onWithdraw.mock.calls.length, onStop.mock.calls.length]).toEqual([1, 0]);
});

it("leads to turning off Auto-Trade first while it is on", async () => {
  const { onWithdraw, onStop } = open(buildAgent({ autoTrade: "on" }));
  await userEvent.setup().click(await screen.findByRole("button", { name: "Turn off Auto-Trade" }));
  expect([onWithdraw.mock.calls.length, onStop.mock.calls.length]).toEqual([0, 1]);
});
