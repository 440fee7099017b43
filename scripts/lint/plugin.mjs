import { noAmbientTimeOrChance } from "./no-ambient-time-or-chance.mjs";
import { noFloatMoney } from "./no-float-money.mjs";

export default {
  meta: { name: "house" },
  rules: {
    "no-float-money": noFloatMoney,
    "no-ambient-time-or-chance": noAmbientTimeOrChance,
  },
};
