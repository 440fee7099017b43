import type { FastifyInstance } from "fastify";
import { DOCS_PATH } from "../../contract/documentation.ts";
import { ROUTES } from "../../contract/routes.ts";
import { packedFile } from "../http/packed-file.ts";
import { PLAIN_PAGE_POLICY, escapeHtml, plainPage } from "../http/plain-page.ts";
import { buildOpenApi } from "./build-openapi.ts";

const LONGEST_PATTERN = 40;

/** Length of a schema's JSON from which the page leaves it out: conditions nest, and 22 such schemas made 1.7 MB. */
const LONGEST_SCHEMA = 3_000;

/**
 * Serves the API description at `/api/openapi.json` and, as an HTML page, at `/api/docs`. Both are made for the first
 * reader, so that a start does not wait for them.
 */
export function registerDocs(app: FastifyInstance, address: string): void {
  let made: ReturnType<typeof buildOpenApi> | undefined;
  const description = () => (made ??= buildOpenApi(address));
  const sendDocument = packedFile(() => JSON.stringify(description()));
  const sendPage = packedFile(() => docsPage(description()));
  app.get(ROUTES.getOpenApi.path, (request, reply) =>
    sendDocument(request, reply.type("application/json; charset=utf-8")),
  );
  app.get(DOCS_PATH, (request, reply) => {
    reply.type("text/html; charset=utf-8").header("content-security-policy", PLAIN_PAGE_POLICY);
    return sendPage(request, reply);
  });
}

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
function docsPage(document: Json): string {
  const { info, paths, components } = document as {
    info: { title: string; description: string };
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, Json> };
  };
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const tags = [...new Set(calls.map(({ operation }) => operation.tags[0] ?? ""))];
  const sections = tags.map((tag) => {
    const own = calls.filter(({ operation }) => operation.tags[0] === tag);
    return `<section id="${anchor(tag)}"><h2>${escapeHtml(tag)}</h2>${own.map(article).join("")}</section>`;
  });
  const schemas = Object.entries(components.schemas).map(schemaArticle).join("");
  const body = `<header><h1>Calls of ${escapeHtml(info.title)}</h1><p>${escapeHtml(info.description)}</p>
<p>For programs: <a href="/api/openapi.json">openapi.json</a></p>
<nav aria-label="Headings"><ul>${tags.map((tag) => `<li><a href="#${anchor(tag)}">${escapeHtml(tag)}</a></li>`).join("")}<li><a href="#schemas">Schemas</a></li></ul></nav></header>
<main>${sections.join("")}<section id="schemas"><h2>Schemas</h2>${schemas}</section></main>`;
  return plainPage({ title: `${info.title}: calls`, body });
}

function article(call: { path: string; method: string; operation: Operation }): string {
  const { path, method, operation } = call;
  const body = operation.requestBody?.content["application/json"];
  const [status = "", answer] =
    Object.entries(operation.responses).find(([code]) => code !== "default") ?? [];
  const answered = answer?.content?.["application/json"];
  return `<article id="${operation.operationId}"><h3>${escapeHtml(operation.summary)}</h3>
<p class="call"><b>${method.toUpperCase()}</b> <code>${escapeHtml(path)}</code></p>
<p>${escapeHtml([operation.description, access(operation)].filter((part) => part !== "").join(" "))}</p>
${parameters(operation)}${block("Body", body)}${block(`Answer ${status}`, answered)}</article>`;
}

/** Returns a named schema: its fields in words, or what it can be. */
function schemaArticle([name, schema]: [string, Json]): string {
  const { properties } = schema as { properties?: Record<string, Json & { description?: string }> };
  const heading = `<h3 id="schema-${name}">${name}</h3>`;
  if (properties === undefined) return `${heading}<p>${linked(kind(schema))}</p>`;
  const rows = Object.entries(properties).map(
    // HTML needs no end tags of rows and cells, and there are thousands
    ([field, part]) =>
      `<tr><td><code>${escapeHtml(field)}</code><td>${linked(kind(part))}<td>${escapeHtml(part.description ?? "")}`,
  );
  return `${heading}<div class="wide" tabindex="0" role="region" aria-label="Fields of ${name}"><table><thead><tr><th>Field</th><th>Kind</th><th>What</th></tr></thead><tbody>${rows.join("")}</tbody></table></div>`;
}

/** Links the names of schemas in a text. */
const linked = (text: string): string =>
  escapeHtml(text).replaceAll(/#(\w+)/g, '<a href="#schema-$1">$1</a>');

function access({ security }: Operation): string {
  const names = security.flatMap((each) => Object.keys(each));
  if (names.length === 0) return "Open to everybody.";
  return names.includes("readToken") ? "Session or read token." : "Session.";
}

function parameters({ parameters: all = [] }: Operation): string {
  if (all.length === 0) return "";
  const rows = all.map(
    (each) =>
      `<tr><td><code>${escapeHtml(each.name)}</code></td><td>${each.in}</td><td>${each.required ? "yes" : "no"}</td><td>${escapeHtml(each.description ?? "")} ${linked(kind(each.schema))}</td></tr>`,
  );
  return `<div class="wide" tabindex="0" role="region" aria-label="Parameters"><table><thead><tr><th>Parameter</th><th>In</th><th>Needed</th><th>What</th></tr></thead><tbody>${rows.join("")}</tbody></table></div>`;
}

/**
 * Returns a schema's type, short enough for a table, with `#` before the names of others; the document has its exact
 * pattern.
 */
function kind(schema: Json): string {
  const {
    type,
    format,
    enum: values,
    const: only,
    items,
    pattern = "",
    $ref: reference,
    anyOf,
    oneOf = anyOf,
  } = schema as {
    type?: string | readonly string[];
    format?: string;
    enum?: readonly string[];
    const?: unknown;
    items?: Json;
    pattern?: string;
    $ref?: string;
    anyOf?: readonly Json[];
    oneOf?: readonly Json[];
  };
  if (reference !== undefined) return `#${reference.slice(reference.lastIndexOf("/") + 1)}`;
  if (values !== undefined) return values.join(", ");
  if (only !== undefined) return JSON.stringify(only);
  if (oneOf !== undefined) return oneOf.map(kind).join(" or ");
  if (type === "array") return `list of ${items === undefined ? "any" : kind(items)}`;
  if (format === "date-time") return "time, ISO 8601 in UTC";
  const isShort = pattern !== "" && pattern.length <= LONGEST_PATTERN;
  const named = [type ?? "any"].flat().join(" or ");
  return isShort ? `${named} matching ${pattern}` : named;
}

function block(title: string, content: Content | undefined): string {
  if (content === undefined) return "";
  const example =
    content.example === undefined
      ? ""
      : `<pre tabindex="0" aria-label="Example">${json(content.example)}</pre>`;
  const isShort = JSON.stringify(content.schema).length <= LONGEST_SCHEMA;
  const schema =
    "$ref" in content.schema
      ? `<p>Schema: ${linked(kind(content.schema))}</p>`
      : isShort
        ? `<details><summary>Schema</summary><pre tabindex="0" aria-label="Schema">${json(content.schema)}</pre></details>`
        : `<p>Its schema is long: <a href="/api/openapi.json">openapi.json</a> has it.</p>`;
  return `<h4>${escapeHtml(title)}</h4>${example}${schema}`;
}

const json = (value: unknown) => escapeHtml(JSON.stringify(value, null, 1));

const anchor = (tag: string) => tag.toLowerCase().replaceAll(/[^a-z]+/g, "-");
