import * as z from "zod/mini";
import { defineChannel } from "./channel.ts";

export const email = defineChannel({
  kind: "email",
  title: "E-mail",
  icon: "mail",
  shape: { address: z.email("Not an e-mail address.").check(z.maxLength(254)) },
  form: [
    {
      name: "address",
      label: "E-mail address",
      hint: "A code is sent there first, to confirm that it is yours.",
      placeholder: "you@example.com",
      wrong: "That is not an e-mail address.",
    },
  ],
  labelOf: ({ address }) => address.replace(/^(.).*(?=@)/, "$1…"),
  placeOf: ({ address }) => address,
  codeTo: ({ address }) => address,
});
