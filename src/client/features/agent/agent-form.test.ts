import { describe, expect, it } from "vitest";
import { agentIdOf, chatIdOf } from "../../../../test/ids.ts";
import { buildAgent } from "../../../../test/shown-agent.ts";
import {
  CUSTOM_INTERVAL,
  formOfAgent,
  newAgentForm,
  type AgentForm,
  marketOnVenue,
  reduceAgentForm,
  type FormChange,
} from "./agent-form.ts";
import { ApiError } from "../../lib/problem.ts";
import { acceptsSlippage, checkForm, intervalFault } from "./form/check-form.ts";
import { templatesFor } from "../../../strategy/templates.ts";
import { replacedByTemplate, withTemplate } from "./form/use-template.ts";
import { withLiveCounts } from "./form/rules-tab.tsx";
import { completeDraftOf } from "./form/form-draft.ts";
import { droppedSentence, saveProblem } from "./form/use-agent-editor.ts";

const id = (digit: string) => digit.repeat(32);

const play = (form: AgentForm, ...changes: FormChange[]): AgentForm =>
  changes.reduce(reduceAgentForm, form);

const start = newAgentForm("practice");
const named = play(start, {
  kind: "change-alert",
  row: { key: "1", name: "buy", description: "", condition: null },
});

/** An agent whose one alert opens a long. */
const complete = play(
  named,
  { kind: "add-rule" },
  { kind: "toggle-trigger", key: "new-2", alertKey: "1" },
  { kind: "action", key: "new-2", action: "OPEN_LONG" },
);

const agent = buildAgent({
  id: id("a"),
  chatId: id("b"),
  name: "Agent ** SOL-90m",
  interval: "90m",
  owner: "5E9rRCLgieqMgY1vyKfvRNSGHf9ovvKakHmUG8PCFCSn",
});

describe("agent name", () => {
  it("follows asset and interval", () => {
    expect(play(start, { kind: "market", marketId: "ETH-PERP" }).name).toBe("Agent ** ETH-1h");
    expect(play(start, { kind: "interval", interval: "1d" }).name).toBe("Agent ** SOL-1d");
    const custom = play(
      start,
      { kind: "interval", interval: CUSTOM_INTERVAL },
      { kind: "custom-interval", count: "90", unit: "m" },
    );
    expect(custom.name).toBe("Agent ** SOL-90m");
  });

  it("does not change while an agent is loaded, even after a rename by hand", () =>
    expect(formOfAgent({ ...agent, name: "My SOL bot" }, [], []).name).toBe("My SOL bot"));

  it("yields the interval when the answer has none", () =>
    expect(formOfAgent({ ...agent, interval: "" }, [], [])).toMatchObject({
      interval: CUSTOM_INTERVAL,
      customCount: "90",
      customUnit: "m",
    }));
});

describe("venue and interval", () => {
  it("keeps the asset when the other venue trades it", () =>
    expect(play(start, { kind: "venue", venue: "jupiter" }).marketId).toBe("SOL"));

  it("clears a stock when Drift is chosen", () => {
    const stock = play(
      start,
      { kind: "venue", venue: "jupiter" },
      { kind: "market", marketId: "AAPLx" },
    );
    expect(marketOnVenue(stock, "drift")).toBe("");
    expect(play(stock, { kind: "venue", venue: "drift" })).toMatchObject({
      marketId: "",
      name: "",
    });
  });

  it("clears the custom number when a preset is chosen", () => {
    const custom = play(
      start,
      { kind: "interval", interval: CUSTOM_INTERVAL },
      { kind: "custom-interval", count: "90", unit: "m" },
      { kind: "interval", interval: "1h" },
    );
    expect(custom.customCount).toBe("");
  });

  it.each([
    ["27", "m", "Must be between 28 minutes and 1 week"],
    ["28", "m", null],
    ["1", "w", null],
    ["10080", "m", null],
    ["10081", "m", "Must be between 28 minutes and 1 week"],
    ["8", "d", "Must be between 28 minutes and 1 week"],
    ["0", "h", "Must be between 28 minutes and 1 week"],
    ["", "h", null],
  ] as const)("describes %s%s: %s", (count, unit, text) =>
    expect(
      intervalFault(
        play(
          start,
          { kind: "interval", interval: CUSTOM_INTERVAL },
          { kind: "custom-interval", count, unit },
        ),
      ),
    ).toBe(text),
  );

  it.each([
    ["", true],
    ["0", true],
    ["0.", true],
    ["0.0", true],
    ["0.01", true],
    ["5", true],
    ["5.", true],
    ["5.01", false],
    ["6", false],
    ["50", false],
  ])("custom slippage may hold %j: %s", (text, accepted) =>
    expect(acceptsSlippage(text)).toBe(accepted),
  );
});

