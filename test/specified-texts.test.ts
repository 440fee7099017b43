import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SPECIFIED_TEXTS, UNSAID_TEXTS } from "./recorded/specified-texts.ts";

const root = join(import.meta.dirname, "..");

/** Different texts in single quotes in the two specifications. */
const QUOTED_TEXTS = 172;

const collapse = (text: string) => text.replace(/\s+/g, " ");

describe("the texts of the specifications", () => {
  it("are all listed, each once", () => {
    const listed = [...SPECIFIED_TEXTS, ...UNSAID_TEXTS].map(([text]) => text);
    expect(new Set(listed).size).toBe(listed.length);
    expect(listed).toHaveLength(QUOTED_TEXTS);
    for (const [text, reason] of UNSAID_TEXTS) expect(reason, text).not.toBe("");
  });

  it.each(SPECIFIED_TEXTS)("%s", (text, ...places) => {
    expect(places).not.toHaveLength(0);
    for (const place of places) {
      const [part, file] = typeof place === "string" ? [text, place] : place;
      expect(collapse(readFileSync(join(root, file), "utf8")), file).toContain(part);
    }
  });
});
