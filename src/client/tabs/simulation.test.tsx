import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { buildAgent } from "../../../test/shown-agent.ts";
import { parseOwner } from "../../domain/ids.ts";
import { WorkspaceActions } from "../actions/action-context.ts";
import { session } from "../lib/session.ts";
import SimulationTab from "./simulation.tsx";

const OWNER = parseOwner("5E9rRCLgieqMgY1vyKfvRNSGHf9ovvKakHmUG8PCFCSn");

it("offers the wallet's agents where the chat has none", async () => {
  session.setState({ status: "signed-in", address: OWNER });
  const agent = buildAgent({ owner: OWNER });
  const chats = [{ id: agent.chatId, title: "", owner: OWNER, updatedAt: "", agent }];
  render(
    <QueryClientProvider client={new QueryClient()}>
      <WorkspaceActions value={{ address: OWNER, chats } as never}>
        <SimulationTab
          chatId=""
          agent={null}
          network="practice"
          onShowDecision={() => {}}
          onShowOnChart={() => {}}
        />
      </WorkspaceActions>
    </QueryClientProvider>,
  );
  const user = userEvent.setup();
  await user.click(screen.getByRole("combobox", { name: "One of your agents" }));
  await user.click(await screen.findByRole("option", { name: agent.name }));
  expect(location.pathname + location.search).toBe(`/chat/${agent.chatId}?tab=simulation`);
});
