import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { writeKeyFile } from "../test/key-file.ts";
import { descendantsOf } from "../test/prove/process-tree.ts";
import { freePort, makeDataDir, startProduct } from "./product.ts";

test.skip(process.platform !== "linux", "reads /proc");

const PLACES = [
  ["a file that is named", (folder: string) => writeKeyFile(folder)],
  ["the practice network's own file", () => undefined],
] as const;

for (const [place, name] of PLACES) {
  test(`the master secret in ${place} is in no process's environment or arguments`, async () => {
    const dataDir = makeDataDir();
    const named = name(dataDir.path);
    const env = named === undefined ? {} : { DELEGATE_SECRET_FILE: named };
    const product = await startProduct(dataDir.path, await freePort(), env);
    const file = named ?? join(dataDir.path, "delegate.secret");
    const secret = readFileSync(file, "utf8").trim();
    // The database's processes too
    const pids = [product.pid, ...descendantsOf(product.pid)];
    const own = [product.pid, ...(["web", "trading", "signer"] as const).map(product.pidOf)];
    expect(pids).toEqual(expect.arrayContaining(own));
    const told = (what: string, text: string) =>
      pids.filter((pid) => readFileSync(`/proc/${pid}/${what}`, "utf8").includes(text));
    expect(told("environ", "LOG_LEVEL=")).toEqual(expect.arrayContaining(own));
    expect([told("environ", secret), told("cmdline", secret)]).toEqual([[], []]);
    const holders = named === undefined ? [] : [product.pid, product.pidOf("signer")];
    expect(told("environ", "DELEGATE_SECRET_FILE=")).toEqual(holders);
    expect(await product.stop()).toBe(0);
    dataDir.remove();
  });
}
