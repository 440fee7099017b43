import { describe, expect, it } from "vitest";
import { findEntries } from "./palette.tsx";
import {
  actionOfKey,
  areSingleKeysOn,
  KEYED_ACTIONS,
  setSingleKeys,
} from "../actions/keyed-actions.ts";
import { ACTIONS } from "../actions/list.ts";
import { showShortcuts } from "../actions/show-shortcuts.ts";
import { togglePalette } from "../actions/toggle-palette.ts";
import { SHORTCUT_GROUPS } from "./shortcuts-dialog.tsx";

const entry = (label: string) => ({ id: label, group: "Tabs", label, run: () => {} });
const labels = ["Trade Log", "Backtest", "Manage Funds", "My log book"].map(entry);
const find = (asked: string) => findEntries(labels, asked).map(({ label }) => label);

describe("findEntries", () => {
  it("keeps all entries in order without a query", () =>
    expect(find("  ")).toEqual(["Trade Log", "Backtest", "Manage Funds", "My log book"]));

  it("requires every word, and ranks the start of a label before the start of a word", () => {
    expect(find("ma")).toEqual(["Manage Funds"]);
    expect(find("log")).toEqual(["Trade Log", "My log book"]);
    expect(find("log book")).toEqual(["My log book"]);
    expect(find("t")).toEqual(["Trade Log", "Backtest"]);
    expect(find("nothing")).toEqual([]);
  });
});

describe("the key of an action", () => {
  const press = { key: "", ctrlKey: false, metaKey: false, altKey: false, isTyping: false };

  it("opens the palette with either modifier, even while typing", () => {
    expect(actionOfKey({ ...press, key: "k", ctrlKey: true, isTyping: true })).toBe(togglePalette);
    expect(actionOfKey({ ...press, key: "K", metaKey: true })).toBe(togglePalette);
    expect(actionOfKey({ ...press, key: "k" })).toBeUndefined();
    expect(actionOfKey({ ...press, key: "k", ctrlKey: true, altKey: true })).toBeUndefined();
  });

  it("does not handle ? in fields or when it is switched off", () => {
    const question = { ...press, key: "?" };
    expect(actionOfKey(question)).toBe(showShortcuts);
    expect(actionOfKey({ ...question, isTyping: true })).toBeUndefined();
    setSingleKeys(false);
    expect(areSingleKeysOn()).toBe(false);
    expect(actionOfKey(question)).toBeUndefined();
    setSingleKeys(true);
    expect(actionOfKey(question)).toBe(showShortcuts);
  });

  it("is bound for every action that has one", () => {
    const keyed = ACTIONS.filter(({ key }) => key !== undefined);
    expect(new Set(keyed)).toEqual(new Set(KEYED_ACTIONS));
  });

  it("is documented", () => {
    const keys = SHORTCUT_GROUPS.flatMap(({ shortcuts }) => shortcuts.map((each) => each.keys));
    for (const key of ["K", "B", "?"]) expect(keys.some((each) => each.includes(key))).toBe(true);
  });
});
