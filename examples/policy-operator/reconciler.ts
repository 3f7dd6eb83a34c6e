import {
  NAMESPACE,
  RESOURCE_QUOTA,
  type ResourceQuota,
  VALIDATING_ADMISSION_POLICY,
  VALIDATING_ADMISSION_POLICY_BINDING,
  type ValidatingAdmissionPolicy,
  type ValidatingAdmissionPolicyBinding,
} from '@davit-dev/davit/api';
import { type Context, defineReconciler, setCondition, setControllerReference } from '@davit-dev/davit/controller';
import { NAMESPACE_POLICY, type NamespacePolicy } from './api/namespacepolicy.ts';
import { admissionPolicy, binding, nameOf, POLICY, quota } from './objects.ts';

type World = Context<NamespacePolicy>;

/** Creates for each NamespacePolicy an admission policy, its binding, and a quota in each namespace that selects it. */
export const namespacePolicies = defineReconciler<NamespacePolicy>(
  {
    name: 'namespace-policies',
    for: { ...NAMESPACE_POLICY, clusterScoped: true },
    owns: [VALIDATING_ADMISSION_POLICY, VALIDATING_ADMISSION_POLICY_BINDING, RESOURCE_QUOTA],
    watches: [{ ...NAMESPACE, map: { label: POLICY }, predicates: { changed: ['labels', 'deletion'] } }],
  },
  async (_request, world) => {
    const policy = await world.object();
    // The garbage collector deletes the policy's dependents.
    if (policy === undefined || policy.metadata.deletionTimestamp !== undefined) return undefined;
    const { client } = world;
    await client.apply<ValidatingAdmissionPolicy>(setControllerReference(policy, admissionPolicy(policy)));
    await client.apply<ValidatingAdmissionPolicyBinding>(setControllerReference(policy, binding(policy)));
    await report(policy, world, await limitNamespaces(policy, world));
    return undefined;
  },
);

/** Applies the quotas, and deletes those in namespaces that no longer select the policy. Resolves with the number of namespaces. */
async function limitNamespaces(policy: NamespacePolicy, { client }: World): Promise<number> {
  const labelSelector = `${POLICY}=${nameOf(policy)}`;
  const found = await client.list(NAMESPACE, { labelSelector });
  const namespaces = found
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .map(({ metadata: { name = '' } }) => name);
  const { hard } = policy.spec;
  const limited = hard === undefined ? [] : namespaces;
  for (const namespace of limited)
    await client.apply<ResourceQuota>(setControllerReference(policy, quota(policy, namespace, hard ?? {})));
  for (const { metadata } of await client.list(RESOURCE_QUOTA, { labelSelector })) {
    const { namespace = '', name = '' } = metadata;
    if (!limited.includes(namespace)) await client.delete(RESOURCE_QUOTA, { namespace, name });
  }
  return namespaces.length;
}

/** Updates the status for this generation of the spec. */
async function report(policy: NamespacePolicy, { client, clock }: World, namespaces: number): Promise<void> {
  const { generation = 0 } = policy.metadata;
  const before = policy.status?.conditions;
  const ready = {
    type: 'Ready',
    status: 'True',
    reason: 'Applied',
    message: '',
    observedGeneration: generation,
  } as const;
  const conditions = setCondition(before, ready, clock.now());
  if (conditions === before && policy.status?.namespaces === namespaces) return;
  await client.patchStatus(NAMESPACE_POLICY, { namespace: '', name: nameOf(policy) }, { namespaces, conditions });
}
