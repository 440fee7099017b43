import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { chatIdOf } from "../../../../test/ids.ts";
import { parseOwner } from "../../../domain/ids.ts";
import type { LiveAnswer } from "./assistant/live-answers.ts";
import type { OutgoingMessage } from "./outbox.ts";

const OWNER = parseOwner("A77ytVV59RYYKW9U97puqc8h5MBUxEKjsSe5zPEDWqFo");
const CHAT = chatIdOf("c");

/**
 * Local storage as a tab sees it: its own writes at once, those of other tabs only later. Browsers keep a copy for each
 * process and bring them together when they find the time.
 */
class TabStorage {
  readonly seen = new Map<string, string>();
  private unsaid: (readonly [key: string, value: string | null])[] = [];

  get length(): number {
    return this.seen.size;
  }
  key(at: number): string | null {
    return [...this.seen.keys()][at] ?? null;
  }
  getItem(key: string): string | null {
    return this.seen.get(key) ?? null;
  }
  setItem(key: string, value: string): void {
    this.seen.set(key, value);
    this.unsaid.push([key, value]);
  }
  removeItem(key: string): void {
    this.seen.delete(key);
    this.unsaid.push([key, null]);
  }
  /** Returns what was written since the last call. */
  takeWrites() {
    return this.unsaid.splice(0);
  }
}

type Tab = Awaited<ReturnType<typeof openTab>>;

/** The page's modules once more, as another tab has them. */
async function openTab() {
  const storage = new TabStorage();
  const listeners: ((event: StorageEvent) => void)[] = [];
  vi.resetModules();
  vi.stubGlobal("localStorage", storage);
  vi.stubGlobal("addEventListener", (type: string, listener: (event: StorageEvent) => void) => {
    if (type === "storage") listeners.push(listener);
  });
  const outbox = await import("./outbox.ts");
  const answers = await import("./assistant/live-answers.ts");
  const { replaceFetch } = await import("../../lib/api.ts");
  replaceFetch(serve);
  return { storage, listeners, outbox, answers };
}

/** Runs what a tab does with that tab's storage. */
function inTab<T>(tab: Tab, act: () => T): T {
  vi.stubGlobal("localStorage", tab.storage);
  return act();
}

/** Brings what the tabs wrote together: the later write of a key stands, and every tab hears of the others'. */
function bringTogether(...tabs: readonly Tab[]): void {
  const writes = tabs.flatMap((tab) =>
    tab.storage.takeWrites().map(([key, newValue]) => ({ tab, key, newValue })),
  );
  for (const { seen } of tabs.map(({ storage }) => storage)) {
    for (const { key, newValue } of writes) {
      if (newValue === null) seen.delete(key);
      else seen.set(key, newValue);
    }
  }
  for (const tab of tabs) {
    for (const { key, newValue } of writes.filter((write) => write.tab !== tab)) {
      inTab(tab, () => {
        for (const listener of tab.listeners)
          listener(new StorageEvent("storage", { key, newValue }));
      });
    }
  }
}

// The tabs' modules listen to no window, so that no later file may have them
afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

let stored: string[] = [];

function serve(_input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const message = JSON.parse(String(init?.body as string)) as { readonly _id: string };
  if (!stored.includes(message._id)) stored.push(message._id);
  return Promise.resolve(Response.json(message, { status: 201 }));
}

const outgoing = (_id: string): OutgoingMessage => ({
  owner: OWNER,
  chatId: CHAT,
  status: "pending",
  message: { id: _id, type: "user", content: _id, at: "2026-11-21T08:00:00.000Z" },
});

const answer = (id: string): LiveAnswer => ({
  id,
  owner: OWNER,
  chatId: CHAT,
  activity: "",
  text: "So far",
  sources: [],
  reads: [],
  results: [],
});

describe("two tabs of one browser", () => {
  let first: Tab;
  let second: Tab;
  const client = new QueryClient();

  beforeEach(async () => {
    stored = [];
    [first, second] = [await openTab(), await openTab()];
  });

  it("that send at the same moment lose no message", async () => {
    inTab(first, () => first.outbox.putInOutbox(outgoing("message-of-first")));
    inTab(second, () => second.outbox.putInOutbox(outgoing("message-of-second")));
    bringTogether(first, second);
    await inTab(first, () => first.outbox.deliver("message-of-first", client));
    await inTab(second, () => second.outbox.deliver("message-of-second", client));
    expect(stored).toEqual(["message-of-first", "message-of-second"]);
    bringTogether(first, second);
    for (const { outbox, storage } of [first, second]) {
      expect(outbox.outbox.getState().entries).toEqual([]);
      expect(storage.length).toBe(0);
    }
  });

  it("show the other tab's unsent messages until they are stored or deleted", () => {
    inTab(first, () => first.outbox.putInOutbox(outgoing("message-of-first")));
    bringTogether(first, second);
    expect(second.outbox.outbox.getState().entries).toEqual([outgoing("message-of-first")]);
    inTab(second, () => second.outbox.takeFromOutbox("message-of-first"));
    bringTogether(first, second);
    expect(first.outbox.outbox.getState().entries).toEqual([]);
  });

  it("that write answers at the same moment keep both after a reload", () => {
    inTab(first, () => first.answers.beginAnswer(answer("answer-of-first"), () => {}));
    inTab(second, () => second.answers.beginAnswer(answer("answer-of-second"), () => {}));
    bringTogether(first, second);
    const ids = (tab: Tab) =>
      inTab(tab, () => tab.answers.readForeignAnswers().map(({ id }) => id));
    expect([ids(first), ids(second)]).toEqual([["answer-of-second"], ["answer-of-first"]]);
    inTab(first, () => first.answers.endAnswer("answer-of-first"));
    bringTogether(first, second);
    expect([ids(first), ids(second)]).toEqual([["answer-of-second"], []]);
  });
});

describe("a browser without storage", () => {
  it("still sends messages", async () => {
    stored = [];
    const tab = await openTab();
    tab.storage.setItem = () => {
      throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
    };
    await inTab(tab, async () => {
      tab.outbox.putInOutbox(outgoing("message-0001"));
      await tab.outbox.deliver("message-0001", new QueryClient());
    });
    expect(stored).toEqual(["message-0001"]);
  });
});
