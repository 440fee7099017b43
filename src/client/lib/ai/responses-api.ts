import type { AiWire, ToolCall, WireInput } from "./ai-provider.ts";
import { asList, asObject, asText, readProviderError, readSource } from "./wire-value.ts";

function toolsOf({ tools, canSearch }: WireInput): readonly object[] {
  return [
    ...(canSearch ? [{ type: "web_search", search_context_size: "medium" }] : []),
    ...tools.map((tool) => ({ type: "function", ...tool, strict: false })),
  ];
}

/** Wire format of OpenAI's Responses API, version 1, which has web search and tools. */
export const responsesApi: AiWire = {
  path: "/responses",

  body(input) {
    const [first, ...others] = input.messages;
    const hasInstructions = first?.role === "system";
    return {
      model: input.model,
      stream: true,
      // The provider stores nothing, so the follow-up request carries the whole context
      store: false,
      ...(hasInstructions && { instructions: first.content }),
      input: [
        ...(hasInstructions ? others : input.messages),
        ...input.past.flatMap(({ turn, outputs }) => [
          ...turn.items,
          ...outputs.map(({ id, output }) => ({
            type: "function_call_output",
            call_id: id,
            output,
          })),
        ]),
      ],
      tools: toolsOf(input),
    };
  },

  createReader(sink, onError) {
    let text = "";
    let isFinished = false;
    const items: unknown[] = [];
    const toolCalls: ToolCall[] = [];

    function addText(piece: string): void {
      if (piece === "") return;
      text += piece;
      sink.onText(piece);
    }

    function cite(annotation: unknown): void {
      const source = readSource(annotation);
      if (source) sink.onSource(source);
    }

    function keepItem(item: unknown): void {
      const { type, call_id: callId, name, arguments: args } = asObject(item);
      if (type !== "function_call") return;
      const asked = { id: asText(callId), name: asText(name), arguments: asText(args) };
      toolCalls.push(asked);
      // Provider ids and reasoning items are left out: with `store: false` the provider cannot resolve them
      items.push({ type, call_id: asked.id, name: asked.name, arguments: asked.arguments });
    }

    return {
      read(event) {
        const { type, delta, annotation, item, response } = asObject(event);
        switch (type) {
          case "response.output_text.delta":
          case "response.refusal.delta":
            addText(asText(delta));
            break;
          case "response.output_text.annotation.added":
            cite(annotation);
            break;
          case "response.web_search_call.in_progress":
          case "response.web_search_call.searching":
            sink.onSearch();
            break;
          case "response.output_item.done":
            keepItem(item);
            break;
          case "response.completed":
            isFinished = true;
            break;
          case "response.failed":
            onError(readProviderError(response));
            break;
          case "error":
            onError(readProviderError(event));
            break;
        }
      },
      readWhole(answer) {
        for (const item of asList(asObject(answer)["output"])) {
          keepItem(item);
          for (const part of asList(asObject(item)["content"])) {
            addText(asText(asObject(part)["text"]));
            asList(asObject(part)["annotations"]).forEach(cite);
          }
        }
        isFinished = true;
      },
      finish() {
        if (!isFinished) return null;
        const said = text === "" ? [] : [{ role: "assistant", content: text }];
        return { text, toolCalls, items: [...said, ...items] };
      },
    };
  },
};
