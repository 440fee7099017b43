import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmodSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { launchPostgres } from "../src/server/store/launch/launch-postgres.ts";
import { writeKeyFile } from "../test/key-file.ts";
import { launchServer } from "../test/server-process.ts";
import { createTrader } from "../test/trader.ts";
import { freePort, makeDataDir, MAIN, type Product, startProduct } from "./product.ts";

const SIGNER = join(import.meta.dirname, "../dist/server/signer.js");

type Env = Readonly<Record<string, string>>;

/** Runs a program until it ends; resolves to its exit code and all that it said. */
async function outcomeOf(program: string, env: Env): Promise<[number | null, string]> {
  const child = spawn(process.execPath, [program], { env: { ...process.env, ...env } });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => (said += chunk.toString()));
  }
  const [code] = (await once(child, "close")) as [number | null];
  return [code, said];
}

test("a server without the keys trades through a signer that runs by itself, and again after it was killed", async () => {
  const [databaseDir, signerDir, dataDir] = [makeDataDir(), makeDataDir(), makeDataDir()];
  chmodSync(databaseDir.path, 0o711);
  const postgres = await launchPostgres({ dataDir: databaseDir.path });
  const sockets = join(signerDir.path, "sockets");
  mkdirSync(sockets, { mode: 0o750 });
  const word = join(signerDir.path, "word");
  writeFileSync(word, `${randomBytes(32).toString("hex")}\n`, { mode: 0o600 });
  const port = await freePort();
  const shared = {
    NETWORKS: "practice",
    DATABASE_URL: postgres.url,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    SIGNER_SOCKETS: sockets,
    SIGNER_WORD_FILE: word,
  };
  const keys = { DELEGATE_SECRET_FILE: writeKeyFile(signerDir.path), DATA_DIR: signerDir.path };
  const alone = { ...shared, ...keys };
  const startSigner = () => {
    const child = spawn(process.execPath, [SIGNER], {
      env: { ...process.env, ...alone },
      stdio: ["ignore", "pipe", "inherit"],
    });
    return { child, ended: once(child, "exit"), listens: once(child.stdout, "data") };
  };
  const server = { ...shared, DATA_DIR: dataDir.path, PORT: String(port), LOG_LEVEL: "error" };
  let product: Product | undefined;
  let signer = startSigner();
  try {
    expect(String((await signer.listens)[0])).toBe("The signer listens.\n");
    expect(statSync(join(sockets, "trading.socket")).mode & 0o777).toBe(0o660);
    expect(await outcomeOf(SIGNER, alone)).toEqual([
      1,
      `${join(sockets, "web.socket")}: another signer listens there.\n`,
    ]);
    const other = join(dataDir.path, "word");
    writeFileSync(other, `${randomBytes(32).toString("hex")}\n`, { mode: 0o600 });
    expect(await outcomeOf(MAIN, { ...server, SIGNER_WORD_FILE: other })).toEqual([
      1,
      `SIGNER_WORD_FILE: the signer at ${join(sockets, "web.socket")} wants another word.\n`,
    ]);

    product = await startProduct(dataDir.path, port, server);
    expect(() => product?.pidOf("signer")).toThrow("no process signer");
    const trader = await createTrader(product.url);
    await trader.takePracticeMoney("5", "1000");
    const agent = await trader.createAgent("Agent ** SOL-1h");
    expect((await agent.fire("enter")).status).toBe(202);
    await expect.poll(agent.statuses).toEqual(["success"]);

    signer.child.kill("SIGKILL");
    await signer.ended;
    expect((await agent.fire("exit")).status).toBe(202);
    signer = startSigner();
    await expect.poll(agent.statuses).toEqual(["success", "success"]);
    expect(await product.stop()).toBe(0);
    product = undefined;

    // A server that starts before its signer waits for it
    signer.child.kill("SIGTERM");
    expect(await signer.ended).toEqual([0, null]);
    const said: string[] = [];
    const early = launchServer(MAIN, { ...process.env, ...server }, (line) => said.push(line));
    const waiting = `Waiting for the signer, up to 60 seconds: ${join(sockets, "web.socket")}`;
    await expect.poll(() => said).toEqual([waiting]);
    signer = startSigner();
    await early.ready;
    early.signal("SIGTERM");
    expect(await early.ended).toBe(0);
  } finally {
    await product?.stop();
    signer.child.kill("SIGTERM");
    await signer.ended;
    await postgres.stop();
    for (const folder of [databaseDir, signerDir, dataDir]) folder.remove();
  }
});
