import { expect, it } from "vitest";
import type { HashedReport, SimulationRequest } from "../../assistant/run-simulation.ts";
import { parseOwner } from "../../domain/ids.ts";
import { createTestWallet } from "../../../test/wallet.ts";
import { createSimulations, type SimulationAsk } from "./simulations.ts";

const ownerOf = () => parseOwner(createTestWallet().address);
const named = (name: string) => ({ seed: name }) as unknown as SimulationRequest;

function open(givenUpMs?: number) {
  const sent: SimulationAsk["simulate"][] = [];
  let ids = 0;
  const simulations = createSimulations({
    send: ({ simulate }) => sent.push(simulate),
    newId: () => `${(ids += 1)}`,
    ...(givenUpMs !== undefined && { givenUpMs }),
  });
  return { sent, ...simulations };
}

const report = { inputHash: "h" } as HashedReport;

it("runs one simulation at a time, the owners in turns", async () => {
  const { sent, run, hear } = open();
  const [greedy, other] = [ownerOf(), ownerOf()];
  const runs = ["a", "b", "c"].map((name) => run(greedy, named(name)));
  runs.push(run(other, named("d")));
  const order: unknown[] = [];
  for (const reports of runs) {
    const last = sent.at(-1);
    order.push(last?.request.seed);
    hear({ simulated: { id: last?.id ?? "", report } });
    void reports;
  }
  expect(order).toEqual(["a", "b", "d", "c"]);
  expect(await Promise.all(runs)).toEqual([report, report, report, report]);
});

it("gives up one without an answer, and takes no answer for another", async () => {
  const { sent, run, hear } = open(20);
  const owner = ownerOf();
  await expect(run(owner, named("a"))).rejects.toMatchObject({ code: "unavailable" });
  const next = run(owner, named("b"));
  hear({ simulated: { id: sent[0]?.id ?? "", report: { inputHash: "late" } as HashedReport } });
  hear({ simulated: { id: sent[1]?.id ?? "", fault: "no bars" } });
  await expect(next).rejects.toThrow("no bars");
});
