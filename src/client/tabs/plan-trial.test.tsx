import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { buildSimulation, buildSimulatedAgent } from "../../../test/simulated.ts";
import type { AgentReport } from "../../assistant/simulate-agent.ts";
import { PlanTrial, useTriedPlan } from "../features/results/simulation/plan-trial.tsx";
import { replaceFetch } from "../lib/api.ts";
import { planFields } from "./simulation.tsx";

const agent = buildSimulatedAgent();
const request = buildSimulation([], [], { agent });
const done = { network: "practice", request } as unknown as AgentReport;
const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });

function Page() {
  const trial = useTriedPlan(agent);
  return (
    <QueryClientProvider client={queries}>
      <PlanTrial done={done} planFields={planFields} {...trial.props} />
      <output aria-label="tried">
        {trial.isTried ? JSON.stringify([trial.agent?.leverage, trial.agent?.plan]) : "none"}
      </output>
    </QueryClientProvider>
  );
}

it("tries a plan in the form's own fields, and shows a fault once it is to run", async () => {
  replaceFetch(() => Promise.resolve(Response.json({ code: "unavailable" }, { status: 503 })));
  const user = userEvent.setup();
  render(<Page />);
  const tried = screen.getByLabelText("tried");
  const press = (name: string) => user.click(screen.getByRole("button", { name }));
  const type = async (label: string, text: string) => {
    await user.clear(screen.getByLabelText(label));
    await user.type(screen.getByLabelText(label), text);
  };
  await user.click(await screen.findByRole("button", { name: "Leverage" }));
  // Leverage is only for a position with a stop, which came with it
  await type("Stop, %", "70");
  expect(screen.queryByRole("alert")).toBeNull();
  await press("Run with this plan");
  expect(screen.getByRole("alert").textContent).toBe("Choose 0.1 % to 50 %.");
  expect(tried.textContent).toBe("none");
  await type("Stop, %", "1.5");
  await press("Run with this plan");
  expect(screen.queryByRole("alert")).toBeNull();
  expect(JSON.parse(tried.textContent)).toEqual([
    2,
    { stop: { at: { kind: "percent", bps: 150 } } },
  ]);
  expect(screen.getByText(/^Stop 1.5 % on the losing side of the average entry/)).toBeDefined();
  // What is only said of orders that are carried out is not said here
  expect(screen.queryByRole("switch")).toBeNull();
  await press("Without a plan");
  expect(tried.textContent).toBe("none");
  expect(screen.queryByLabelText("Stop, %")).toBeNull();
});
