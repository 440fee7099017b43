/** One shape in which an alert arrives, what becomes of it, and what its agent's owner reads of it. */
export interface AlertShape {
  readonly name: string;
  /**
   * Body as sent, with `$AGENT`, `$ALERT`, `$NOW`, `$TOKEN`, `$OTHER` (another agent) and `$OTHERS` (its token) to be
   * replaced.
   */
  readonly body: string;
  /** The headers beside the length; JSON's content type unless said. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Behind the address as it is shown. */
  readonly behind?: string;
  readonly encoding?: "utf8" | "utf16le" | "latin1";
  /** Replaces `$NOW`, from the present time in milliseconds. */
  readonly time?: (nowMs: number) => string | number;
  /** As the documentation shows the time. */
  readonly shownTime?: string;
  readonly status: 200 | 202 | 400 | 404 | 409 | 413 | 422;
  /** Error code of a refusal. */
  readonly code?: string;
  /** What the owner reads as the problem of the last unreadable delivery, or as the reason in the list of alerts. */
  readonly told?: string;
  /** Whether the text is shown to the owner too. */
  readonly isShown?: boolean;
}

const JSON_TYPE = { "content-type": "application/json" };
const PLAIN = { "content-type": "text/plain; charset=utf-8" };

const WHOLE = '{"agentId":"$AGENT","alertName":"$ALERT","timestamp":"$NOW","token":"$TOKEN"}';
const beside = (fields: string) => WHOLE.replace("}", `,${fields}}`);

const RIGHT =
  'Send the alert text as the agent\'s page shows it: {"agentId":"…","alertName":"…","timestamp":"{{timenow}}","token":"…"}';

const unread = (
  name: string,
  body: string,
  why: string,
  more: Partial<AlertShape> = {},
): AlertShape => ({
  name,
  body,
  headers: PLAIN,
  status: 400,
  code: "bad_request",
  told: `${why} ${RIGHT}`,
  isShown: true,
  ...more,
});

const wrong = (name: string, body: string, told: string): AlertShape => ({
  name,
  body,
  status: 404,
  code: "not_found",
  told,
  isShown: false,
});

const iso = (ms: number) => new Date(ms).toISOString();
const local = (ms: number, hours: number) => iso(ms + hours * 3_600_000).slice(0, 19);
const seconds = (ms: number) => Math.floor(ms / 1_000);

const at = (
  name: string,
  shownTime: string,
  time: (nowMs: number) => string | number,
  body = WHOLE,
): AlertShape => ({ name, body, time, shownTime, status: 202 });

