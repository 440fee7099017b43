import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ConfigError, loadConfig } from "./config.ts";
import { SETTING_NAMES } from "./environment.ts";

const root = join(import.meta.dirname, "../..");

const SECRETS = {
  DELEGATE_SECRET: "9f86d081884c7d659a2feaa0c55ad015",
  SESSION_SECRET: "a3bf4f1b2b0b822cd15d6c15b0f00a08",
};

let folder: string;

beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "wheelhouse-config-"))));
afterEach(() => rmSync(folder, { recursive: true }));

describe("loadConfig", () => {
  it("has a default for everything on practice", () => {
    const config = loadConfig({ DATA_DIR: folder });
    expect(config).toMatchObject({
      port: 4600,
      host: "127.0.0.1",
      publicUrl: "http://127.0.0.1:4600",
      databaseUrl: undefined,
      networks: ["practice"],
      aiOrigins: ["https://api.openai.com"],
      logLevel: "info",
      trustedProxies: [],
    });
  });

  it("accepts alerts from everybody with a token unless addresses are named", () => {
    expect(loadConfig({ DATA_DIR: folder }).alertSenders).toBeUndefined();
    const named = loadConfig({ DATA_DIR: folder, ALERT_SENDERS: "tradingview, 203.0.113.7" });
    expect([...(named.alertSenders ?? [])]).toEqual(
      expect.arrayContaining(["52.89.214.238", "203.0.113.7"]),
    );
    const refusal = (env: Record<string, string>) => () => loadConfig({ DATA_DIR: folder, ...env });
    expect(refusal({ ALERT_SENDERS: "TradingView Inc" })).toThrow(/^ALERT_SENDERS: must be/);
    const proxied = { ALERT_SENDERS: "tradingview", PUBLIC_URL: "https://trade.example" };
    expect(refusal(proxied)).toThrow(/^TRUSTED_PROXIES: needed because ALERT_SENDERS/);
    expect(refusal({ ...proxied, TRUSTED_PROXIES: "127.0.0.1" })).not.toThrow();
  });

  it("drains for five seconds behind a proxy, not at all without one, or as configured", () => {
    const drains = (env: Record<string, string>) =>
      loadConfig({ DATA_DIR: folder, ...env }).drainSeconds;
    expect(drains({})).toBe(0);
    expect(drains({ TRUSTED_PROXIES: "127.0.0.1" })).toBe(5);
    expect(drains({ TRUSTED_PROXIES: "127.0.0.1", DRAIN_SECONDS: "0" })).toBe(0);
    expect(drains({ DRAIN_SECONDS: "7" })).toBe(7);
    expect(() => drains({ DRAIN_SECONDS: "21" })).toThrow(/^DRAIN_SECONDS: must be from 0 to 20/);
  });

  it("requires the application's database role beside its owner's", () => {
    const owner = { DATA_DIR: folder, DATABASE_OWNER_URL: "postgres://owner@db/wheelhouse" };
    expect(() => loadConfig(owner)).toThrow(/^DATABASE_URL: needed/);
    const both = loadConfig({ ...owner, DATABASE_URL: "postgres://app@db/wheelhouse" });
    expect(both.databaseOwnerUrl).toBe("postgres://owner@db/wheelhouse");
  });

  it("leaves a role to another server only with a shared database", () => {
    expect(loadConfig({ DATA_DIR: folder }).roles).toEqual(["web", "trading"]);
    const alone = { DATA_DIR: folder, ROLES: "trading" };
    expect(() => loadConfig(alone)).toThrow(/^DATABASE_URL: needed because ROLES/);
    const shared = { ...alone, DATABASE_URL: "postgres://app@db/wheelhouse" };
    expect(loadConfig(shared).roles).toEqual(["trading"]);
    expect(() => loadConfig({ ...shared, ROLES: "signer" })).toThrow(
      "ROLES: must be a comma-separated list of web, trading.",
    );
  });

  it("names the new name of a renamed role", () => {
    const env = { DATA_DIR: folder, DATABASE_URL: "postgres://app@db/wheelhouse" };
    for (const roles of ["people", "people,trading", "trading, people"]) {
      expect(() => loadConfig({ ...env, ROLES: roles })).toThrow(
        /^ROLES: people is called web now; write web instead\.$/,
      );
    }
  });

  it("creates both secrets once, readable by this user only", () => {
    const first = loadConfig({ DATA_DIR: folder });
    const second = loadConfig({ DATA_DIR: folder });
    expect(second.tradingKeySecret).toBe(first.tradingKeySecret);
    expect(second.sessionSecret).toBe(first.sessionSecret);
    expect(first.sessionSecret).not.toBe(first.tradingKeySecret);
    for (const name of ["delegate.secret", "session.secret"]) {
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    }
  });

  it("treats an empty variable as not set", () => {
    expect(loadConfig({ ...SECRETS, DATA_DIR: folder, PORT: "", DATABASE_URL: " " })).toMatchObject(
      {
        port: 4600,
        databaseUrl: undefined,
      },
    );
  });

  it("reads lists, brackets an IPv6 host and drops a trailing slash", () => {
    const config = loadConfig({
      ...SECRETS,
      HOST: "::1",
      PORT: "0",
      NETWORKS: "practice, mainnet,practice",
      AI_ORIGINS: "https://ai.example/, http://127.0.0.1:11434",
      RPC_URL_MAINNET: "https://one.example/?key=1, https://two.example",
    });
    expect(config.publicUrl).toBe("http://[::1]:0");
    expect(config.networks).toEqual(["practice", "mainnet"]);
    expect(config.aiOrigins).toEqual(["https://ai.example", "http://127.0.0.1:11434"]);
    expect(config.rpcUrls.mainnet).toEqual(["https://one.example/?key=1", "https://two.example"]);
    const named = loadConfig({ ...SECRETS, PUBLIC_URL: "https://trade.example/" });
    expect(named.publicUrl).toBe("https://trade.example");
  });

  it.each([
    ["PORT", { PORT: "80a" }],
    ["PORT", { PORT: "70000" }],
    ["PUBLIC_URL", { PUBLIC_URL: "trade.example" }],
    ["PUBLIC_URL", { PUBLIC_URL: "https://trade.example/app" }],
    ["DATABASE_URL", { DATABASE_URL: "mysql://here" }],
    ["NETWORKS", { NETWORKS: "testnet" }],
    ["NETWORKS", { NETWORKS: "," }],
    ["RPC_URL_DEVNET", { ...SECRETS, NETWORKS: "devnet" }],
    ["RPC_URL_MAINNET", { RPC_URL_MAINNET: "one.example" }],
    ["DELEGATE_SECRET", { NETWORKS: "mainnet", RPC_URL_MAINNET: "https://one.example" }],
    ["DELEGATE_SECRET", { DELEGATE_SECRET: "short" }],
    ["DELEGATE_SECRET", { DELEGATE_SECRET: "d".repeat(64) }],
    ["SESSION_SECRET", { SESSION_SECRET: "correct horse battery staple and more" }],
    ["PUBLIC_URL", { PUBLIC_URL: "http://trade.example" }],
    ["PUBLIC_URL", { HOST: "0.0.0.0" }],
    ["PUBLIC_URL", { PUBLIC_URL: "http://trade.example", ALLOW_PLAIN_HTTP: "no" }],
    ["ALLOW_PLAIN_HTTP", { ALLOW_PLAIN_HTTP: "true" }],
    [
      "SESSION_SECRET",
      { ...SECRETS, SESSION_SECRET: "", NETWORKS: "devnet", RPC_URL_DEVNET: "https://one.example" },
    ],
    ["SESSION_SECRET", { ...SECRETS, SESSION_SECRET: SECRETS.DELEGATE_SECRET }],
    ["AI_ORIGINS", { AI_ORIGINS: "https://ai.example/v1" }],
    ["AI_ORIGINS", { AI_ORIGINS: "ai.example" }],
    ["LOG_LEVEL", { LOG_LEVEL: "loud" }],
  ])("names %s in one line and creates nothing: %o", (name, env) => {
    const failed = failureOf({ DATA_DIR: folder, ...env });
    expect(failed).toMatch(new RegExp(`^${name}: [^\n]+\\.$`));
    expect(readdirSync(folder)).toEqual([]);
  });

  it("never repeats a secret in its message", () => {
    expect(failureOf({ DATA_DIR: folder, SESSION_SECRET: "hunter2" })).not.toContain("hunter2");
  });

  it("serves other machines without TLS only when configured", () => {
    const plain = { ...SECRETS, DATA_DIR: folder, HOST: "0.0.0.0" };
    expect(loadConfig({ ...plain, ALLOW_PLAIN_HTTP: "yes" }).publicUrl).toBe("http://0.0.0.0:4600");
    expect(loadConfig({ ...plain, PUBLIC_URL: "https://trade.example" }).host).toBe("0.0.0.0");
    expect(loadConfig({ ...plain, PUBLIC_URL: "http://localhost:4600" }).host).toBe("0.0.0.0");
  });

  it("refuses a data folder that every user may write to", () => {
    chmodSync(folder, 0o777);
    expect(failureOf({ DATA_DIR: folder })).toMatch(
      /^DATA_DIR: every user [^\n]+ chmod o-w on it\.$/,
    );
    chmodSync(folder, 0o775);
    expect(loadConfig({ DATA_DIR: folder }).dataDir).toBe(folder);
  });

  it("names the data folder when it is a file", () => {
    const file = join(folder, "file");
    writeFileSync(file, "");
    expect(failureOf({ DATA_DIR: file })).toMatch(/^DATA_DIR: cannot use .* \(ENOTDIR\);[^\n]+$/);
  });
});

