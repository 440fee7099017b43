import type {
  AiMessage,
  AiRequest,
  AiSettings,
  AnswerSink,
  Ending,
  ToolCall,
} from "./ai-provider.ts";
import { asList, asObject, asText, readSource } from "./wire-value.ts";

/** A tool call as its pieces come. */
type CallParts = { -readonly [K in keyof ToolCall]: ToolCall[K] } & { readonly slot: number };

/** An answer as its pieces come. */
export interface Draft extends AnswerSink {
  text: string;
  ending: Ending;
  readonly calls: CallParts[];
  readonly kept: Record<string, unknown>;
}

/** Wire format of a provider API. */
interface AiWire {
  readonly path: string;
  body(request: AiRequest): unknown;
  read(event: unknown, draft: Draft): void;
}

function addText(draft: Draft, piece: string): void {
  if (piece === "") return;
  draft.text += piece;
  draft.onText(piece);
}

function cite(draft: Draft, citation: unknown): void {
  const source = readSource(citation);
  if (source) draft.onSource(source);
}

/** Returns how an answer ended by the provider's reason, which is absent until the end. */
function endingOf(reason: unknown, before: Ending): Ending {
  const name = asText(reason).toLowerCase();
  if (name === "") return before;
  if (/length|max.*tokens/.test(name)) return "length";
  if (/filter|safety|refus|recitation|prohibited/.test(name)) return "filtered";
  return name === "error" ? "cut" : "complete";
}

/** Returns what a text says in JSON; undefined when it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns whether a piece begins another call. Some providers number all calls alike, others repeat the name, with a
 * new id or none, in every piece of one: so the call before has to be whole.
 */
const isAnother = (call: CallParts, id: string, name: string): boolean =>
  name !== "" &&
  call.name !== "" &&
  (id === "" || id !== call.id) &&
  parsed(id === "" ? call.arguments : call.arguments || "{}") !== undefined;

function readToolCall(part: unknown, position: number, calls: CallParts[]): void {
  const { index, id, function: named, extra_content: extra } = asObject(part);
  const { name, arguments: args } = asObject(named);
  const slot = typeof index === "number" ? index : position;
  let call = calls.findLast((one) => one.slot === slot);
  if (call === undefined || isAnother(call, asText(id), asText(name))) {
    call = { slot, id: "", name: "", arguments: "", extra: undefined };
    calls.push(call);
  }
  call.id ||= asText(id);
  call.name ||= asText(name);
  call.arguments += typeof args === "object" && args ? JSON.stringify(args) : asText(args);
  call.extra ??= extra;
}

/** Returns a message with its picture beside the text, as a format names the two. */
const withImage = (
  { role, content, image }: AiMessage,
  text: string,
  pictureOf: (url: string) => object,
) => ({
  role,
  content: image === undefined ? content : [{ type: text, text: content }, pictureOf(image)],
});

/** Wire format of OpenAI's Chat Completions API, version 1, and compatible providers. */
const chatCompletions: AiWire = {
  path: "/chat/completions",

  body({ settings, messages, past, tools }) {
    return {
      model: settings.model,
      stream: true,
      messages: [
        ...messages.map((message) =>
          withImage(message, "text", (url) => ({ type: "image_url", image_url: { url } })),
        ),
        ...past.flatMap(({ turn, outputs }) => [
          {
            role: "assistant",
            content: turn.text || null,
            ...turn.kept,
            tool_calls: turn.toolCalls.map(({ id, name, arguments: args, extra }) => ({
              id,
              type: "function",
              function: { name, arguments: parsed(args) === undefined ? "{}" : args },
              extra_content: extra,
            })),
          },
          ...outputs.map(({ id, output }) => ({ role: "tool", tool_call_id: id, content: output })),
        ]),
      ],
      // Models with built-in search get the search size; others get the search tool
      ...(settings.api === "chat" && { web_search_options: { search_context_size: "medium" } }),
      ...(tools.length > 0 && {
        tools: tools.map((tool) => ({ type: "function", function: tool })),
      }),
    };
  },

  read(event, draft) {
    const choice = asObject(asList(asObject(event)["choices"])[0]);
    // One document has a message where a stream has deltas, and may say nothing of its end
    const { message, delta = message, finish_reason: reason = message && "stop" } = choice;
    const said = asObject(delta);
    const parts = asList(said["content"]).map((part) => asText(asObject(part)["text"]));
    addText(draft, asText(said["content"]) + parts.join("") + asText(said["refusal"]));
    for (const field of ["reasoning_content", "reasoning"]) {
      const piece = said[field];
      if (typeof piece === "string") draft.kept[field] = asText(draft.kept[field]) + piece;
    }
    draft.kept["extra_content"] = said["extra_content"] ?? draft.kept["extra_content"];
    for (const annotation of asList(said["annotations"])) {
      cite(draft, asObject(annotation)["url_citation"]);
    }
    asList(said["tool_calls"]).forEach((part, at) => readToolCall(part, at, draft.calls));
    draft.ending = endingOf(reason, draft.ending);
  },
};

