import { describe, expect, it } from "vitest";
import { fillAlertText } from "./alert-text.ts";

const TEMPLATE =
  '{"agentId":"a1","alertName":"{{alertName}}","timestamp":"{{timenow}}","token":"t"}';

describe("fillAlertText", () => {
  it("fills in the name and leaves the time placeholder alone", () =>
    expect(fillAlertText(TEMPLATE, " buy ")).toBe(
      '{"agentId":"a1","alertName":"buy","timestamp":"{{timenow}}","token":"t"}',
    ));

  it.each(['say "go"', "back\\slash", "$& $1", "{{timenow}}", "Käufer 🚀"])(
    "stays JSON with the same name: %s",
    (name) =>
      expect((JSON.parse(fillAlertText(TEMPLATE, name)) as { alertName: string }).alertName).toBe(
        name,
      ),
  );
});
