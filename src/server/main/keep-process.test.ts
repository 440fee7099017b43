import { EventEmitter } from "node:events";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { keepProcess, type SupervisedProcess, LOST_DATABASE } from "./keep-process.ts";

class FakeChild extends EventEmitter {
  readonly heard: unknown[] = [];
  readonly signals: string[] = [];
  connected = true;
  send(message: unknown): boolean {
    this.heard.push(message);
    return true;
  }
  kill(signal: string): boolean {
    this.signals.push(signal);
    return true;
  }
}

let children: FakeChild[];
let heard: unknown[];
let kept: SupervisedProcess;

beforeEach(() => {
  vi.useFakeTimers();
  children = [];
  heard = [];
  kept = keepProcess(startFake, {
    name: "web",
    hung: () => heard.push("hung"),
  });
});

const startFake = () => {
  const child = new FakeChild();
  children.push(child);
  return child as never;
};

afterEach(() => {
  vi.useRealTimers();
});

const last = () => children.at(-1) as FakeChild;
const rise = () => last().emit("message", { up: true });
const die = (code: number | null = null) => last().emit("exit", code);

it("is up once it reports so, and gets what it is sent", async () => {
  rise();
  await kept.started;
  kept.send({ id: 2 });
  expect(last().heard).toEqual([{ id: 2 }]);
});

it("restarts a process that died, more slowly while it dies at once", () => {
  rise();
  die();
  kept.send({ id: 1 });
  vi.advanceTimersByTime(100);
  expect(children).toHaveLength(2);
  die();
  vi.advanceTimersByTime(199);
  expect(children).toHaveLength(2);
  vi.advanceTimersByTime(1);
  expect(children).toHaveLength(3);
  rise();
  die();
  vi.advanceTimersByTime(100);
  expect(children).toHaveLength(4);
  expect(children.flatMap((child) => child.heard)).toEqual([]);
});

it("does not restart a process that ended before it was up, and reports its code", async () => {
  die(3);
  await expect(kept.started).rejects.toMatchObject({ exitCode: 3, isSaid: true });
  vi.advanceTimersByTime(60_000);
  expect(children).toHaveLength(1);
  expect(await kept.end("SIGTERM")).toBe(3);
});

it.each([
  ["by a signal", [null, "SIGKILL"], "The process web was ended by SIGKILL before it was ready."],
  ["with nothing left to do", [0, null], "The process web ended with 0 before it was ready."],
  ["without its database", [LOST_DATABASE, null], "The database was lost during the start."],
] as const)(
  "reports of a process that ended %s before it was up what it could not report itself",
  async (_how, how, message) => {
    last().emit("exit", ...how);
    const error = await kept.started.catch((each: unknown) => each);
    expect(error).toMatchObject({ message, isSaid: false });
    expect((error as { exitCode: number }).exitCode).toBeGreaterThan(0);
  },
);

it("reports why a process could not be spawned", async () => {
  last().emit("error", new Error("spawn node EMFILE"));
  await expect(kept.started).rejects.toMatchObject({
    message: "The process web did not start (spawn node EMFILE) before it was ready.",
    isSaid: false,
  });
});

const beats = () => last().heard.filter((message) => "beat" in (message as object));

it("kills a process without heartbeat once, and restarts it", () => {
  rise();
  last().emit("message", { beat: true });
  vi.advanceTimersByTime(10_000);
  expect(beats()).toHaveLength(10);
  expect(last().signals).toEqual([]);
  vi.advanceTimersByTime(5_000);
  expect(last().signals).toEqual(["SIGKILL"]);
  expect(heard).toEqual(["hung"]);
  die();
  vi.advanceTimersByTime(100);
  expect(children).toHaveLength(2);
});

it("passes on what a process says, which is not that it is up", async () => {
  const said: object[] = [];
  kept = keepProcess(startFake, { name: "web", heard: (message) => said.push(message) });
  last().emit("message", { asked: { mainnet: 2 } });
  expect(said).toEqual([{ asked: { mainnet: 2 } }]);
  die(3);
  await expect(kept.started).rejects.toMatchObject({ exitCode: 3 });
});

it("spares a process that answers late or is still starting", () => {
  vi.advanceTimersByTime(59_000);
  expect(last().signals).toEqual([]);
  for (let answers = 0; answers < 5; answers += 1) {
    last().emit("message", { beat: true });
    vi.advanceTimersByTime(9_900);
  }
  expect(last().signals).toEqual([]);
});

it("kills a process that hangs while it starts or stops", () => {
  vi.advanceTimersByTime(61_000);
  expect(last().signals).toEqual(["SIGKILL"]);
  die();
  children = [];
  kept = keepProcess(startFake, { name: "web" });
  rise();
  last().emit("message", { beat: true });
  void kept.end("SIGTERM");
  vi.advanceTimersByTime(11_000);
  expect(last().signals).toEqual(["SIGTERM", "SIGKILL"]);
});

it("starts no process once it is ended, and waits for its end", async () => {
  rise();
  const ended = kept.end("SIGTERM");
  expect(last().signals).toEqual(["SIGTERM"]);
  die(0);
  expect(await ended).toBe(0);
  vi.advanceTimersByTime(60_000);
  expect(children).toHaveLength(1);
});

it("ends while it waits to restart", async () => {
  rise();
  die(7);
  expect(await kept.end("SIGTERM")).toBe(7);
  vi.advanceTimersByTime(60_000);
  expect(children).toHaveLength(1);
});

it("is not brought down by a message that is no object", () => {
  rise();
  for (const said of ["up", 7, true, null]) last().emit("message", said);
  kept.send({ id: 3 });
  expect(children).toHaveLength(1);
  expect(last().heard).toEqual([{ id: 3 }]);
});
