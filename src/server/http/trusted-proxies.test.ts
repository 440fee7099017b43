import { expect, it } from "vitest";
import { trustedProxies } from "./trusted-proxies.ts";

it.each([
  ["10.0.0.9", "10.0.0.9", true],
  ["10.0.0.9", "10.0.0.8", false],
  ["10.0.0.9", "::ffff:10.0.0.9", true],
  ["10.1.0.0/16", "10.1.255.1", true],
  ["10.1.0.0/16", "10.2.0.1", false],
  ["2001:db8::/32", "2001:db8:9::1", true],
  ["2001:db8::/32", "2001:db9::1", false],
  ["fe80::1", "fe80::1%eth0", true],
  ["loopback", "127.0.0.9", true],
  ["loopback", "::1", true],
  ["uniquelocal", "172.31.46.2", true],
  ["uniquelocal", "172.32.0.1", false],
  // What a stranger wrote into X-Forwarded-For
  ["loopback", "localhost", false],
  ["loopback", "", false],
])("%s trusts %s: %s", (given, address, isTrusted) =>
  expect(trustedProxies([given])(address)).toBe(isTrusted),
);

it("trusts nobody by default, and every named address", () => {
  expect(trustedProxies([])("127.0.0.1")).toBe(false);
  expect(trustedProxies(["10.0.0.1", "10.0.0.2"])("10.0.0.2")).toBe(true);
});

it.each(["proxy", "10.0.0.1/33", "10.0.0.1/", "10.0.0.0/8/8", "::/129", "10.0.0.1/255.0.0.0"])(
  "refuses %s",
  (given) => expect(() => trustedProxies([given])).toThrow("is no address and no network"),
);
