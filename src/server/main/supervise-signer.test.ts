import { EventEmitter } from "node:events";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { superviseSigner } from "./supervise-signer.ts";

class FakeChild extends EventEmitter {
  readonly heard: unknown[] = [];
  connected = true;
  isKilled = false;
  send(message: unknown): boolean {
    this.heard.push(message);
    return true;
  }
  kill(): boolean {
    this.isKilled = true;
    return true;
  }
}

let server: FakeChild;
let signers: FakeChild[];
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  server = new FakeChild();
  signers = [];
  stop = superviseSigner(server as never, () => {
    const signer = new FakeChild();
    signers.push(signer);
    return signer as never;
  });
});

afterEach(() => {
  vi.useRealTimers();
});

it("passes calls and answers on once the signer is there, and says so", () => {
  const [signer] = signers as [FakeChild];
  server.emit("message", { hello: true });
  server.emit("message", { id: 1 });
  expect(server.heard).toEqual([]);
  expect(signer.heard).toEqual([]);
  signer.emit("message", { signer: "up" });
  server.emit("message", { id: 2 });
  signer.emit("message", { id: 2, value: null });
  expect(signer.heard).toEqual([{ id: 2 }]);
  expect(server.heard).toEqual([{ signer: "up" }, { id: 2, value: null }]);
  server.emit("message", { hello: true });
  expect(server.heard.at(-1)).toEqual({ signer: "up" });
});

it("starts a signer that died again, more slowly while it dies at once, and says so", () => {
  signers[0]?.emit("message", { signer: "up" });
  signers[0]?.emit("exit");
  expect(server.heard.at(-1)).toEqual({ signer: "down" });
  vi.advanceTimersByTime(100);
  expect(signers).toHaveLength(2);
  signers[1]?.emit("exit");
  vi.advanceTimersByTime(199);
  expect(signers).toHaveLength(2);
  vi.advanceTimersByTime(1);
  expect(signers).toHaveLength(3);
  signers[2]?.emit("message", { signer: "up" });
  signers[2]?.emit("exit");
  vi.advanceTimersByTime(100);
  expect(signers).toHaveLength(4);
});

it("starts none once it is ended", () => {
  stop();
  expect(signers[0]?.isKilled).toBe(true);
  signers[0]?.emit("exit");
  vi.advanceTimersByTime(60_000);
  expect(signers).toHaveLength(1);
});

it("ends a signer that hangs, and starts it again", () => {
  const [signer] = signers as [FakeChild];
  signer.emit("message", { signer: "up" });
  server.emit("message", { hangs: true });
  expect(signer.isKilled).toBe(true);
  expect(signer.heard).toEqual([]);
  signer.emit("exit");
  vi.advanceTimersByTime(100);
  expect(signers).toHaveLength(2);
});