function failureOf(env: Record<string, string>): string {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error("the settings were accepted");
}

describe("the lists of settings", () => {
  const sorted = SETTING_NAMES.toSorted();

  it("in the README name exactly the existing settings", () => {
    const readme = readFileSync(join(root, "README.md"), "utf8");
    const table = readme.split("## Configuration")[1]?.split("\n## ")[0] ?? "";
    const named = table
      .split("\n")
      .filter((line) => line.startsWith("| `"))
      .flatMap((line) => [...(line.split("|")[1] ?? "").matchAll(/`([A-Z_]+)`/g)])
      .map(([, name = ""]) => name);
    expect(new Set(named)).toEqual(new Set(sorted));
    expect(named).toHaveLength(sorted.length);
  });

  it("in .env.example name exactly the existing settings, and set none", () => {
    const lines = readFileSync(join(root, ".env.example"), "utf8").split("\n");
    const named = lines.flatMap((line) => /^# ([A-Z_]+)=/.exec(line)?.[1] ?? []);
    expect(named.toSorted()).toEqual(sorted);
    expect(lines.filter((line) => line !== "" && !line.startsWith("#"))).toEqual([]);
  });

  it("in README and .env.example give the same defaults", () => {
    const rows = readFileSync(join(root, "README.md"), "utf8").matchAll(
      /^\| `([A-Z_]+)` \| `([^`A-Z]+)` \|/gm,
    );
    const given = [...rows].map(([, name = "", value = ""]) => `# ${name}=${value}`);
    expect(given.length).toBeGreaterThan(8);
    const example = readFileSync(join(root, ".env.example"), "utf8").split("\n");
    expect(given.filter((line) => !example.includes(line))).toEqual([]);
  });

  it("refuses a token for scrapers that could be guessed", () => {
    expect(() => loadConfig({ ...SECRETS, DATA_DIR: folder, METRICS_TOKEN: "short" })).toThrow(
      "METRICS_TOKEN: must have at least 16 characters.",
    );
  });
});
