type Json = Readonly<Record<string, unknown>>;

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly security: readonly Json[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly description?: string;
    readonly schema: Json;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, { readonly content?: Record<string, Content> }>>;
}

interface Content {
  readonly schema: Json;
  readonly example?: unknown;
}

/** Returns an OpenAPI document as an HTML page without scripts, its routes grouped by heading. */
export function docsPage(document: Json): string {
  const { info, paths } = document as {
    info: { title: string; description: string };
    paths: Record<string, Record<string, Operation>>;
  };
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const tags = [...new Set(calls.map(({ operation }) => operation.tags[0] ?? ""))];
  const sections = tags.map((tag) => {
    const own = calls.filter(({ operation }) => operation.tags[0] === tag);
    return `<section id="${anchor(tag)}"><h2>${escape(tag)}</h2>${own.map(article).join("")}</section>`;
  });
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(info.title)}: calls</title><style>${DOCS_STYLE}</style></head><body>
<header><h1>Calls of ${escape(info.title)}</h1><p>${escape(info.description)}</p>
<p>For programs: <a href="/api/openapi.json">openapi.json</a></p>
<nav aria-label="Headings"><ul>${tags.map((tag) => `<li><a href="#${anchor(tag)}">${escape(tag)}</a></li>`).join("")}</ul></nav></header>
<main>${sections.join("")}</main></body></html>
`;
}

function article(call: { path: string; method: string; operation: Operation }): string {
  const { path, method, operation } = call;
  const body = operation.requestBody?.content["application/json"];
  const [status = "", answer] =
    Object.entries(operation.responses).find(([code]) => code !== "default") ?? [];
  const answered = answer?.content?.["application/json"];
  return `<article id="${operation.operationId}"><h3>${escape(operation.summary)}</h3>
<p class="call"><b>${method.toUpperCase()}</b> <code>${escape(path)}</code></p>
<p>${escape([operation.description, access(operation)].filter((part) => part !== "").join(" "))}</p>
${parameters(operation)}${block("Body", body)}${block(`Answer ${status}`, answered)}</article>`;
}

function access({ security }: Operation): string {
  const names = security.flatMap((each) => Object.keys(each));
  if (names.length === 0) return "Open to everybody.";
  return names.includes("readToken") ? "Session or read token." : "Session.";
}

function parameters({ parameters: all = [] }: Operation): string {
  if (all.length === 0) return "";
  const rows = all.map(
    (each) =>
      `<tr><td><code>${escape(each.name)}</code></td><td>${each.in}</td><td>${each.required ? "yes" : "no"}</td><td>${escape(each.description ?? kind(each.schema))}</td></tr>`,
  );
  return `<div class="wide" tabindex="0" role="region" aria-label="Parameters"><table><thead><tr><th>Parameter</th><th>In</th><th>Needed</th><th>What</th></tr></thead><tbody>${rows.join("")}</tbody></table></div>`;
}

/** Returns a parameter's type, short enough for a table; the document has its exact pattern. */
function kind(schema: Json): string {
  const {
    type,
    format,
    enum: values,
    pattern = "",
  } = schema as {
    type?: string;
    format?: string;
    enum?: readonly string[];
    pattern?: string;
  };
  if (values !== undefined) return values.join(", ");
  if (format === "date-time") return "time, ISO 8601 in UTC";
  const isShort = pattern !== "" && pattern.length <= LONGEST_PATTERN;
  return isShort ? `${type ?? "text"} matching ${pattern}` : (type ?? "any");
}

const LONGEST_PATTERN = 40;

function block(title: string, content: Content | undefined): string {
  if (content === undefined) return "";
  const example =
    content.example === undefined
      ? ""
      : `<pre tabindex="0" aria-label="Example">${json(content.example)}</pre>`;
  return `<h4>${escape(title)}</h4>${example}<details><summary>Schema</summary><pre tabindex="0" aria-label="Schema">${json(content.schema)}</pre></details>`;
}

const json = (value: unknown) => escape(JSON.stringify(value, null, 2));

const anchor = (tag: string) => tag.toLowerCase().replaceAll(/[^a-z]+/g, "-");

const escape = (text: string) =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");

export const DOCS_STYLE = `
:root{color-scheme:light dark;--line:light-dark(#d8dbe2,#2c313c);--soft:light-dark(#f4f5f8,#171a21);--text:light-dark(#14171f,#e8eaf0);--muted:light-dark(#545b6b,#a3abbb)}
body{margin:0 auto;padding:24px 16px 64px;max-width:880px;font:15px/1.55 system-ui,sans-serif;color:var(--text);background:light-dark(#fff,#0f1116)}
h1{font-size:26px;margin:0 0 8px}h2{font-size:20px;margin:40px 0 8px;padding-top:16px;border-top:1px solid var(--line)}h3{font-size:16px;margin:28px 0 4px}h4{font-size:13px;margin:14px 0 4px;color:var(--muted)}
p{margin:4px 0}nav ul{display:flex;flex-wrap:wrap;gap:6px 16px;padding:0;list-style:none}a{color:light-dark(#1d4ed8,#8ab4ff)}
code,pre{font:13px/1.5 ui-monospace,monospace}code{overflow-wrap:anywhere}pre{margin:4px 0;padding:12px;max-height:420px;overflow:auto;background:var(--soft);border:1px solid var(--line);border-radius:8px}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%;margin-top:8px}th,td{text-align:left;padding:4px 12px 4px 0;border-bottom:1px solid var(--line);vertical-align:top}td:last-child{width:100%;overflow-wrap:anywhere}th{color:var(--muted);font-weight:500}
summary{cursor:pointer;color:var(--muted)}
:focus-visible{outline:2px solid light-dark(#1d4ed8,#8ab4ff);outline-offset:2px}
`;
