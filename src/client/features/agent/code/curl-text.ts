const TIME_PLACEHOLDER = "{{timenow}}";

/** Returns shell-quoted text; inside single quotes only the quote itself needs escaping. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Returns curl commands that send each alert; the shell inserts the time. */
export function curlText(
  webhookUrl: string,
  alerts: readonly { readonly name: string; readonly message: string }[],
): string {
  const commands = alerts.map(({ name, message }) => {
    const body = message
      .split(TIME_PLACEHOLDER)
      .map(quoted)
      .join(`"$(date -u +%Y-%m-%dT%H:%M:%SZ)"`);
    return [
      `# ${name}`,
      "curl -H 'content-type: application/json' \\",
      `  -d ${body} \\`,
      `  ${quoted(webhookUrl)}`,
    ].join("\n");
  });
  return commands.length === 0 ? "" : `${commands.join("\n\n")}\n`;
}
