import type { AiWire, ToolCall, WireInput } from "./ai-provider.ts";
import { asList, asObject, asText, readProviderError, readSource } from "./wire-value.ts";

function toolsOf({ tools }: WireInput): object {
  if (tools.length === 0) return {};
  return { tools: tools.map((tool) => ({ type: "function", function: tool })) };
}

/** Wire format of OpenAI's Chat Completions API, version 1, and compatible providers. */
export const chatCompletions: AiWire = {
  path: "/chat/completions",

  body(input) {
    return {
      model: input.model,
      stream: true,
      messages: [
        ...input.messages,
        ...input.past.flatMap(({ turn, outputs }) => [
          ...turn.items,
          ...outputs.map(({ id, output }) => ({
            role: "tool",
            tool_call_id: id,
            content: output,
          })),
        ]),
      ],
      // Models with built-in search get the search size; others get the search tool
      ...(input.canSearch && { web_search_options: { search_context_size: "medium" } }),
      ...toolsOf(input),
    };
  },

  createReader(sink, onError) {
    let text = "";
    let isFinished = false;
    const calls = new Map<number, { id: string; name: string; arguments: string }>();

    function readToolCall(part: unknown, position: number): void {
      const { index, id, function: named } = asObject(part);
      const at = typeof index === "number" ? index : position;
      const call = calls.get(at) ?? { id: "", name: "", arguments: "" };
      const { name, arguments: args } = asObject(named);
      calls.set(at, {
        id: call.id || asText(id),
        name: call.name || asText(name),
        arguments: call.arguments + asText(args),
      });
    }

    function readMessage(message: unknown): void {
      const { content, annotations, tool_calls: toolCalls } = asObject(message);
      const piece = asText(content);
      if (piece !== "") {
        text += piece;
        sink.onText(piece);
      }
      for (const annotation of asList(annotations)) {
        const source = readSource(asObject(annotation)["url_citation"]);
        if (source) sink.onSource(source);
      }
      asList(toolCalls).forEach(readToolCall);
    }

    function readChoice(answer: unknown, part: "delta" | "message"): void {
      const choice = asObject(asList(asObject(answer)["choices"])[0]);
      readMessage(choice[part]);
      if (asText(choice["finish_reason"]) !== "") isFinished = true;
    }

    return {
      read(event) {
        if (asObject(event)["error"] !== undefined) onError(readProviderError(event));
        else readChoice(event, "delta");
      },
      readWhole(answer) {
        readChoice(answer, "message");
        isFinished = true;
      },
      finish() {
        if (!isFinished) return null;
        const toolCalls: readonly ToolCall[] = [...calls.values()];
        const asked = toolCalls.map(({ id, name, arguments: args }) => ({
          id,
          type: "function",
          function: { name, arguments: args },
        }));
        const message = { role: "assistant", content: text || null };
        const items = [asked.length === 0 ? message : { ...message, tool_calls: asked }];
        return { text, toolCalls, items };
      },
    };
  },
};
