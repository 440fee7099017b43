const REASON =
  "Money is bigint base units; convert in src/domain/amount.ts, or say in a disable comment why this is not money.";

/** Forbids conversions of an amount to a floating-point number. */
export const noFloatMoney = {
  create(context) {
    return {
      CallExpression(node) {
        const called = node.callee;
        if (called.type === "Identifier" && ["parseFloat", "Number"].includes(called.name)) {
          context.report({ node, message: `${called.name}() makes a float. ${REASON}` });
        }
        if (called.type !== "MemberExpression" || called.computed) return;
        const { name } = called.property;
        const isNumberParse = called.object.name === "Number" && name === "parseFloat";
        if (isNumberParse || ["toFixed", "toPrecision", "toExponential"].includes(name)) {
          context.report({ node, message: `${name}() works on floats. ${REASON}` });
        }
      },
    };
  },
};
