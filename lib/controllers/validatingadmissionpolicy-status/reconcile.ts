import { typeWarnings } from '#lib/admission/policy/type-checker.ts';
import type { Client } from '#lib/client/client.ts';
import { ignoreNotFound } from '#lib/client/ignore.ts';
import type { Reconciler } from '#lib/controller/reconciler.ts';
import { objectAt } from '#lib/machinery/json-value.ts';
import { resourceVersionOf } from '#lib/machinery/meta.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import { integer } from '#lib/machinery/unstructured.ts';
import { publishedKinds } from './published-kinds.ts';

const POLICIES: GroupVersionResource = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  resource: 'validatingadmissionpolicies',
};

/** Writes into each ValidatingAdmissionPolicy's status what its expressions get wrong, once a generation. */
export function validatingPolicyStatus(client: Client): Reconciler {
  return {
    name: 'validatingadmissionpolicy-status',
    keys: ({ type, group, resource, name }) =>
      group === POLICIES.group && resource === POLICIES.resource && type !== 'DELETED' ? [name] : [],
    async reconcile(name) {
      const ref = { resource: POLICIES, namespace: '', name };
      const policy = await client.get(ref);
      if (policy === undefined) return undefined;
      const generation = integer(objectAt(policy, 'metadata'), 'generation') ?? 0;
      if (generation <= (integer(objectAt(policy, 'status'), 'observedGeneration') ?? 0)) return undefined;
      const warnings = await typeWarnings(policy, publishedKinds(client));
      const typeChecking = { expressionWarnings: warnings.length === 0 ? null : warnings };
      const status = { observedGeneration: generation, typeChecking };
      const patch = { metadata: { resourceVersion: resourceVersionOf(policy) }, status };
      await client.patch(ref, patch, 'status').catch(ignoreNotFound);
      return undefined;
    },
  };
}
