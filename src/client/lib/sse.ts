export interface ServerEvent {
  readonly event: string;
  readonly data: string;
}

/** Splits a server-sent event stream into events; comments and partial blocks are kept back. */
export function createEventParser(onEvent: (event: ServerEvent) => void): (chunk: string) => void {
  let rest = "";
  return (chunk) => {
    rest += chunk;
    // A line may end with "\r\n", and the second character may come with the next piece
    const end = rest.endsWith("\r") ? rest.length - 1 : rest.length;
    const blocks = rest.slice(0, end).replace(/\r\n?/g, "\n").split("\n\n");
    rest = (blocks.pop() ?? "") + rest.slice(end);
    for (const block of blocks) {
      let event = "message";
      const data: string[] = [];
      for (const line of block.split("\n")) {
        const [, field = "", value = ""] = /^(\w+):? ?(.*)$/.exec(line) ?? [];
        if (field === "event") event = value;
        if (field === "data") data.push(value);
      }
      if (data.length > 0) onEvent({ event, data: data.join("\n") });
    }
  };
}
