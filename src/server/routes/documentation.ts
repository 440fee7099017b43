import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Handlers } from "../http/handler.ts";

/** Returns the first line of a text and the rest. */
function cut(text: string): readonly [string, string] {
  const [first = "", ...rest] = text.split("\n");
  return [first.trim(), rest.join("\n").trim()];
}

/** Answers with pages of the documentation, whose files are in `docsDir`. */
export function documentationHandlers({ docsDir }: { readonly docsDir: string }) {
  return {
    async readDocumentation({ params: { page } }) {
      const text = await readFile(join(docsDir, `${page}.md`), "utf8");
      const [head = "", ...parts] = text.replace(/^# /, "").split(/^## /m);
      const [title, introduction] = cut(head);
      const sections = parts.map((part) => {
        const [heading, rest] = cut(part);
        return { heading, text: rest };
      });
      return { title, introduction, sections };
    },
  } satisfies Partial<Handlers>;
}
