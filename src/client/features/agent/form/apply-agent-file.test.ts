import { describe, expect, it } from "vitest";
import { chatIdOf } from "../../../../../test/ids.ts";
import type { AgentFile } from "../../../../contract/agent-file.ts";
import { type AgentForm, newAgentForm } from "../agent-form.ts";
import { applyAgentFile } from "./filled-form.ts";
import { describeChanges } from "./difference-list.tsx";
import { completeDraftOf } from "./form-draft.ts";

const SAVED: AgentForm = {
  ...newAgentForm("practice"),
  name: "My agent",
  alerts: [
    { key: "alert-1", id: "1", name: "Dip", description: "", condition: null },
    { key: "alert-2", id: "2", name: "exit", description: "", condition: null },
  ],
  rules: [
    {
      key: "rule-1",
      id: "r1",
      action: "OPEN_LONG",
      triggers: [{ alertKey: "alert-1", requiredCount: 2, count: 1 }],
    },
    {
      key: "rule-2",
      id: "r2",
      action: "CLOSE_LONG",
      triggers: [{ alertKey: "alert-2", requiredCount: 1, count: 0 }],
    },
  ],
};

const FILE: AgentFile = {
  format: "wheelhouse-agent",
  version: 1,
  venue: "drift",
  market: "SOL-PERP",
  interval: "1h",
  slippagePercent: 0.5,
  positionSizePercent: 25,
  maxSignalAgeSeconds: 300,
  alerts: [
    { name: "dip", condition: { kind: "every-bars", bars: 4 } },
    { name: "later", description: "by hand" },
  ],
  rules: [
    { action: "OPEN_LONG", conditions: [{ alert: "DIP", times: 2 }] },
    { action: "CLOSE_LONG", portion: 40, conditions: [{ alert: "later", times: 1 }] },
  ],
};

describe("an agent file over an agent", () => {
  const form = applyAgentFile(SAVED, FILE);

  it("keeps the name, and the ids and counters of unchanged parts", () => {
    expect(form.name).toBe("My agent");
    expect(form.alerts.map(({ id, name }) => [id, name])).toEqual([
      ["1", "Dip"],
      [undefined, "later"],
    ]);
    expect(form.rules.map(({ id, action }) => [id, action])).toEqual([
      ["r1", "OPEN_LONG"],
      [undefined, "CLOSE_LONG"],
    ]);
    expect(form.rules[0]?.triggers[0]?.count).toBe(1);
  });

  it("shows what is removed and what is added", () => {
    expect(describeChanges(SAVED, form).map(({ before, after }) => [before, after])).toEqual([
      ["100%", "25%"],
      ["Dip", "Dip, fires every 4 bars"],
      ["exit", null],
      ["Close long when exit × 1", null],
      [null, "later: by hand"],
      [null, "Close long 40% when later × 1"],
    ]);
  });

  it("is saved through the form it filled in", () => {
    const body = completeDraftOf(form, chatIdOf("c"));
    expect(body.agent).toMatchObject({ marketId: "SOL-PERP", positionSizePercent: 25 });
    expect(body.alerts[0]).toMatchObject({ id: "1", condition: { kind: "every-bars", bars: 4 } });
  });

  it("creates a new agent where there is none, also on another venue and interval", () => {
    const made = applyAgentFile(newAgentForm("practice"), {
      ...FILE,
      venue: "jupiter",
      market: "SOL",
      interval: "90m",
    });
    expect(made.venue).toBe("jupiter");
    expect(made.interval).toBe("custom");
    expect(made.alerts.map(({ name }) => name)).toEqual(["dip", "later"]);
    expect(applyAgentFile(SAVED, { ...FILE, market: "NO-PERP" }).marketId).toBe("");
  });
});
