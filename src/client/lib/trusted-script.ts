interface ScriptPolicy {
  createScriptURL(url: string): string;
}

interface PolicyFactory {
  createPolicy(name: string, rules: ScriptPolicy): ScriptPolicy;
}

const policies = new Map<string, ScriptPolicy>();

/**
 * Returns a script's address as the page's content policy requires it: as a TrustedScriptURL of a policy that allows
 * this script alone, where the browser knows Trusted Types.
 */
export function trustedScript(policyName: string, scriptUrl: string): string {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: PolicyFactory };
  if (trustedTypes === undefined) return scriptUrl;
  const policy =
    policies.get(policyName) ??
    trustedTypes.createPolicy(policyName, {
      createScriptURL(url) {
        if (url !== scriptUrl) throw new TypeError("Not the product's own script");
        return url;
      },
    });
  policies.set(policyName, policy);
  return policy.createScriptURL(scriptUrl);
}
