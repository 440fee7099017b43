const IDS = new Set(["AgentId", "ChatId", "OrderId", "EventId", "OwnerAddress"]);

/** Returns the first id named anywhere in a type: alone, in an array or in a field. */
function idIn(type) {
  if (type === null || typeof type !== "object") return undefined;
  if (type.type === "TSTypeReference" && IDS.has(type.typeName.name)) return type.typeName.name;
  for (const [key, part] of Object.entries(type)) {
    const found = key === "parent" ? undefined : idIn(part);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Refuses an id that is claimed instead of parsed. */
export const noCastId = {
  create(context) {
    const check = (node) => {
      const id = idIn(node.typeAnnotation);
      if (id === undefined) return;
      context.report({
        node,
        message: `Parse it with src/domain/ids.ts: "as ${id}" holds whatever the text is.`,
      });
    };
    return { TSAsExpression: check, TSTypeAssertion: check };
  },
};
