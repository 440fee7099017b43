import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useEffect, useState } from "react";
import { expect, it } from "vitest";
import { replaceFetch } from "../../../lib/api.ts";
import { type AgentForm, newAgentForm, type FormChange, reduceAgentForm } from "../agent-form.ts";
import { checkForm, planFault } from "../form/check-form.ts";
import { describeChanges } from "../form/difference-list.tsx";
import { completeDraftOf } from "../form/form-draft.ts";
import PlanSection from "./plan-section.tsx";

const FORM: AgentForm = {
  ...newAgentForm("practice"),
  name: "Agent",
  marketId: "SOL-PERP",
  positionSizePercent: "100",
  alerts: [{ key: "1", name: "up", description: "", condition: null }],
  rules: [{ key: "2", action: "OPEN_LONG", triggers: [{ alertKey: "1", requiredCount: 1 }] }],
};
const HOUR_MS = 3_600_000;
const SOL = { network: "practice", asset: "SOL", intervalMinutes: 60 } as const;
const COSTS = { halfSpreadPpm: 500, maintenancePpm: 100_000 };

/** The form as it was changed last. */
const last = { form: FORM };

function Page() {
  const [form, setForm] = useState(FORM);
  useEffect(() => {
    last.form = form;
  }, [form]);
  const change = (made: FormChange) => setForm((before) => reduceAgentForm(before, made));
  return (
    <PlanSection
      plan={form.plan}
      sides={["long"]}
      market={SOL}
      isResting
      network="practice"
      leverage={{
        value: form.leverage,
        positionSizePercent: 100,
        sides: ["long", "short"],
        maintenancePpm: COSTS.maintenancePpm,
        onChange: (leverage) => change({ kind: "set", fields: { leverage } }),
      }}
      fault={planFault(form, COSTS)}
      onChange={(plan) => change({ kind: "set", fields: { plan } })}
    />
  );
}

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);

it("shows the liquidation price beside the stop, and refuses a stop at or behind it beside the field", async () => {
  replaceFetch((input) => {
    const openTimeMs = [
      Number(new URL(input as string, "http://page.test").searchParams.get("to")) - HOUR_MS,
    ];
    const [open, high, low, close, volume] = [[100], [100], [100], [100], [1]];
    const bars = { openTimeMs, open, high, low, close, volume };
    const answer = { source: "practice market", bars, gaps: [], contradictions: [] };
    return Promise.resolve(Response.json({ ...answer, nextFromMs: null }));
  });
  const user = userEvent.setup();
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Page />
    </QueryClientProvider>,
  );
  const type = async (label: string, text: string) => {
    await user.clear(field(label));
    await user.type(field(label), text);
  };
  await user.click(screen.getByRole("button", { name: "Leverage" }));
  // A stop came with it
  expect(field("Stop, %").value).toBe("3");
  await type("Leverage, times", "5");
  expect(
    await screen.findByText(
      "Entered at $100.00, the last close, the exchange liquidates a long at $88.89, a short at $109.09. The entry's own price, fees and funding move that. The exchange of Practice and Paper liquidates nobody.",
    ),
  ).toBeTruthy();
  expect(checkForm(last.form, COSTS)).toBeNull();
  expect(completeDraftOf(last.form).agent).toMatchObject({ leverage: 5 });
  expect(describeChanges(FORM, last.form)).toContainEqual({
    label: "Leverage",
    before: "",
    after: "5 times",
  });

  await type("Stop, %", "9.09");
  const words = "A short is liquidated 9.09 % away from its entry: the stop has to be nearer.";
  expect(screen.getByText(words)).toBeTruthy();
  expect(field("Stop, %").getAttribute("aria-invalid")).toBe("true");
  expect(checkForm(last.form, COSTS)).toMatchObject({ message: words, place: { kind: "plan" } });
  await type("Stop, %", "9.08");
  expect(checkForm(last.form, COSTS)).toBeNull();

  await type("Leverage, times", "6");
  expect(screen.getByText("Choose 1 to 5, as a whole number.")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Delete stop" }));
  expect(checkForm(last.form, COSTS)?.message).toBeDefined();
  await type("Leverage, times", "2");
  expect(screen.getByText("Leverage above 1 needs a stop in the plan.")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Delete leverage" }));
  expect(last.form).toMatchObject({ plan: null, leverage: 1 });
  expect(checkForm(last.form, COSTS)).toBeNull();
});
