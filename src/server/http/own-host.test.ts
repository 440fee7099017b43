import { describe, expect, it } from "vitest";
import { ownHostCheck } from "./own-host.ts";

const publicUrl = new URL("https://app.test");

describe("ownHostCheck", () => {
  const isOwn = ownHostCheck({ publicUrl, listenHost: "192.168.1.5" });

  it.each([
    "app.test",
    "app.test:443",
    "APP.test",
    "localhost",
    "localhost:4600",
    "127.0.0.1:4600",
    "127.8.9.1",
    "[::1]:4600",
    "192.168.1.5:4600",
  ])("accepts %s", (host) => expect(isOwn(host)).toBe(true));

  it.each([
    undefined,
    "",
    "evil.test",
    "app.test.evil.test",
    "evil.test:4600",
    "localhost.evil.test",
    "127.0.0.1.evil.test",
    "10.0.0.1",
    "[fe80::1]",
    "user@app.test",
    "app.test/x",
    "app.test evil",
    "0.0.0.0",
  ])("refuses %s", (host) => expect(isOwn(host)).toBe(false));

  it("accepts any numeric address when it listens on all, but no name", () => {
    const everywhere = ownHostCheck({ publicUrl, listenHost: "0.0.0.0" });
    expect(everywhere("10.0.0.1:4600")).toBe(true);
    expect(everywhere("[fe80::1]:4600")).toBe(true);
    expect(everywhere("evil.test")).toBe(false);
  });
});
