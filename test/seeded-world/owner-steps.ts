import { isAppError } from "../../src/contract/errors.ts";
import type { AgentId } from "../../src/domain/ids.ts";
import { deleteAgent } from "../../src/server/agents/delete-agent.ts";
import { closeLedger } from "../../src/server/ledger/close-ledger.ts";
import { endExitsForOwner, setAutoTrade } from "../../src/server/trading/intake.ts";
import { inheritTerms } from "../inherit-terms.ts";
import { TransactionRefusedError } from "../../src/solana/chain.ts";
import { approve, type BaseAgent } from "./base-world.ts";
import { anyAgent, anyServer, maybeInterrupted, perform, type Run, type Step } from "./run.ts";

/** Runs a step of a wallet through its own node; a refusal changes nothing. */
async function byWallet(run: Run, what: string, work: () => Promise<string>): Promise<string> {
  try {
    return `${what}: ${await work()}`;
  } catch (error) {
    if (isAppError(error)) return `${what}: ${error.code}`;
    if (!(error instanceof TransactionRefusedError)) run.problems.push({ err: error });
    return `${what}: ${(error as Error).message}`;
  }
}

/** Signs the next transaction of a deletion; when nothing is left on chain, the records go too. */
async function takeDown(run: Run, agent: BaseAgent): Promise<string> {
  const { custody, chain, clock, healthy, base, ids } = run;
  if (await approve(custody, chain, agent, "delete")) return "one step";
  const { db } = base.database;
  const publisher = { publish() {} };
  const feePayers = [base.keys.feePayer.address];
  const log = { warn: (detail: object) => void run.problems.push(detail) };
  await deleteAgent(
    {
      db,
      clock,
      publisher,
      networks: healthy,
      random: (length) => ids.bytes(length),
      tradingState: () => run.settings.tradingState,
      async closeCustody(agentId) {
        await custody.close(agentId);
        await closeLedger({ db, clock, publisher, networks: healthy, feePayers, log }, agentId);
      },
    },
    agent.id,
    { wallet: agent.owner.address },
  );
  run.deleted.add(agent.id);
  return "gone";
}

export const OWNER_STEPS: readonly Step[] = [
  {
    name: "auto trade",
    weight: 5,
    async take(run) {
      const server = anyServer(run);
      const { id, owner } = anyAgent(run);
      const target = run.random.chance(60) ? "on" : "off";
      const wake = (agentId: AgentId) => void run.woken.push(agentId);
      const turn = () =>
        setAutoTrade({ ...server.deps, wake }, id, { wallet: owner.address }, target).then(
          () => "done",
        );
      const what = `turns ${id.slice(0, 4)} ${target}`;
      const said = await perform(run, server, what, turn, maybeInterrupted(run.random));
      // Stands for what the owner signs
      if (target === "on") await inheritTerms(run.base.database.db);
      return said;
    },
  },
  {
    name: "end exits",
    weight: 1,
    take(run) {
      const server = anyServer(run);
      const { id, owner } = anyAgent(run);
      const end = () =>
        endExitsForOwner(server.deps, id, { wallet: owner.address }).then(() => "done");
      return perform(run, server, "ends exits", end, maybeInterrupted(run.random, 8));
    },
  },
  {
    name: "wallet",
    weight: 2,
    async take(run) {
      const agent = anyAgent(run);
      const intent = run.random.pick(["deposit", "withdraw", "close-positions"] as const);
      const amount = intent === "close-positions" ? undefined : String(run.random.int(1, 60));
      return byWallet(run, `${intent} ${amount ?? ""}`, async () => {
        const isSigned = await approve(run.custody, run.chain, agent, intent, amount);
        return isSigned ? "done" : "nothing to sign";
      });
    },
  },
  {
    name: "delete",
    weight: 1,
    async take(run) {
      const [begun] = run.leaving;
      // Most deletions that began are seen to their end
      const agent = begun === undefined ? anyAgent(run) : begun;
      if (begun === undefined && run.random.chance(60)) return "the owner stays";
      if (run.deleted.has(agent.id)) return "is deleted";
      run.leaving.splice(0, 1, agent);
      return byWallet(run, "delete", async () => {
        const outcomes: string[] = [];
        for (
          let steps = run.random.int(1, 6);
          steps > 0 && !run.deleted.has(agent.id);
          steps -= 1
        ) {
          outcomes.push(await takeDown(run, agent));
        }
        if (run.deleted.has(agent.id)) run.leaving.pop();
        return outcomes.join(", ");
      });
    },
  },
];
