import { once } from "node:events";
import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { rolldown } from "rolldown";

const root = join(import.meta.dirname, "..");
const folder = join(root, ".cache", "launched-app");

const program = `
import { launchPostgres } from ${JSON.stringify(join(root, "src/server/store/launch/launch-postgres.ts"))};
try {
  const server = await launchPostgres({ dataDir: process.argv[2] });
  console.log(JSON.stringify({ url: server.url, pid: server.pid, wasAdopted: server.wasAdopted }));
  process.stdin.once("data", async () => {
    await server.stop();
    process.exit(0);
  });
} catch (error) {
  console.log(JSON.stringify({ refusal: error.message }));
  process.exit(1);
}
`;

/** Output of a process with an embedded database: its URL when ready, or the reason it refused. */
export interface Launched {
  readonly url: string;
  readonly pid: number;
  readonly wasAdopted: boolean;
  readonly refusal?: string;
}

export interface LaunchedApp extends Launched {
  readonly process: ChildProcess;
  stop(): Promise<void>;
  kill(): Promise<void>;
}

/** Bundles a small program that only holds an embedded database, for tests that must kill it. */
export async function buildLaunchedApp(): Promise<(dataDir: string) => Promise<LaunchedApp>> {
  mkdirSync(folder, { recursive: true });
  const entry = "\0launched-app";
  const bundle = await rolldown({
    input: entry,
    platform: "node",
    external: ["pg"],
    plugins: [
      {
        name: "entry",
        resolveId: (id) => (id === entry ? id : null),
        load: (id) => (id === entry ? program : null),
      },
    ],
  });
  const file = join(folder, `app-${process.pid}.mjs`);
  await bundle.write({ file, format: "esm" });
  await bundle.close();
  return (dataDir) => launch(file, dataDir);
}

async function launch(file: string, dataDir: string): Promise<LaunchedApp> {
  const child = spawn(process.execPath, [file, dataDir], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "exit");
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  return {
    ...(JSON.parse(line) as Launched),
    process: child,
    async stop() {
      child.stdin.write("stop\n");
      await ended;
    },
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
