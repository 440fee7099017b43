import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type NoticeTarget, startNoticeTarget } from "../../../test/notice-targets.ts";
import { createPostOutside, isPublicAddress } from "./post-outside.ts";

describe("addresses of the public internet", () => {
  it.each(["1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1111"])("include %s", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    "0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 169.254.169.254 172.16.0.1 192.168.1.1 198.18.0.1",
    "224.0.0.1 255.255.255.255 :: ::1 fe80::1 fc00::1 fd12::1 ff02::1 ::ffff:127.0.0.1",
    "::ffff:1.1.1.1 64:ff9b::7f00:1 2001:db8::1 2002:7f00:1:: not-an-address",
  ])("exclude all of %s", (addresses) => {
    for (const address of addresses.split(" ")) expect(isPublicAddress(address)).toBe(false);
  });
});

describe("posting to an address an owner named", () => {
  let target: NoticeTarget;
  beforeEach(async () => {
    target = await startNoticeTarget();
  });
  afterEach(() => target.close());

  const anywhere = createPostOutside({
    allowsPlain: true,
    isAllowed: () => true,
    timeoutMs: 300,
  });

  it.each([
    "https://127.0.0.1/x",
    "https://localhost/x",
    "https://[::1]/x",
    "https://[::ffff:7f00:1]/x",
  ])("refuses %s before it connects", async (address) => {
    const { port } = new URL(target.url);
    const url = new URL(address);
    url.port = port;
    await expect(createPostOutside()(url.href, {}, "{}")).rejects.toMatchObject({
      message: "The address lies in a private network, where nothing is sent.",
      isFinal: true,
    });
    expect(target.received).toEqual([]);
  });

  it("refuses plain http", async () => {
    await expect(createPostOutside()("http://example.com/", {}, "")).rejects.toThrow(/https/);
  });

  it("connects to the resolved address and keeps the name in the request", async () => {
    const asked: string[] = [];
    const post = createPostOutside({
      allowsPlain: true,
      isAllowed: (address) => asked.push(address) > 0,
    });
    const { port } = new URL(target.url);
    await post(`http://localhost:${port}/here`, {}, "{}");
    expect(target.received[0]?.headers.host).toBe(`localhost:${port}`);
    expect(asked).not.toContain("localhost");
  });

  it("does not follow redirects", async () => {
    target.answers.push({ status: 307, headers: { location: `${target.url}/other` } });
    const { status } = await anywhere(`${target.url}/x`, {}, "{}");
    expect(status).toBe(307);
    expect(target.received).toHaveLength(1);
  });

  it("gives up on a timeout or a refused connection", async () => {
    target.answers.push("hang");
    await expect(anywhere(target.url, {}, "")).rejects.toThrow("No answer in time.");
    await expect(anywhere("http://127.0.0.1:1/", {}, "")).rejects.toThrow("No connection.");
  });

  it("reads only the beginning of an answer", async () => {
    target.answers.push({ status: 500, body: "x".repeat(1_000_000) });
    const { text, status } = await anywhere(target.url, {}, "");
    expect([status, text.length]).toEqual([500, 4_096]);
  });
});
