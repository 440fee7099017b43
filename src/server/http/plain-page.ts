import { createHash } from "node:crypto";

/** Makes text safe inside an element or a quoted attribute. */
export const escapeHtml = (text: string) =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");

const STYLE = `
:root{color-scheme:light dark;--line:light-dark(#d8dbe2,#2c313c);--soft:light-dark(#f4f5f8,#171a21);--text:light-dark(#14171f,#e8eaf0);--muted:light-dark(#545b6b,#a3abbb)}
body{margin:0 auto;padding:24px 16px 64px;max-width:880px;font:15px/1.55 system-ui,sans-serif;color:var(--text);background:light-dark(#fff,#0f1116)}
h1{font-size:26px;margin:0 0 8px}h2{font-size:20px;margin:40px 0 8px;padding-top:16px;border-top:1px solid var(--line)}h3{font-size:16px;margin:28px 0 4px}h4{font-size:13px;margin:14px 0 4px;color:var(--muted)}
p{margin:4px 0}nav ul{display:flex;flex-wrap:wrap;gap:6px 16px;padding:0;list-style:none}a{color:light-dark(#1d4ed8,#8ab4ff)}
code,pre{font:13px/1.5 ui-monospace,monospace}code{overflow-wrap:anywhere}pre{margin:4px 0;padding:12px;max-height:420px;overflow:auto;background:var(--soft);border:1px solid var(--line);border-radius:8px}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%;margin-top:8px}th,td{text-align:left;padding:4px 12px 4px 0;border-bottom:1px solid var(--line);vertical-align:top}td:last-child{width:100%;overflow-wrap:anywhere}th{color:var(--muted);font-weight:500}
@media(min-width:640px){th[scope=row]{white-space:nowrap}}
summary{cursor:pointer;color:var(--muted)}
:focus-visible{outline:2px solid light-dark(#1d4ed8,#8ab4ff);outline-offset:2px}
`;

const STYLE_DIGEST = createHash("sha256").update(STYLE).digest("base64");

/** The content security policy of a plain page: its own style, no scripts, nothing loaded. */
export const PLAIN_PAGE_POLICY = `default-src 'none'; style-src 'sha256-${STYLE_DIGEST}'; frame-ancestors 'none'; base-uri 'none'`;

/** Returns an HTML page without scripts in both themes; `head` and `body` are HTML, the title is text. */
export function plainPage(page: {
  readonly title: string;
  readonly head?: string;
  readonly body: string;
}): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)}</title>${page.head ?? ""}<style>${STYLE}</style></head><body>
${page.body}</body></html>
`;
}
