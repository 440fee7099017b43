const MESSAGE =
  "Time comes from a Clock and chance from a passed-in source, so that tests decide both.";

/** Forbids direct use of the clock and of random numbers. */
export const noAmbientTimeOrChance = {
  create(context) {
    return {
      MemberExpression(node) {
        const name = `${node.object.name}.${node.property.name}`;
        if (name === "Date.now" || name === "Math.random")
          context.report({ node, message: MESSAGE });
      },
      NewExpression(node) {
        if (node.callee.name === "Date" && node.arguments.length === 0) {
          context.report({ node, message: MESSAGE });
        }
      },
    };
  },
};