/** What people send, in the order of the documentation. */
export const ALERT_SHAPES: readonly AlertShape[] = [
  { name: "the text as copied", body: WHOLE, status: 202 },
  { name: "further fields", body: beside('"ticker":"SOLUSDT","price":150.1'), status: 202 },
  { name: "further fields with objects", body: beside('"strategy":{"side":["buy"]}'), status: 202 },
  {
    name: "other order, line breaks",
    body: '{\r\n  "token": "$TOKEN",\n  "timestamp": "$NOW",\n  "alertName": "$ALERT",\n  "agentId": "$AGENT"\n}\n',
    status: 202,
  },
  { name: "labelled as text", body: WHOLE, headers: PLAIN, status: 202 },
  {
    name: "labelled as a form, as curl -d does",
    body: WHOLE,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    status: 202,
  },
  {
    name: "labelled as something else",
    body: WHOLE,
    headers: { "content-type": "application/xml; charset=utf-16" },
    status: 202,
  },
  { name: "a label that is none", body: WHOLE, headers: { "content-type": "json" }, status: 202 },
  { name: "no content type", body: WHOLE, headers: {}, status: 202 },
  { name: "a byte order mark", body: `\ufeff${WHOLE}`, status: 202 },
  { name: "a slash behind the address", body: WHOLE, behind: "/", status: 202 },
  { name: "a query behind the address", body: WHOLE, behind: "?source=chart", status: 202 },
  { name: "a name in other case", body: WHOLE.replace("$ALERT", " BREAKOUT "), status: 202 },
  at(
    "microseconds and an offset",
    "2026-11-28T14:20:05.123456+00:00",
    (ms) => `${local(ms, 0)}.123456+00:00`,
  ),
  at("an offset of another zone", "2026-11-28T09:20:05-05:00", (ms) => `${local(ms, -5)}-05:00`),
  at("an offset without a colon", "2026-11-28T19:50:05+0530", (ms) => `${local(ms, 5.5)}+0530`),
  at("Unix seconds as a number", "1795875605", seconds, WHOLE.replace('"$NOW"', "$NOW")),
  at(
    "Unix seconds with a fraction",
    "1795875605.123456",
    (ms) => `${seconds(ms)}.123456`,
    WHOLE.replace('"$NOW"', "$NOW"),
  ),
  at("Unix milliseconds as text", "1795875605123", (ms) => String(ms)),
  unread(
    "a comma before the brace",
    WHOLE.replace("}", ",}"),
    "there is a comma too many before the last brace.",
  ),
  unread(
    "typographic quotes",
    WHOLE.replaceAll(/"(.*?)"/g, "“$1”"),
    'character 2 is the quote “ where JSON has the straight quote ".',
  ),
  unread(
    "single quotes",
    WHOLE.replaceAll('"', "'"),
    "character 2 is the quote ' where JSON has the straight quote \".",
  ),
  unread(
    "words instead of the text",
    "SOLUSDT Crossing 150.00",
    "it is not the alert text, which begins with {.",
  ),
  unread("nothing at all", "", "it is empty."),
  unread("a text cut off", WHOLE.slice(0, -9), "its end is missing."),
  unread(
    "a placeholder without quotes",
    beside('"price":{{close}}'),
    "a {{placeholder}} stands without quotes around it.",
  ),
  unread("a brace too many", `${WHOLE}}`, "it stops being JSON at character $LENGTH."),
  unread("a field missing", WHOLE.replace('"alertName":"$ALERT",', ""), "alertName is missing."),
  unread(
    "fields of other kinds",
    '{"agentId":1,"alertName":"$ALERT","timestamp":true}',
    "agentId is no text, timestamp is no text, token is missing.",
  ),
  unread("a list", `[${WHOLE}]`, "it is no JSON object."),
  unread("a field twice", beside('"token":"$TOKEN"'), "A key stands twice."),
  unread("UTF-16", WHOLE, "it is UTF-16 and has to be UTF-8.", {
    encoding: "utf16le",
    headers: JSON_TYPE,
  }),
  unread("Latin-1", beside('"who":"Jürgen"'), "The body is not UTF-8.", { encoding: "latin1" }),
  unread(
    "a form's fields",
    "agentId=$AGENT&alertName=$ALERT&timestamp=$NOW&token=$TOKEN",
    "it is not the alert text, which begins with {.",
    { headers: { "content-type": "application/x-www-form-urlencoded" } },
  ),
  {
    name: "more than 16 KB",
    body: beside(`"note":"${"x".repeat(16_384)}"`),
    status: 413,
    code: "payload_too_large",
    told: "it is larger than 16 KB.",
    isShown: false,
  },
  wrong(
    "a wrong token",
    WHOLE.replace("$TOKEN", "not-the-token-but-something-as-long-as-one-is-here.1"),
    "wrong token. Copy the alert text from this page.",
  ),
  wrong(
    "the placeholder of the token",
    WHOLE.replace("$TOKEN", "{{token}}"),
    "wrong token. {{token}} stands for it: show the alert texts on this page and copy one.",
  ),
  wrong(
    "another agent's text",
    WHOLE.replace("$AGENT", "$OTHER").replace("$TOKEN", "$OTHERS"),
    "wrong token. Copy the alert text from this page.",
  ),
  wrong(
    "another agent's id",
    WHOLE.replace("$AGENT", "$OTHER"),
    "its agentId is not that of this agent. Copy the alert text from this page.",
  ),
  {
    name: "the placeholder of the time",
    body: WHOLE,
    time: () => "{{timenow}}",
    shownTime: "{{timenow}}",
    status: 422,
    code: "timestamp_placeholder",
    told: "The timestamp still holds the placeholder {{timenow}}. Use the text as the message of a TradingView alert: TradingView fills the time in.",
  },
  {
    name: "a time of no known form",
    body: WHOLE,
    time: () => "2026.11.28 14:20:05",
    shownTime: "2026.11.28 14:20:05",
    status: 422,
    code: "timestamp_unreadable",
    told: "The timestamp could not be read. Write it as 2026-11-28T14:20:05Z, with an offset as 2026-11-28T15:20:05+01:00, or as Unix time in seconds or milliseconds.",
  },
  {
    name: "a time without a zone",
    body: WHOLE,
    time: (ms) => local(ms, 0),
    shownTime: "2026-11-28T14:20:05",
    status: 422,
    code: "timestamp_unreadable",
    told: "The timestamp could not be read. Write it as 2026-11-28T14:20:05Z, with an offset as 2026-11-28T15:20:05+01:00, or as Unix time in seconds or milliseconds.",
  },
  {
    name: "an old time",
    body: WHOLE,
    time: (ms) => iso(ms - 3_600_000),
    shownTime: "an hour ago",
    status: 422,
    code: "stale_signal",
    told: "The alert is too old or too far in the future. Keep {{timenow}} as the timestamp in the alert's message, and see that the sender's clock is right.",
  },
  {
    name: "a name that no alert has",
    body: WHOLE.replace("$ALERT", "sideways"),
    status: 422,
    code: "alert_unknown",
    told: "The agent has no alert of that name. Add an alert of that name to the agent, or change the name in the alert's message.",
  },
];
