import { AggregatorRegistry, type MetricObject, type Registry } from "prom-client";
import { readProcessFigures } from "../store/health/process-figures.ts";
import type { Db } from "../store/postgres/db.ts";

/** Age in seconds after which a process's figures are left out: it has missed several rounds. */
const FRESH_SECONDS = 20;

/** Labels keep the processes apart, so nothing is added up, averaged or left out. */
const ADDED = "sum";

/** Returns this process's metrics and those of the database's trading processes as one text for scrapers. */
export async function gatherFigures(db: Db, registry: Registry): Promise<string> {
  const own = await registry.getMetricsAsJSON();
  // Without a database this process's own figures are still worth having
  const others = await readProcessFigures(db, FRESH_SECONDS).catch(() => []);
  const all = [own, ...others.map(({ figures }) => figures as MetricObject[])];
  return AggregatorRegistry.aggregate(
    all.map((metrics) => metrics.map((metric) => ({ ...metric, aggregator: ADDED }))),
  ).metrics();
}