/** Wire format of OpenAI's Responses API, version 1, which has web search and tools. */
const responsesApi: AiWire = {
  path: "/responses",

  body({ settings, messages, past, tools }) {
    const [first, ...others] = messages;
    const hasInstructions = first?.role === "system";
    return {
      model: settings.model,
      stream: true,
      // The provider stores nothing, so the follow-up request carries the whole context
      store: false,
      ...(hasInstructions && { instructions: first.content }),
      input: [
        ...(hasInstructions ? others : messages).map((message) =>
          withImage(message, "input_text", (url) => ({ type: "input_image", image_url: url })),
        ),
        // Provider ids and reasoning items are left out: with `store: false` the provider cannot resolve them
        ...past.flatMap(({ turn, outputs }) => [
          ...(turn.text === "" ? [] : [{ role: "assistant", content: turn.text }]),
          ...turn.toolCalls.map(({ id, name, arguments: args }) => ({
            type: "function_call",
            call_id: id,
            name,
            arguments: args,
          })),
          ...outputs.map(({ id, output }) => ({
            type: "function_call_output",
            call_id: id,
            output,
          })),
        ]),
      ],
      tools: [
        { type: "web_search", search_context_size: "medium" },
        ...tools.map((tool) => ({ type: "function", ...tool, strict: false })),
      ],
    };
  },

  read(event, draft) {
    const { type, delta, annotation, item, response } = asObject(event);
    const { output, incomplete_details: details } = asObject(response);
    switch (type) {
      case "response.output_text.delta":
      case "response.refusal.delta":
        addText(draft, asText(delta));
        break;
      case "response.output_text.annotation.added":
        cite(draft, annotation);
        break;
      case "response.web_search_call.in_progress":
      case "response.web_search_call.searching":
        draft.onSearch();
        break;
      case "response.output_item.done":
        readItem(item, draft);
        break;
      case "response.completed":
      case "response.incomplete":
        // Nothing came before of an answer that is one document
        if (draft.text === "" && draft.calls.length === 0) {
          for (const one of asList(output)) {
            readItem(one, draft);
            for (const part of asList(asObject(one)["content"]).map(asObject)) {
              addText(draft, asText(part["text"]) || asText(part["refusal"]));
              asList(part["annotations"]).forEach((cited) => cite(draft, cited));
            }
          }
        }
        draft.ending = endingOf(asObject(details)["reason"], "complete");
        break;
    }
  },
};

function readItem(item: unknown, { calls }: Draft): void {
  const { type, call_id: id, name, arguments: args } = asObject(item);
  if (type !== "function_call") return;
  const slot = calls.length;
  const call = { slot, id: asText(id), name: asText(name), arguments: asText(args) };
  calls.push({ ...call, extra: undefined });
}

export const WIRES: Readonly<Record<AiSettings["api"], AiWire>> = {
  chat: chatCompletions,
  "chat-tools": chatCompletions,
  responses: responsesApi,
};
