import { VALIDATING_ADMISSION_POLICIES } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { clientset } from '#lib/client/clientset.ts';
import type { Reconciler } from '#lib/client/controller/reconciler.ts';
import { ignoreNotFound } from '#lib/client/ignore.ts';
import { resourceVersionOf } from '#lib/machinery/meta.ts';
import { typeWarnings } from '#lib/server/admission/policy/type-checker.ts';
import { publishedKinds } from './published-kinds.ts';

const POLICIES = VALIDATING_ADMISSION_POLICIES;

/** Writes the type-checking errors of each ValidatingAdmissionPolicy's expressions into its status, once per generation. */
export function validatingPolicyStatus(client: Client): Reconciler {
  return {
    name: 'validatingadmissionpolicy-status',
    keys: ({ type, group, resource, name }) =>
      group === POLICIES.group && resource === POLICIES.resource && type !== 'DELETED' ? [name] : [],
    async reconcile(name) {
      const ref = { resource: POLICIES, namespace: '', name };
      const policy = await clientset(client).get(ref);
      if (policy === undefined) return undefined;
      const { generation = 0 } = policy.metadata;
      if (generation <= (policy.status.observedGeneration ?? 0)) return undefined;
      const warnings = await typeWarnings(policy, publishedKinds(client));
      const typeChecking = { expressionWarnings: warnings.length === 0 ? null : warnings };
      const status = { observedGeneration: generation, typeChecking };
      const patch = { metadata: { resourceVersion: resourceVersionOf(policy) }, status };
      await client.patch(ref, patch, 'status').catch(ignoreNotFound);
      return undefined;
    },
  };
}
