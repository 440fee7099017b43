import { Registry } from "prom-client";
import { expect, it } from "vitest";
import type { NodeState } from "../../solana/node-record.ts";
import type { NetworkRuntime, Networks } from "../networks.ts";
import { addNodeGauges } from "./gauges.ts";

it("scrapers see each failing node with its trouble, until it recovers", async () => {
  let trouble: NodeState["trouble"] = { kind: "behind", sinceMs: 1 };
  const runtime: Pick<NetworkRuntime, "network" | "nodes"> = {
    network: "mainnet",
    nodes: () => [
      { name: "Node 1", isUsed: false, trouble },
      { name: "Node 2", isUsed: true, trouble: null },
    ],
  };
  const registry = new Registry();
  addNodeGauges(registry, new Map([["mainnet", runtime]]) as unknown as Networks);
  const lines = async () =>
    (await registry.metrics()).split("\n").filter((line) => line.endsWith(" 1"));
  expect(await lines()).toEqual([
    'wheelhouse_node_trouble{network="mainnet",node="Node 1",kind="behind"} 1',
    'wheelhouse_node_used{network="mainnet",node="Node 2"} 1',
  ]);
  trouble = null;
  expect(await lines()).toEqual(['wheelhouse_node_used{network="mainnet",node="Node 2"} 1']);
});
