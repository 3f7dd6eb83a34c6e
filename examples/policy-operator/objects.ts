import {
  type ApplyConfiguration,
  RESOURCE_QUOTA,
  type ResourceQuota,
  VALIDATING_ADMISSION_POLICY,
  VALIDATING_ADMISSION_POLICY_BINDING,
  type ValidatingAdmissionPolicy,
  type ValidatingAdmissionPolicyBinding,
} from '@davit-dev/davit/api';
import { NAMESPACE_POLICY, type NamespacePolicy } from './api/namespacepolicy.ts';

/** The label that links a namespace to its policy, and a quota to the policy that created it. */
export const POLICY = 'policies.example.com/policy';

/** The name of all objects that a policy creates. */
export const nameOf = ({ metadata: { name = '' } }: NamespacePolicy): string => name;

const IMAGES = ['containers', 'initContainers', 'ephemeralContainers']
  .map((field) => `(has(object.spec.${field}) ? object.spec.${field}.map(c, c.image) : [])`)
  .join(' + ');

/** Rejects pods with an image from another registry. The NamespacePolicy is its parameter, so a change to it needs no new expression. */
export function admissionPolicy(policy: NamespacePolicy): ApplyConfiguration<ValidatingAdmissionPolicy> {
  return {
    ...VALIDATING_ADMISSION_POLICY,
    metadata: { name: `${nameOf(policy)}.${POLICY.split('/')[0]}` },
    spec: {
      paramKind: { apiVersion: NAMESPACE_POLICY.apiVersion, kind: NAMESPACE_POLICY.kind },
      matchConstraints: {
        resourceRules: [
          {
            apiGroups: [''],
            apiVersions: ['v1'],
            operations: ['CREATE', 'UPDATE'],
            resources: ['pods', 'pods/ephemeralcontainers'],
          },
        ],
      },
      variables: [
        {
          name: 'foreign',
          expression: `(${IMAGES}).filter(image, !params.spec.allowedRegistries.exists(registry, image.startsWith(registry + '/')))`,
        },
      ],
      validations: [
        {
          expression: 'variables.foreign.size() == 0',
          messageExpression: "'images of other registries: ' + variables.foreign.join(', ')",
          reason: 'Forbidden',
        },
      ],
    },
  };
}

/** Applies the admission policy to the namespaces that select the NamespacePolicy. */
export function binding(policy: NamespacePolicy): ApplyConfiguration<ValidatingAdmissionPolicyBinding> {
  const { name } = admissionPolicy(policy).metadata;
  return {
    ...VALIDATING_ADMISSION_POLICY_BINDING,
    metadata: { name: name ?? '' },
    spec: {
      policyName: name ?? '',
      paramRef: { name: nameOf(policy), parameterNotFoundAction: 'Deny' },
      validationActions: ['Deny'],
      matchResources: { namespaceSelector: { matchLabels: { [POLICY]: nameOf(policy) } } },
    },
  };
}

/** Limits the resources of a namespace. */
export function quota(
  policy: NamespacePolicy,
  namespace: string,
  hard: NonNullable<NamespacePolicy['spec']['hard']>,
): ApplyConfiguration<ResourceQuota> {
  const limits = Object.entries(hard).map(([resource, amount]) => [resource, String(amount)]);
  return {
    ...RESOURCE_QUOTA,
    metadata: { namespace, name: nameOf(policy), labels: { [POLICY]: nameOf(policy) } },
    spec: { hard: Object.fromEntries(limits) },
  };
}
