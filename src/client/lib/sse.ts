export interface ServerEvent {
  readonly event: string;
  readonly data: string;
}

/** Splits a server-sent event stream into events; comments and partial blocks are kept back. */
export function createEventParser(onEvent: (event: ServerEvent) => void): (chunk: string) => void {
  let rest = "";
  return (chunk) => {
    const blocks = (rest + chunk).replace(/\r\n?/g, "\n").split("\n\n");
    rest = blocks.pop() ?? "";
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
