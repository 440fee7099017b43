import { describe, expect, it } from "vitest";
import { hasInvisible, quoteName } from "./name-key.ts";

describe("names", () => {
  it.each([
    ["a direction mark", "Agent \u202e"],
    ["an isolate", "Agent \u2066x"],
    ["a zero-width space", "Ag\u200bent"],
    ["a zero-width joiner", "Ag\u200dent"],
    ["a byte order mark", "\ufeffAgent"],
    ["a control character", "Agent\u0007"],
    ["a line separator", "Agent\u2028"],
    ["a soft hyphen", "Ag\u00adent"],
  ])("with %s contain an invisible character", (_, name) => {
    expect(hasInvisible(name)).toBe(true);
  });

  it.each(["Agent ** SOL-1h", 'The "best" one', "Straße ä é", "日本語", "العربية", "🚀 rocket"])(
    "like %s contain no invisible character",
    (name) => expect(hasInvisible(name)).toBe(false),
  );

  it.each([
    ["Agent ** SOL-1h", '"Agent ** SOL-1h"'],
    ['x": losses stop. "y', String.raw`"x\": losses stop. \"y"`],
    [String.raw`back\slash`, String.raw`"back\\slash"`],
    ["a\u202eb\u200b", String.raw`"a\u{202e}b\u{200b}"`],
    ["two\nlines", String.raw`"two\u{a}lines"`],
    ["🚀", '"🚀"'],
  ])("are quoted so that %j ends where its quotes end", (name, quoted) => {
    expect(quoteName(name)).toBe(quoted);
  });
});
