import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { replaceFetch } from "./api.ts";
import { live } from "./live.ts";
import { checkHealth, health, HEALTH_CHECK_MS, watchHealth } from "./health.ts";
import { requestPath } from "../../../test/request-path.ts";

let isUp = true;
let checks = 0;
let stop = () => {};

beforeEach(() => {
  vi.useFakeTimers();
  isUp = true;
  checks = 0;
  live.setState({ isConnected: false });
  replaceFetch((input, init) => {
    expect(`${init?.method} ${requestPath(input)}`).toBe("HEAD /api/health");
    checks++;
    return isUp ? Promise.resolve(new Response()) : Promise.reject(new TypeError("offline"));
  });
});

afterEach(() => {
  stop();
  vi.useRealTimers();
});

describe("the health watch", () => {
  it("notices when the server has a newer page than the open one", async () => {
    const script = document.head.appendChild(document.createElement("script"));
    script.type = "module";
    script.setAttribute("src", "/assets/index-1.js");
    const answer = (headers: HeadersInit) => {
      replaceFetch(() => Promise.resolve(new Response(null, { headers })));
      return checkHealth();
    };
    const seen = [];
    for (const headers of [
      { "x-page-script": "/assets/index-1.js" },
      { "x-page-script": "/assets/index-2.js" },
      // A proxy's own answer says nothing about it
      {},
      { "x-page-script": "/assets/index-1.js" },
    ]) {
      await answer(headers as HeadersInit);
      seen.push(health.getState().isOutdated);
    }
    expect(seen).toEqual([false, true, true, false]);
    script.remove();
  });

  it("checks at start and every 30 seconds", async () => {
    stop = watchHealth();
    await vi.advanceTimersByTimeAsync(0);
    expect(checks).toBe(1);
    await vi.advanceTimersByTimeAsync(HEALTH_CHECK_MS - 1);
    expect(checks).toBe(1);
    isUp = false;
    await vi.advanceTimersByTimeAsync(1);
    expect(checks).toBe(2);
    expect(health.getState().isOnline).toBe(false);
  });

  it("checks at once when push breaks and when it returns", async () => {
    stop = watchHealth();
    live.setState({ isConnected: true });
    await vi.advanceTimersByTimeAsync(0);
    isUp = false;
    live.setState({ isConnected: false });
    await vi.advanceTimersByTimeAsync(0);
    expect(health.getState().isOnline).toBe(false);
    isUp = true;
    live.setState({ isConnected: true });
    await vi.advanceTimersByTimeAsync(0);
    expect(health.getState().isOnline).toBe(true);
    live.setState({ isConnected: true });
    await vi.advanceTimersByTimeAsync(0);
    expect(checks).toBe(4);
  });

  it("believes the browser when it says offline and checks when it says online", async () => {
    stop = watchHealth();
    await vi.advanceTimersByTimeAsync(0);
    window.dispatchEvent(new Event("offline"));
    expect(health.getState().isOnline).toBe(false);
    window.dispatchEvent(new Event("online"));
    await vi.advanceTimersByTimeAsync(0);
    expect(health.getState().isOnline).toBe(true);
  });
});