describe("alerts and rules", () => {
  it("carries a rename through the triggers", () => {
    const renamed = play(complete, {
      kind: "change-alert",
      row: { key: "1", name: "go long", description: "", condition: null },
    });
    expect(completeDraftOf(renamed, chatIdOf("c")).rules[0]?.conditions).toEqual([
      { alertName: "go long", requiredCount: 1 },
    ]);
  });

  it("removes a deleted alert from the triggers", () =>
    expect(play(complete, { kind: "delete-alert", key: "1" }).rules[0]?.triggers).toEqual([]));

  it("checks an alert added inside a rule at once", () => {
    const added = play(complete, { kind: "add-alert", name: "confirm", forRule: "new-2" });
    expect(
      completeDraftOf(added, chatIdOf("c")).rules[0]?.conditions.map((each) => each.alertName),
    ).toEqual(["buy", "confirm"]);
  });

  it.each([
    [0, 1],
    [1, 1],
    [60, 60],
    [61, 60],
  ])("keeps a required count of %s at %s", (count, kept) =>
    expect(
      play(complete, { kind: "required-count", key: "new-2", alertKey: "1", count }).rules[0]
        ?.triggers[0]?.requiredCount,
    ).toBe(kept),
  );

  it("shows the server's latest counts, matched by folded name", () => {
    const rule = {
      id: id("d"),
      agentId: agentIdOf("a"),
      action: "OPEN_LONG" as const,
      conditions: [{ alertName: "BUY", requiredCount: 3, count: 2 }],
    };
    const form = formOfAgent(
      agent,
      [{ id: id("e"), name: "buy", description: "" }],
      [{ ...rule, conditions: [{ alertName: "buy", requiredCount: 3, count: 0 }] }],
    );
    expect(withLiveCounts(form, [rule])[0]?.triggers[0]).toMatchObject({
      requiredCount: 3,
      count: 2,
    });
  });
});

describe("checkForm, in the specification's order", () => {
  const ruleless = play(named, { kind: "add-rule" });
  const unfinished = play(ruleless, { kind: "toggle-trigger", key: "new-2", alertKey: "1" });
  const twoAlerts = play(
    complete,
    { kind: "add-alert", name: "" },
    {
      kind: "change-alert",
      row: { key: "new-3", name: " BUY ", description: "", condition: null },
    },
  );
  const opposed = play(
    complete,
    { kind: "add-rule" },
    { kind: "toggle-trigger", key: "new-3", alertKey: "1" },
    { kind: "action", key: "new-3", action: "OPEN_SHORT" },
  );
  const resets = ["new-3", "new-4"].reduce(
    (form, key) =>
      play(
        form,
        { kind: "add-rule" },
        { kind: "toggle-trigger", key, alertKey: "1" },
        { kind: "action", key, action: "RESET_OPEN_LONG" },
      ),
    complete,
  );
  it.each([
    ["no alert", start, "Configuration Incomplete", { kind: "alerts" }],
    ["a rule without action", unfinished, "Rule Incomplete", { kind: "rule", key: "new-2" }],
    [
      "no asset",
      play(complete, { kind: "market", marketId: "" }),
      "Agent Incomplete",
      { kind: "field", name: "market" },
    ],
    [
      "no interval",
      { ...complete, interval: "" },
      "Agent Incomplete",
      { kind: "field", name: "interval" },
    ],
    ["the same name twice", twoAlerts, "Duplicate Alert Name", { kind: "alert", key: "new-3" }],
    ["two resets", resets, "Rule Conflict", { kind: "rule", key: "new-4" }],
    ["both sides", opposed, "Rule Conflict", { kind: "rule", key: "new-3" }],
    [
      "no position size",
      { ...complete, positionSizePercent: "0" },
      "Error",
      { kind: "field", name: "size" },
    ],
    [
      "a position size that cannot be read",
      { ...complete, positionSizePercent: "1e2" },
      "Error",
      { kind: "field", name: "size" },
    ],
  ] as const)("reports %s at its place", (_name, form, title, place) =>
    expect(checkForm(form)).toMatchObject({ title, place }),
  );

  it("says beside the alerts that their conditions cost too much together", () => {
    const average = { kind: "indicator", name: "SMA", output: "value", parameters: [500] } as const;
    const one = {
      left: { kind: "price", field: "close" },
      is: "above",
      right: average,
    } as const;
    const condition = { kind: "comparisons", all: [one, one, one, one] } as const;
    const alerts = Array.from({ length: 16 }, (_, at) => ({
      ...(complete.alerts[0] as AgentForm["alerts"][number]),
      key: `${at + 1}`,
      name: `buy ${at}`,
      condition,
    }));
    expect(checkForm({ ...complete, alerts })).toMatchObject({
      message: expect.stringMatching(/^All alerts together have 64 comparisons.*at most 62/),
      place: { kind: "alerts" },
    });
    expect(checkForm({ ...complete, alerts: alerts.slice(0, 15) })).toBeNull();
  });

  it("points at the user's row even when earlier rows are left out", () => {
    const withEmptyRule = {
      ...opposed,
      rules: [{ key: "empty", triggers: [], action: "" as const }, ...opposed.rules],
    };
    expect(checkForm(withEmptyRule)?.place).toEqual({ kind: "rule", key: "new-3" });
  });

  it("accepts a complete agent and sends no field that the server owns", () => {
    expect(checkForm(complete)).toBeNull();
    const body = completeDraftOf(complete, chatIdOf("c"));
    expect(Object.keys(body.agent).toSorted()).toEqual([
      "chatId",
      "interval",
      "leverage",
      "marketId",
      "maxSignalAgeSeconds",
      "name",
      "network",
      "plan",
      "positionSizePercent",
      "slippagePercent",
      "venue",
    ]);
  });
});

