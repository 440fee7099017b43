import { expect, it } from "vitest";
import { PlanRefusedError } from "../../venues/plan-step.ts";
import { askChain } from "./explain-chain.ts";

it("gives the owner the venue's reason why nothing can be planned", async () => {
  const refused = async () => {
    throw new PlanRefusedError("Please close it first.");
  };
  await expect(askChain(refused)).rejects.toMatchObject({
    code: "conflict",
    message: "Please close it first.",
  });
});
