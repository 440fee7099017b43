import { describe, expect, it } from "vitest";
import { findEntries } from "./find-entries.ts";
import { areSingleKeysOn, readShortcut, setSingleKeys, SHORTCUT_GROUPS } from "./shortcuts.ts";

const entry = (label: string) => ({ id: label, group: "Tabs", label, run: () => {} });
const labels = ["Trade Log", "Backtest", "Manage Funds", "My log book"].map(entry);
const find = (asked: string) => findEntries(labels, asked).map(({ label }) => label);

describe("findEntries", () => {
  it("keeps everything in order while nothing is asked", () =>
    expect(find("  ")).toEqual(["Trade Log", "Backtest", "Manage Funds", "My log book"]));

  it("wants every word and puts the start of a label before the start of a word", () => {
    expect(find("ma")).toEqual(["Manage Funds"]);
    expect(find("log")).toEqual(["Trade Log", "My log book"]);
    expect(find("log book")).toEqual(["My log book"]);
    expect(find("t")).toEqual(["Trade Log", "Backtest"]);
    expect(find("nothing")).toEqual([]);
  });
});

describe("readShortcut", () => {
  const press = { key: "", ctrlKey: false, metaKey: false, altKey: false, isTyping: false };

  it("opens the palette with either modifier, even while typing", () => {
    expect(readShortcut({ ...press, key: "k", ctrlKey: true, isTyping: true })).toBe("palette");
    expect(readShortcut({ ...press, key: "K", metaKey: true })).toBe("palette");
    expect(readShortcut({ ...press, key: "k" })).toBeNull();
    expect(readShortcut({ ...press, key: "k", ctrlKey: true, altKey: true })).toBeNull();
  });

  it("leaves ? to fields and to who switched it off", () => {
    const question = { ...press, key: "?" };
    expect(readShortcut(question)).toBe("shortcuts");
    expect(readShortcut({ ...question, isTyping: true })).toBeNull();
    setSingleKeys(false);
    expect(areSingleKeysOn()).toBe(false);
    expect(readShortcut(question)).toBeNull();
    setSingleKeys(true);
    expect(readShortcut(question)).toBe("shortcuts");
  });

  it("documents each of its keys", () => {
    const keys = SHORTCUT_GROUPS.flatMap(({ shortcuts }) => shortcuts.map((each) => each.keys));
    for (const key of ["K", "B", "?"]) expect(keys.some((each) => each.includes(key))).toBe(true);
  });
});
