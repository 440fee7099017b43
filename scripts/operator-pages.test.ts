import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "./root.mjs";

const read = (path: string) => readFileSync(join(root, path), "utf8");

it("docs/alert-rules.md has a first answer for exactly the existing alert rules", () => {
  const rules = [...read("deploy/monitoring/alerts.yml").matchAll(/- alert: (\w+)/g)];
  const answers = [...read("docs/alert-rules.md").matchAll(/^## (\w+)\n\n\S/gm)];
  expect(rules.length).toBeGreaterThan(5);
  expect(answers.map(([, name]) => name)).toEqual(rules.map(([, name]) => name));
});

const noPromtool =
  spawnSync("promtool", ["--version"]).status === 0
    ? ""
    : "needs promtool (apt-get install prometheus)";

it.skipIf(noPromtool !== "")(
  `the alert rules fire and the scrape is understood ${noPromtool}`,
  () => {
    const promtool = (...given: string[]) =>
      spawnSync("promtool", given, { cwd: join(root, "deploy/monitoring"), encoding: "utf8" });
    const tested = promtool("test", "rules", "alerts.test.yml");
    expect([tested.status, tested.stderr]).toEqual([0, ""]);
    const checked = promtool("check", "config", "--syntax-only", "prometheus.yml");
    expect([checked.status, checked.stderr]).toEqual([0, ""]);
  },
);

it("the compose file's server is neither superuser nor owner, and each variable it requires is documented", () => {
  const compose = read("compose.yaml");
  const roles = [...read("deploy/database-roles.sql").matchAll(/^create role (\w+) login/gm)];
  const users = [...compose.matchAll(/DATABASE_(?:[A-Z]+_)?URL: postgres:\/\/(\w+[:@])/g)];
  const names = ["wheelhouse", "wheelhouse_trading", "wheelhouse_signer", "wheelhouse_owner"];
  // The server names the roles whose passwords signer and web alone have
  const server = ["wheelhouse@", "wheelhouse_trading:", "wheelhouse_signer@", "wheelhouse:"];
  expect(compose).toMatch(/DATABASE_OWNER_FILE: \/run\/secrets\/owner-url/);
  expect(users.map(([, name]) => name)).toEqual([...server, "wheelhouse_signer:"]);
  expect(new Set(roles.map(([, name]) => name))).toEqual(new Set(names));
  const needed = [...compose.matchAll(/\$\{([A-Z_]+):\?/g)].map(([, name]) => name);
  const told = [...read("docs/operating.md").matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name);
  expect(needed.filter((name) => !told.includes(name))).toEqual([]);
});

it("the changelog's newest version is that of package.json, with nothing unreleased", () => {
  const { version } = JSON.parse(read("package.json")) as { version: string };
  const lock = JSON.parse(read("package-lock.json")) as { version: string };
  expect(lock.version).toBe(version);
  const headings = [...read("CHANGELOG.md").matchAll(/^## (.*)$/gm)].map(([, name]) => name);
  expect(headings[0]).toBe(version);
});
