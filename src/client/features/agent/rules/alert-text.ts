/** Placeholder of the alert's name in the server's alert text. */
const NAME_PLACEHOLDER = "{{alertName}}";

/**
 * Returns the message to paste into the charting platform, with the alert's name filled in.
 * The name goes in as the inside of a JSON string, because the message is JSON.
 */
export function fillAlertText(template: string, alertName: string): string {
  return template.replaceAll(NAME_PLACEHOLDER, () => JSON.stringify(alertName.trim()).slice(1, -1));
}