describe("the message after a save", () => {
  it("lists what was left out", () =>
    expect(droppedSentence({ alerts: 2, rules: [{ index: 0, reason: "no_conditions" }] })).toBe(
      "Not saved: 2 alerts without a name, 1 rule without alerts.",
    ));

  it("is empty when nothing was left out", () =>
    expect(droppedSentence({ alerts: 0, rules: [] })).toBeNull());

  it("recognises an existing agent by the server's error", () =>
    expect(saveProblem(new Error("That Agent already exists here"), true)).toMatchObject({
      title: "Agent Already Exists",
    }));

  it("never shows the browser's own error text", () =>
    expect(saveProblem(new TypeError("Failed to fetch"), false)).toEqual({
      title: "Update Failed",
      message: "Network connection issue. Try again.",
    }));

  it("titles other refusals by the attempted action", () => {
    const refused = new ApiError(422, { message: "No." });
    expect(saveProblem(refused, true)).toEqual({ title: "Creation Failed", message: "No." });
    expect(saveProblem(refused, false)).toMatchObject({ title: "Update Failed" });
  });
});

describe("a template", () => {
  const template = templatesFor("perpetual").find(({ id }) => id === "mean-reversion");
  if (template === undefined) throw new Error("No such template.");

  it("fills in alerts, rules and size, and can be saved", () => {
    const form = withTemplate(start, template);
    expect(form.alerts.map(({ name }) => name)).toEqual(template.alerts.map(({ name }) => name));
    expect(form.rules).toHaveLength(template.rules.length);
    expect(form.positionSizePercent).toBe("25");
    expect(checkForm(form)).toBeNull();
    expect(replacedByTemplate(start)).toBeNull();
    expect(replacedByTemplate(form)).toBe("4 alerts, 4 rules and the plan");
  });

  it("brings its plan along, and takes another one's away", () => {
    const averaging = templatesFor("perpetual").find(({ id }) => id === "averaging");
    if (averaging === undefined) throw new Error("No such template.");
    const form = withTemplate(start, averaging);
    expect(form.plan?.adds?.times).toBe(5);
    expect(checkForm(form)).toBeNull();
    expect(replacedByTemplate(form)).toBe("1 alert, 1 rule and the plan");
    expect(withTemplate(form, template).plan).toEqual(template.plan);
  });

  it("keeps an alert of the same name, so that its alert text stays valid", () => {
    const alerts = [
      { key: "alert-9", id: "9", name: "Oversold", description: "", condition: null },
    ];
    const form = withTemplate({ ...start, alerts }, template);
    expect(form.alerts[0]).toMatchObject({ key: "alert-9", id: "9", name: "oversold" });
    expect(form.rules[0]?.triggers[0]?.alertKey).toBe("alert-9");
  });
});
