const IDS = new Set(["AgentId", "ChatId", "OrderId", "EventId", "OwnerAddress"]);

/** Refuses an id that is claimed instead of parsed. */
export const noCastId = {
  create(context) {
    return {
      TSAsExpression(node) {
        const { typeName } = node.typeAnnotation;
        if (typeName?.type !== "Identifier" || !IDS.has(typeName.name)) return;
        context.report({
          node,
          message: `Parse it with src/domain/ids.ts: "as ${typeName.name}" holds whatever the text is.`,
        });
      },
    };
  },
};
