import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "./root.mjs";

const deploy = join(root, "deploy");
const UNITS = readdirSync(deploy).filter((name) => name.endsWith(".service"));
const DROP_INS = ["apart.conf", "built-in-signer.conf"].map((name) =>
  join("wheelhouse.service.d", name),
);
const [APART = "", BUILT_IN = ""] = DROP_INS;

/** Returns why a program cannot check anything here; empty when it can. */
const missing = (program: string, option: string): string =>
  spawnSync(program, [option]).status === 0 ? "" : `needs ${program}`;

const noSystemd = missing("systemd-analyze", "--version");
const noCompose = missing("docker-compose", "--version");

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), "wheelhouse-units-"))));
afterAll(() => rmSync(folder, { recursive: true }));

const textOf = (name: string): string => readFileSync(join(deploy, name), "utf8");

/** Returns a setting's values in a unit file, in order. */
const valuesOf = (text: string, setting: string): string[] =>
  [...text.matchAll(new RegExp(`^${setting}=(.*)$`, "gm"))].map(([, value = ""]) => value);

describe.skipIf(noSystemd !== "")(`the systemd units ${noSystemd}`, () => {
  const analyze = (...given: string[]) =>
    spawnSync("systemd-analyze", ["--no-pager", ...given], { encoding: "utf8" });

  it.each(UNITS)("%s has nothing that systemd does not understand", (name) => {
    const { status, stderr } = analyze("verify", join(deploy, name));
    expect([status, stderr]).toEqual([0, ""]);
  });

  it.each(DROP_INS)("the server's unit is understood with %s too", (name) => {
    rmSync(join(folder, "wheelhouse.service.d"), { recursive: true, force: true });
    mkdirSync(join(folder, "wheelhouse.service.d"));
    for (const each of ["wheelhouse.service", name]) cpSync(join(deploy, each), join(folder, each));
    const { status, stderr } = analyze("verify", join(folder, "wheelhouse.service"));
    expect([status, stderr]).toEqual([0, ""]);
  });

  it.each(UNITS)("%s is exposed to less than 2 of 10", (name) => {
    const { stdout } = analyze("security", "--offline=true", join(deploy, name));
    const level = /Overall exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1];
    expect(Number(level)).toBeGreaterThan(0);
    expect(Number(level)).toBeLessThan(2);
  });
});

it("each unit runs under an account of its own, and only the signer's gets the secret of the keys", () => {
  const secret = (text: string) =>
    valuesOf(text, "LoadCredential").some((value) => value.startsWith("delegate-secret:"));
  expect(UNITS.filter((name) => secret(textOf(name)))).toEqual(["wheelhouse-signer.service"]);
  expect(UNITS.map((name) => valuesOf(textOf(name), "User")[0])).toEqual([
    "wheelhouse-signer",
    "wheelhouse-web",
    "wheelhouse",
  ]);
  const given = (name: string) =>
    valuesOf(textOf(name), "LoadCredential").map((value) => value.split(":")[0]);
  expect(given("wheelhouse-web.service")).toEqual(["web-word", "notice-keys"]);
  expect(given(APART)).toEqual(["", "trading-word", "notice-keys"]);
  expect(textOf("wheelhouse.service")).not.toContain("DELEGATE_SECRET_FILE");
  expect(secret(textOf(BUILT_IN))).toBe(true);
});

interface Service {
  readonly [key: string]: unknown;
  readonly networks?: Readonly<Record<string, unknown>>;
  readonly secrets?: readonly { readonly source: string }[];
  readonly environment?: Readonly<Record<string, string>>;
}

const DIGEST = `sha256:${"1".repeat(64)}`;

