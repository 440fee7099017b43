import * as z from "zod/mini";
import { quoteName } from "../../domain/name-key.ts";
import { name } from "../fields.ts";
import { defineChannel, hostOf, httpsAddress } from "./channel.ts";

const base64Url = (bytes: number) =>
  z.string().check(z.regex(new RegExp(`^[A-Za-z0-9_-]{${Math.ceil((bytes * 4) / 3)}}$`)));

export const push = defineChannel({
  kind: "push",
  title: "This browser",
  icon: "bell",
  shape: {
    endpoint: httpsAddress,
    p256dh: base64Url(65),
    auth: base64Url(16),
    browser: name(1, 60),
  },
  form: null,
  labelOf: ({ browser }) => browser,
  placeOf: ({ browser, endpoint }) =>
    `the browser ${quoteName(browser)} through ${hostOf(endpoint)}`,
  targetOf: ({ endpoint, p256dh, auth }) => ({ endpoint, p256dh, auth }),
});
