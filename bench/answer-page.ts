/** Appends an answer as text and nothing else, in steps of `stepMs`, in a box kept at its end. */
async function streamPlainText(address: string, stepMs: number): Promise<number> {
  const box = document.createElement("div");
  box.style.cssText = "width: 440px; height: 700px; overflow-y: auto; font: 14px/20px sans-serif";
  document.body.replaceChildren(box);
  let paragraph = box.appendChild(document.createElement("p"));
  let length = 0;
  let waiting = "";
  let timer: ReturnType<typeof setTimeout> | undefined;

  function show(): void {
    timer = undefined;
    const [first = "", ...others] = waiting.split("\n\n");
    waiting = "";
    paragraph.append(first);
    for (const other of others) {
      paragraph = box.appendChild(document.createElement("p"));
      paragraph.append(other);
    }
    box.scrollTop = box.scrollHeight;
  }

  function append(piece: string): void {
    length += piece.length;
    waiting += piece;
    timer ??= setTimeout(show, stepMs);
  }

  const answer = await fetch(address, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ stream: true, messages: [] }),
  });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: "" };
    if (done) return length;
    const lines = (rest + value).split("\n\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line === "data: [DONE]") continue;
      const event = JSON.parse(line.slice("data: ".length)) as {
        choices: { delta: { content?: string } }[];
      };
      append(event.choices[0]?.delta.content ?? "");
    }
  }
}

Object.assign(globalThis, { streamPlainText });
