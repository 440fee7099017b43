import { parseArgs } from "node:util";
import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import { writeKeyFile } from "../test/key-file.ts";
import { newDataDir, withDatabase } from "./bench-database.ts";
import { fixed, machineLoad, say } from "./figures.ts";
import { createFundedAgents } from "./funded-agents.ts";
import { databaseCpuMs } from "./processes.ts";
import { SHARED, startProduct } from "./size-table/servers.ts";

/** `--agents 1000` that have custody and money and trade nothing; `--servers 1,2`; `--seconds 120` for each measurement. */
const { values } = parseArgs({
  options: {
    agents: { type: "string", default: "1000" },
    servers: { type: "string", default: "1,2,4" },
    seconds: { type: "string", default: "120" },
  },
});
const AGENTS = Number(values.agents);
const SECONDS = Number(values.seconds);
/** Time in which servers that just started read every agent, and earlier ones lose their share, in milliseconds. */
const SETTLING_MS = 60_000;

/** Measures what servers of one database use while nothing happens, first without agents and then with them. */
async function benchRest(url: string, pool: Pool, databasePid: number): Promise<void> {
  const keys = { DELEGATE_SECRET_FILE: writeKeyFile(newDataDir()) };
  const restOf = async (count: number): Promise<number> => {
    const servers = await startProduct(url, count, keys);
    await sleep(SETTLING_MS);
    const cpuMs = () => servers.cpuMs() + databaseCpuMs(databasePid);
    const before = cpuMs();
    await sleep(SECONDS * 1_000);
    const perSecond = (cpuMs() - before) / SECONDS;
    await servers.stop();
    return perSecond;
  };
  const counts = values.servers.split(",").map(Number);
  const without: number[] = [];
  for (const count of counts) without.push(await restOf(count));
  const first = await startProduct(url, 1, keys);
  await createFundedAgents(first.ports[0] ?? 0, AGENTS);
  await first.stop();
  for (const [index, count] of counts.entries()) {
    const [none = 0, all] = [without[index], await restOf(count)];
    say(
      `${count} servers at rest: ${fixed(all, 1)} ms a second with ${AGENTS} agents, ${fixed(none, 1)} without, ` +
        `${fixed(((all - none) * 1_000) / AGENTS, 1)} for 1,000 of them; load ${machineLoad()}`,
    );
  }
  const { rows } = await pool.query("select from agents");
  if (rows.length !== AGENTS) throw new Error(`There are ${rows.length} agents`);
}

await withDatabase(benchRest, SHARED);
