import { noAmbientTimeOrChance } from "./no-ambient-time-or-chance.mjs";
import { noCastId } from "./no-cast-id.mjs";
import { noFloatMoney } from "./no-float-money.mjs";

export default {
  meta: { name: "house" },
  rules: {
    "no-cast-id": noCastId,
    "no-float-money": noFloatMoney,
    "no-ambient-time-or-chance": noAmbientTimeOrChance,
  },
};