describe.skipIf(noCompose !== "")(
  `the compose file as docker-compose reads it ${noCompose}`,
  () => {
    let services: Readonly<Record<string, Service>>;

    beforeAll(() => {
      const project = join(folder, "compose");
      mkdirSync(project);
      cpSync(join(root, "compose.yaml"), join(project, "compose.yaml"));
      const env = [
        "DOMAIN",
        "POSTGRES_PASSWORD",
        "OWNER_PASSWORD",
        "APP_PASSWORD",
        "TRADING_PASSWORD",
        "SIGNER_PASSWORD",
        "SESSION_SECRET",
      ];
      const images = `POSTGRES_IMAGE=postgres@${DIGEST}\nNODE_IMAGE=node@${DIGEST}\n`;
      writeFileSync(join(project, ".env"), images + env.map((name) => `${name}=x\n`).join(""));
      const read = ["--profile", "two", "config"];
      const text = execFileSync("docker-compose", read, { cwd: project, encoding: "utf8" });
      // PyYAML is what docker-compose itself is made with
      const toJson = "import json, sys, yaml; print(json.dumps(yaml.safe_load(sys.stdin)))";
      const json = execFileSync("python3", ["-c", toJson], { input: text, encoding: "utf8" });
      ({ services } = JSON.parse(json) as { services: typeof services });
    });

    it("an image is the one that .env names by its digest", () => {
      const named = (name: string) => services[name]?.["image"];
      expect([named("postgres"), named("caddy"), services["server"]?.["build"]]).toEqual([
        `postgres@${DIGEST}`,
        "caddy:2",
        expect.objectContaining({ args: { NODE_IMAGE: `node@${DIGEST}` } }),
      ]);
    });

    it("every service is without capabilities it does not need, new privileges, and limits of its own", () => {
      expect(Object.keys(services).toSorted()).toEqual([
        "caddy",
        "postgres",
        "second",
        "second-web",
        "server",
        "signer",
        "web",
      ]);
      for (const [name, service] of Object.entries(services)) {
        expect([name, service["cap_drop"], service["security_opt"]]).toEqual([
          name,
          ["ALL"],
          ["no-new-privileges:true"],
        ]);
        expect([name, service["pids_limit"], service["mem_limit"]]).toEqual([
          name,
          expect.any(Number),
          expect.any(String),
        ]);
        expect([name, service["logging"]]).toEqual([
          name,
          { driver: "local", options: { "max-file": "5", "max-size": "20m" } },
        ]);
        expect([name, service["read_only"] ?? false]).toEqual([name, name !== "postgres"]);
      }
    });

    it("only the signer has the secret of the keys, as another account, on no network with server or proxy", () => {
      const having = Object.entries(services).filter(([, { secrets = [] }]) =>
        secrets.some(({ source }) => source === "delegate-secret"),
      );
      expect(having.map(([name]) => name)).toEqual(["signer"]);
      expect(services["signer"]?.["user"]).toBe("10002:10001");
      expect(services["signer"]?.["ports"]).toBeUndefined();
      expect(Object.keys(services["signer"]?.networks ?? {}).toSorted()).toEqual([
        "database",
        "nodes",
      ]);
      expect(Object.keys(services["caddy"]?.networks ?? {})).toEqual(["inside"]);
      for (const name of ["server", "second", "web", "second-web"]) {
        expect(services[name]?.environment).not.toHaveProperty("DELEGATE_SECRET_FILE");
        const shared = Object.keys(services[name]?.networks ?? {}).filter(
          (each) => each in (services["signer"]?.networks ?? {}),
        );
        expect([name, shared]).toEqual([name, ["database"]]);
      }
    });

    it("pages have an account, a word and a role of their own, and no file, address or password of another", () => {
      for (const name of ["web", "second-web"]) {
        const { user, secrets = [], environment = {}, volumes } = services[name] ?? {};
        expect(user).toBe("10003:10001");
        expect(secrets.map(({ source }) => source)).toEqual(["web-word", "web-notice-keys"]);
        expect(volumes).toEqual(["sockets:/run/signer:ro"]);
        expect(environment["DATABASE_URL"]).toMatch(/^postgres:\/\/wheelhouse:/);
        expect(Object.keys(environment).filter((key) => /^DATABASE_./.test(key))).toEqual([
          "DATABASE_URL",
        ]);
        for (const key of ["OWNER_PASSWORD", "TRADING_PASSWORD", "SIGNER_PASSWORD"])
          expect([key, environment[key]]).toEqual([key, ""]);
      }
      expect(services["server"]?.["environment"]).toMatchObject({
        SESSION_SECRET: "",
        DATABASE_URL: "postgres://wheelhouse@postgres/wheelhouse",
      });
    });
  },
);
